// Draws every chart of the page; again when the colours of the system change.
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// What a table holds is no colour, whatever it looks like.
const TABLES_OWN = ["data", "sort", "title", "description"];

function themed(part) {
  // Charts name their colours by the page's variables, so that both themes are one specification.
  if (typeof part === "string") return part.replace(/^var\((--[a-z]+)\)$/, (whole, name) => colour(name));
  if (Array.isArray(part)) return part.map(themed);
  if (part === null || typeof part !== "object") return part;
  const entries = Object.entries(part);
  return Object.fromEntries(entries.map(([key, value]) => [key, TABLES_OWN.includes(key) ? value : themed(value)]));
}

function config() {
  const ink = colour("--ink"), soft = colour("--soft"), line = colour("--line");
  return {
    background: "transparent",
    font: "system-ui, sans-serif",
    view: { stroke: "transparent" },
    axis: { labelColor: soft, titleColor: soft, domainColor: line, tickColor: line, gridColor: line, labelFontSize: 11, labelOverlap: true, titleLimit: 260 },
    legend: { labelColor: soft, titleColor: soft },
    header: { labelColor: ink, titleColor: soft },
    title: { color: ink },
  };
}

async function draw() {
  for (const figure of document.querySelectorAll("figure[data-chart]")) {
    const spec = themed(JSON.parse(figure.querySelector("script").textContent));
    const place = figure.querySelector(".chart"), label = place.getAttribute("aria-label");
    try {
      await vegaEmbed(place, spec, { actions: false, renderer: "svg", config: config(), tooltip: { theme: "custom" } });
      place.setAttribute("role", "img"); // Vega takes both away
      place.setAttribute("aria-label", label);
      figure.dataset.drawn = "true";
    } catch (error) {
      figure.dataset.drawn = "failed";
      console.error(error);
    }
  }
  document.documentElement.dataset.ready = "true";
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
draw();

// Draws every chart of the page; again when the colours of the system change.
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function themed(text) {
  // Charts name their colours by the page's variables, so that both themes are one specification.
  const names = ["first", "second", "pale", "ink", "soft", "line", "panel", "ground", "good", "bad"];
  return JSON.parse(text.replace(/"var\(--([a-z]+)\)"/g, (whole, name) =>
    names.includes(name) ? JSON.stringify(colour(`--${name}`)) : whole));
}

function config() {
  const ink = colour("--ink"), soft = colour("--soft"), line = colour("--line");
  return {
    background: "transparent",
    font: "system-ui, sans-serif",
    view: { stroke: "transparent" },
    axis: { labelColor: soft, titleColor: soft, domainColor: line, tickColor: line, gridColor: line, labelFontSize: 11 },
    legend: { labelColor: soft, titleColor: soft },
    header: { labelColor: ink, titleColor: soft },
    title: { color: ink },
  };
}

async function draw() {
  for (const figure of document.querySelectorAll("figure[data-chart]")) {
    const spec = themed(figure.querySelector("script").textContent);
    const place = figure.querySelector(".chart");
    try {
      await vegaEmbed(place, spec, { actions: false, renderer: "svg", config: config(), tooltip: { theme: "custom" } });
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

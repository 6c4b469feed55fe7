// The answer in large, and what stands behind it.
import { percent, significant } from "./numbers.js";
import { html } from "./svg.js";

const NOTHING_ASKED = "Choose an event: press “ask” on a column and select in its chart.";

export class AnswerPanel {
  constructor(node) {
    this.large = node.querySelector(".large");
    this.question = node.querySelector(".question");
    this.range = node.querySelector(".range");
    this.figures = node.querySelector(".figures");
    this.impossible = node.querySelector(".impossible");
  }

  show(answer, { event, given }) {
    const asked = answer.event;
    this.impossible.hidden = answer.possible;
    this.impossible.textContent = answer.possible ? "" : `Impossible evidence: ${answer.message}`;
    this.large.textContent = asked ? percent(asked.probability.value) : "–";
    this.large.dataset.value = asked ? String(asked.probability.value) : "";
    this.question.textContent = event ? `P(${event}${given ? ` | ${given}` : ""})` : NOTHING_ASKED;
    this.range.textContent = asked ? "…" : "";
    this.figures.replaceChildren(...figuresOf(answer.evidence, answer.possible ? "…" : "–"));
  }

  // Rows and trees behind the answer, which come a little later.
  showSureness({ evidence, event }) {
    this.range.textContent = event ? rangeText(event) : "";
    this.figures.replaceChildren(...figuresOf(evidence, "–"));
  }

  // What a screen reader is told when the answer has settled.
  spoken(answer, { event, given }) {
    if (!answer.possible) return this.impossible.textContent;
    const p = percent(answer.evidence.probability.value);
    const evidence = given ? `Evidence ${given}, probability ${p}. ` : "No evidence. ";
    if (!event || !answer.event) return evidence;
    return `${evidence}Probability of ${event}: ${percent(answer.event.probability.value)}.`;
  }
}

function rangeText({ probability, low, high, level, tree_spread: spread }) {
  const parts = [];
  const ends = `${percent(number(low))} to ${percent(number(high))}`;
  if (number(low) !== null) parts.push(`${Math.round(100 * level)} % interval ${ends}`);
  if (number(spread) !== null) parts.push(`trees ± ${percent(number(spread))}`);
  if (!probability.exact) parts.push(`standard error ${percent(probability.standard_error)}`);
  return parts.join(" · ");
}

function figuresOf({ is_density: density, probability, effective_rows: rows, tree_spread: spread }, unknown) {
  const p = number(probability.value);
  const shown = [
    density ? ["density of the evidence", significant(p), "evidence"] : ["probability of the evidence", percent(p), "evidence"],
    ["effective rows behind it", number(rows) === null ? unknown : significant(number(rows), 3), "rows"],
    ["spread over trees", number(spread) === null ? unknown : `± ${percent(number(spread))}`, "spread"],
  ];
  return shown.map(([label, value, name]) => html("li", { "data-figure": name }, html("b", {}, value), label));
}

const number = (value) => (value === null || value === undefined ? null : Number(value));

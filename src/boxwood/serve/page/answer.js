// The answer in large, and what stands behind it.
import { percent, significant } from "./numbers.js";
import { html } from "./svg.js";

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
    this.question.textContent = event ? `P(${event}${given ? ` | ${given}` : ""})` : "Choose an event: press “ask” on a column and select in its chart.";
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
    const evidence = given ? `Evidence ${given}, probability ${percent(answer.evidence.probability.value)}. ` : "No evidence. ";
    return event && answer.event ? `${evidence}Probability of ${event}: ${percent(answer.event.probability.value)}.` : evidence;
  }
}

function rangeText({ probability, low, high, level, tree_spread: spread }) {
  const parts = [];
  if (number(low) !== null) parts.push(`${Math.round(100 * level)} % interval ${percent(number(low))} to ${percent(number(high))}`);
  if (number(spread) !== null) parts.push(`trees ± ${percent(number(spread))}`);
  if (!probability.exact) parts.push(`standard error ${percent(probability.standard_error)}`);
  return parts.join(" · ");
}

function figuresOf({ is_density: density, probability, effective_rows: rows, tree_spread: spread }, unknown) {
  const shown = [
    [density ? "density of the evidence" : "probability of the evidence", density ? significant(number(probability.value)) : percent(number(probability.value)), "evidence"],
    ["effective rows behind it", number(rows) === null ? unknown : significant(number(rows), 3), "rows"],
    ["spread over trees", number(spread) === null ? unknown : `± ${percent(number(spread))}`, "spread"],
  ];
  return shown.map(([label, value, name]) => html("li", { "data-figure": name }, html("b", {}, value), label));
}

const number = (value) => (value === null || value === undefined ? null : Number(value));

// Why a row is odd: the surprise of each cell given the others, and what was expected.
import { shownValue } from "./examples.js";
import { percent, significant } from "./numbers.js";
import { html } from "./svg.js";

// A cell of less surprise than this (a probability or density of a twentieth) is nothing to wonder at.
const ODD = 3;

export class Explanation {
  constructor(node) {
    this.node = node;
    this.heading = node.querySelector("h2");
    this.sentence = node.querySelector(".sentence");
    this.cells = node.querySelector(".cells");
    node.querySelector("[name=close]").addEventListener("click", () => { node.hidden = true; });
  }

  show(explained, title) {
    const cells = [...explained.cells].sort((a, b) => Number(b.surprise) - Number(a.surprise));
    this.node.hidden = false;
    this.heading.textContent = `Why: ${title}`;
    this.sentence.textContent = sentenceOf(cells[0], explained.p_value);
    this.cells.replaceChildren(tableOf(cells));
    this.node.scrollIntoView({ block: "nearest" });
    return this.sentence.textContent;
  }

  refuse(message) {
    this.node.hidden = false;
    this.sentence.textContent = message;
    this.cells.replaceChildren();
  }
}

function sentenceOf(cell, p) {
  const rare = p === null || p === undefined ? "" : ` ${percent(Number(p))} of the rows are at least as improbable.`;
  if (!(Number(cell.surprise) >= ODD)) return `No cell of this row is odd given the others.${rare}`;
  return `${cell.column} is the odd cell: ${shownValue(cell.value)}, where ${shownValue(cell.expected)} was expected.${rare}`;
}

function tableOf(cells) {
  const most = Math.max(...cells.map((cell) => Number(cell.surprise)), 1);
  const lines = cells.map((cell, i) => {
    const odd = i === 0 && Number(cell.surprise) >= ODD;
    const meter = html("meter", { min: 0, max: most, value: Math.max(0, Number(cell.surprise)), "aria-hidden": "true" });
    const values = [cell.value, cell.expected].map((value) => html("td", {}, shownValue(value)));
    const surprise = html("td", { class: "number" }, significant(Number(cell.surprise), 3));
    const name = html("th", { scope: "row" }, cell.column);
    return html("tr", odd ? { class: "odd" } : {}, name, ...values, surprise, html("td", {}, meter));
  });
  const head = ["column", "value", "expected", "surprise (nats)", ""].map((text) => html("th", { scope: "col" }, text));
  return html("table", {}, html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...lines));
}

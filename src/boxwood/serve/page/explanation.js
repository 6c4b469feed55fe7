// Why a row is odd: the surprise of each cell given the others, beside what is usual, and what was expected.
import { shownValue } from "./examples.js";
import { percent } from "./numbers.js";
import { html } from "./svg.js";

// Nats above a column's usual surprise, from which on a cell is odd: a twentieth as probable.
const ODD = 3;

export class Explanation {
  constructor(node) {
    this.node = node;
    this.heading = node.querySelector("h2");
    this.sentence = node.querySelector(".sentence");
    this.cells = node.querySelector(".cells");
    node.querySelector("[name=close]").addEventListener("click", () => { node.hidden = true; });
  }

  show(explained, usual, title) {
    const cells = explained.cells.map((cell) => oddnessOf(cell, usual.get(cell.column))).sort((a, b) => b.excess - a.excess);
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

// The surprise of a number is that of its density, which depends on the unit: of dollars it is always larger than
// of thousands. So a cell is compared with what is usual in its column, the median over simulated rows.
export function usualSurprise(explained) {
  const found = new Map();
  for (const { cells } of explained) {
    for (const { column, surprise } of cells) found.set(column, [...(found.get(column) ?? []), Number(surprise)]);
  }
  return new Map([...found].map(([column, all]) => [column, all.sort((a, b) => a - b)[Math.floor(all.length / 2)]]));
}

function oddnessOf(cell, usual) {
  const surprise = Number(cell.surprise);
  return { ...cell, surprise, usual, excess: surprise - usual };
}

function sentenceOf(cell, p) {
  const rare = p === null || p === undefined ? "" : ` ${percent(Number(p))} of the rows are at least as improbable.`;
  if (!(cell.excess >= ODD)) return `No cell of this row is odd given the others.${rare}`;
  return `${cell.column} is the odd cell: ${shownValue(cell.value)}, where ${shownValue(cell.expected)} was expected.${rare}`;
}

function tableOf(cells) {
  const most = Math.max(...cells.map((cell) => cell.excess), ODD);
  const lines = cells.map((cell) => {
    const meter = html("meter", { min: 0, max: most, value: Math.max(0, cell.excess), "aria-hidden": "true" });
    const values = [cell.value, cell.expected].map((value) => html("td", {}, shownValue(value)));
    const numbers = [cell.surprise, cell.usual].map((value) => html("td", { class: "number" }, value.toFixed(2)));
    const name = html("th", { scope: "row" }, cell.column);
    return html("tr", cell.excess >= ODD ? { class: "odd" } : {}, name, ...values, html("td", {}, meter), ...numbers);
  });
  const heads = ["column", "value", "expected", "above the usual", "surprise", "usual (nats)"];
  const head = html("tr", {}, ...heads.map((text) => html("th", { scope: "col" }, text)));
  return html("table", {}, html("thead", {}, head), html("tbody", {}, ...lines));
}

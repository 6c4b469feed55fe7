// Which columns to look at next: those that depend most on what is asked, under the evidence.
import { html } from "./svg.js";

const MOST = 5;
const LEAST = 0.005;

export class NextColumns {
  constructor(node, onVisit) {
    this.node = node;
    this.onVisit = onVisit;
  }

  // Columns that are asked or fixed already are no news.
  show({ column, columns }, taken) {
    const seen = new Set(taken);
    const fresh = columns.filter((one) => !seen.has(one.column) && one.dependence > LEAST).slice(0, MOST);
    const lead = column ? `Most dependent on ${column}: ` : "Most dependent columns: ";
    const buttons = fresh.map((one) => html("button", {
      type: "button", class: "quiet", "data-column": one.column, onclick: () => this.onVisit(one.column),
      title: `dependence of ${one.column} and ${one.with}, from 0 to 1`,
    }, `${one.column} ${one.dependence.toFixed(2)}`));
    this.node.replaceChildren(html("span", { class: "soft" }, fresh.length ? lead : "No other column depends on it."), ...buttons);
  }

  wait() {
    this.node.replaceChildren(html("span", { class: "soft" }, "Looking for the most dependent columns …"));
  }

  clear() {
    this.node.replaceChildren();
  }
}

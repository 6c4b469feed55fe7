// Rows that fit the evidence: real ones of the table, and simulated ones.
import { significant } from "./numbers.js";
import { html } from "./svg.js";

export class Examples {
  constructor(node, { onRow, onMore }) {
    this.real = node.querySelector(".real");
    this.simulated = node.querySelector(".simulated");
    this.count = node.querySelector(".count");
    this.onRow = onRow;
    node.querySelector("[name=more]").addEventListener("click", onMore);
  }

  show(answer, columns) {
    const names = columns.map(({ name }) => name);
    this.count.textContent = answer.n_real === null ? "The model has no table beside it, so there are no real rows to show."
      : `${answer.n_real.toLocaleString("en")} real row${answer.n_real === 1 ? "" : "s"} fit${answer.n_real === 1 ? "s" : ""}.`;
    this.real.replaceChildren(...(answer.real.length ? [this.#table("Real rows", answer.real, names, answer.real_at)] : []));
    this.simulated.replaceChildren(this.#table("Simulated rows", answer.simulated, names, null));
  }

  clear(message) {
    this.count.textContent = message;
    this.real.replaceChildren();
    this.simulated.replaceChildren();
  }

  #table(title, rows, names, at) {
    const head = html("tr", {}, html("th", { scope: "col" }, "row"), ...names.map((name) => html("th", { scope: "col" }, name)));
    const lines = rows.map((row, i) => {
      const choose = () => this.onRow(row, at ? `row ${at[i]}` : `simulated row ${i + 1}`);
      const how = { type: "button", class: "quiet", title: "explain this row" };
      const button = html("button", how, at ? String(at[i]) : `s${i + 1}`);
      const cells = names.map((name) => html("td", cellClass(row[name]), shownValue(row[name])));
      return html("tr", { onclick: choose }, html("td", {}, button), ...cells);
    });
    return html("table", {}, html("caption", {}, title), html("thead", {}, head), html("tbody", {}, ...lines));
  }
}

const cellClass = (value) => (typeof value === "number" ? { class: "number" } : {});

export function shownValue(value) {
  if (value === null || value === undefined) return "missing";
  return typeof value === "number" && !Number.isInteger(value) ? significant(value, 5) : String(value);
}

// A column on the page: its name, its chart, its missing values, and whether it is asked for.
import { CategoryChart } from "./category_chart.js";
import { conditionText, isRange } from "./condition.js";
import { NumberChart } from "./number_chart.js";
import { percent } from "./numbers.js";
import { html } from "./svg.js";

// Densities keep a little for gaps that no row had; from here on a gap is worth a button.
const FEWEST_GAPS = 0.005;

export class ColumnCard {
  constructor(column, axis, { onSelect, onAsk, onTell }) {
    Object.assign(this, { column, axis, onSelect });
    const Chart = axis.labels.length ? CategoryChart : NumberChart;
    const select = (condition, how) => onSelect(column, this.#withMissing(condition), how);
    this.chart = new Chart(column, axis, { onSelect: select, onTell });
    const quiet = { type: "button", class: "quiet" };
    const title = `Ask for the probability of an event in ${column.name}`;
    this.ask = html("button", { ...quiet, title, "aria-pressed": "false", onclick: () => onAsk(column) }, "ask");
    const clear = (event) => onSelect(column, null, { passing: false, time: event.timeStamp });
    this.clear = html("button", { ...quiet, hidden: true, onclick: clear }, "clear");
    const missing = { class: "quiet missing", "aria-pressed": "false", onclick: (event) => this.#toggleMissing(event) };
    this.missing = html("button", { ...quiet, ...missing });
    this.chosen = html("p", { class: "chosen" });
    this.node = html("section", { class: "card", "data-column": column.name, "aria-label": column.name },
      html("header", {}, html("h3", { title: `${column.name} (${column.kind})` }, column.name), this.clear, this.ask),
      html("div", { class: "plot" }, this.chart.node), html("footer", {}, this.chosen, this.missing));
  }

  mark(condition, role) {
    this.condition = condition;
    this.chart.mark(condition);
    this.node.dataset.role = role;
    this.ask.setAttribute("aria-pressed", role === "event");
    this.clear.hidden = !condition;
    this.chosen.textContent = condition ? conditionText(this.column, condition) : "";
    this.chosen.title = this.chosen.textContent;
    this.missing.setAttribute("aria-pressed", Boolean(condition?.missing));
  }

  draw({ after, missing, possible }) {
    this.chart.draw({ after, possible });
    this.missing.hidden = !this.condition?.missing && Math.max(this.axis.missing_before, missing ?? 0) < FEWEST_GAPS;
    this.missing.textContent = `missing ${possible ? percent(missing) : "–"}`;
  }

  #withMissing(condition) {
    return condition && isRange(condition) && this.condition?.missing ? { ...condition, missing: true } : condition;
  }

  #toggleMissing(event) {
    const empty = this.axis.labels.length ? { labels: [] } : { low: null, high: null, lowClosed: true, highClosed: true };
    const next = { ...(this.condition ?? empty), missing: !this.condition?.missing };
    const something = next.missing || next.labels?.length || (isRange(next) && (next.low !== null || next.high !== null));
    this.onSelect(this.column, something ? next : null, { passing: false, time: event.timeStamp });
  }
}

// The shares of a column's categories, which can be clicked.
import { readEvidence } from "./expression.js";
import { percent, share } from "./numbers.js";
import { svg, update } from "./svg.js";

const WIDTH = 256;
const HEIGHT = 128;
// Rows of at least this height; few categories share the whole chart, but look odd as slabs.
const LEAST = 16;
const MOST = 26;
const LABEL = 96;
const NUMBER = 48;
const CLEARING = new Set(["Escape", "Delete", "Backspace"]);

export class CategoryChart {
  constructor(column, axis, { onSelect, onTell }) {
    Object.assign(this, { column, onSelect, onTell, axis, active: -1 });
    this.row = Math.min(MOST, Math.max(LEAST, HEIGHT / axis.labels.length));
    this.groups = groupsOf(column, axis);
    this.rows = axis.labels.map((label, i) => this.#row(String(label), i));
    this.node = svg("svg", {
      class: "categories", viewBox: `0 0 ${WIDTH} ${Math.max(HEIGHT, this.row * this.rows.length)}`, tabindex: 0, role: "listbox",
      "aria-multiselectable": "true", "aria-label": column.name, "aria-describedby": "category-keys",
      onkeydown: (event) => this.#key(event), onblur: () => this.#activate(-1),
    }, ...this.rows.map((row) => row.node));
  }

  #row(label, i) {
    const y = i * this.row;
    const base = y + this.row / 2 + 4;
    const room = 13;
    const cut = label.length > room ? `${label.slice(0, room - 1)}…` : label;
    const pale = svg("rect", { class: "before", x: LABEL, y: y + 1.5, height: this.row - 3 });
    const bar = svg("rect", { class: "after", x: LABEL, y: y + this.row * 0.28, height: this.row * 0.44 });
    const number = svg("text", { class: "share", x: WIDTH - 2, y: base, "text-anchor": "end" });
    const node = svg("g", {
      id: `option-${this.column.position}-${i}`, role: "option", "data-label": label,
      onclick: (event) => this.#toggle(i, event.timeStamp),
    }, svg("title", {}, label), svg("rect", { class: "ground", y, width: WIDTH, height: this.row }),
    svg("text", { class: "label", x: LABEL - 6, y: base, "text-anchor": "end" }, cut), pale, bar, number);
    return { node, pale, bar, number, label };
  }

  mark(condition) {
    this.condition = condition;
    this.rows.forEach((row, i) => update(row.node, { "aria-selected": this.#isChosen(i) }));
  }

  draw({ after, possible }) {
    const top = Math.max(...this.axis.before, ...(possible ? after : [0])) || 1;
    const length = (p) => ((p / top) * (WIDTH - LABEL - NUMBER)).toFixed(1);
    this.rows.forEach((row, i) => {
      const shown = possible ? share(after[i]) : "–";
      update(row.pale, { width: length(this.axis.before[i]) });
      update(row.bar, { width: possible ? length(after[i]) : 0 });
      if (row.number.textContent !== shown) row.number.textContent = shown;
      const label = `${row.label}: ${shown}, before ${percent(this.axis.before[i])}`;
      update(row.node, { "aria-label": label });
    });
  }

  #isChosen(i) {
    const labels = this.condition?.labels;
    return Boolean(labels?.length && this.groups[i].length && this.groups[i].every((label) => labels.includes(label)));
  }

  #toggle(i, time) {
    const old = this.condition?.labels ?? [];
    const group = this.groups[i];
    const kept = old.filter((label) => !group.includes(label));
    const more = this.column.categories.filter((label) => kept.includes(label) || group.includes(label));
    const labels = this.#isChosen(i) ? kept : more;
    const missing = this.condition?.missing ?? false;
    this.onSelect(labels.length || missing ? { labels, missing } : null, { passing: false, time });
  }

  #key(event) {
    const last = this.rows.length - 1;
    const steps = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1, Home: -last, End: last };
    if (event.key in steps) this.#activate(Math.min(last, Math.max(0, this.active + steps[event.key])), true);
    else if (["Enter", " "].includes(event.key) && this.active >= 0) this.#toggle(this.active, event.timeStamp);
    else if (CLEARING.has(event.key)) this.onSelect(null, { passing: false, time: event.timeStamp });
    else return;
    event.preventDefault();
  }

  #activate(i, scroll = false) {
    this.rows[this.active]?.node.classList.remove("active");
    this.active = i;
    const row = this.rows[i];
    if (!row) return this.node.removeAttribute("aria-activedescendant");
    row.node.classList.add("active");
    if (scroll) row.node.scrollIntoView({ block: "nearest" });
    return this.node.setAttribute("aria-activedescendant", row.node.id);
  }
}

// A row stands for the categories of its condition, the row of the rest for all that have none of their own.
function groupsOf(column, axis) {
  const columns = new Map([[column.name, column]]);
  const groups = axis.conditions.map((text) => readEvidence(text, columns).conditions.get(column.name)?.labels ?? null);
  const named = new Set(groups.flatMap((group) => group ?? []));
  return groups.map((group) => group ?? column.categories.filter((label) => !named.has(label)));
}

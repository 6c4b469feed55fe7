// The density of a column of numbers or dates, in which a range can be dragged.
import { draggedRange, rounded, stepOf } from "./condition.js";
import { dateShort, dateText, percent, short, significant } from "./numbers.js";
import { Scale } from "./scale.js";
import { svg, update } from "./svg.js";

const WIDTH = 256;
const HEIGHT = 128;
const BOTTOM = 18;
const SIDE = 6;
const CLICK = 3;
const DAY = 86_400_000;

export class NumberChart {
  constructor(column, axis, { onSelect, onTell }) {
    Object.assign(this, { column, onSelect, onTell, axis, cursor: null, anchor: null });
    const factor = column.kind === "datetime" ? DAY : 1;
    this.edges = axis.edges.map((edge) => edge * factor);
    this.scale = new Scale(this.edges[0], this.edges.at(-1), SIDE, WIDTH - SIDE);
    this.before = this.#heights(axis.before);
    this.#build();
  }

  #heights(probabilities) {
    if (this.axis.counted) return probabilities;
    return probabilities.map((p, i) => p / (this.axis.edges[i + 1] - this.axis.edges[i]));
  }

  #build() {
    this.pale = svg("path", { class: "before" });
    this.curve = svg("path", { class: "after" });
    this.brush = svg("rect", { class: "brush", y: 0, height: HEIGHT - BOTTOM, width: 0 });
    this.pointer = svg("line", { class: "cursor", y1: 0, y2: HEIGHT - BOTTOM, visibility: "hidden" });
    const ground = svg("rect", { class: "ground", width: WIDTH, height: HEIGHT - BOTTOM });
    this.node = svg("svg", {
      class: "numbers", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, tabindex: 0, role: "application",
      "aria-roledescription": "range chart", "aria-describedby": "range-keys",
      onpointerdown: (event) => this.#press(event), onpointermove: (event) => this.#move(event),
      onpointerup: (event) => this.#release(event), onpointercancel: () => this.#cancel(),
      onkeydown: (event) => this.#key(event), onblur: () => this.#leave(),
    }, ground, this.pale, this.curve, this.brush, this.pointer, this.#axis());
  }

  #axis() {
    const y = HEIGHT - BOTTOM;
    const span = this.scale.high - this.scale.low;
    const label = (value) => (this.column.kind === "datetime" ? dateShort(value, span) : short(value));
    const ticks = this.#ticks(span).map((value) => {
      const x = this.scale.pixel(value);
      const anchor = x < 20 ? "start" : x > WIDTH - 20 ? "end" : "middle";
      const text = svg("text", { x, y: y + 15, "text-anchor": anchor }, label(value));
      return svg("g", {}, svg("line", { x1: x, x2: x, y1: y, y2: y + 4 }), text);
    });
    const line = svg("line", { x1: SIDE, x2: WIDTH - SIDE, y1: y, y2: y });
    return svg("g", { class: "axis", "aria-hidden": "true" }, line, ...ticks);
  }

  #ticks(span) {
    if (this.column.kind !== "datetime") return this.scale.ticks(5);
    return [0, 1, 2, 3, 4].map((k) => this.scale.low + (k / 4) * span);
  }

  mark(condition) {
    this.condition = condition;
    this.#drawBrush(condition);
  }

  draw({ after, possible }) {
    const heights = possible ? this.#heights(after) : null;
    const most = Math.max(...this.before);
    const top = Math.min(Math.max(most, ...(heights ?? [0])), 3 * most) || 1;
    update(this.pale, { d: this.#path(this.before, top) });
    update(this.curve, { d: heights ? this.#path(heights, top) : "" });
    update(this.node, { "aria-label": this.#spoken(after, possible) });
  }

  #path(heights, top) {
    const ground = HEIGHT - BOTTOM;
    let path = `M${this.scale.pixel(this.edges[0]).toFixed(1)} ${ground}`;
    heights.forEach((height, i) => {
      const y = (ground - Math.min(1, height / top) * (ground - 4)).toFixed(1);
      path += `V${y}H${this.scale.pixel(this.edges[i + 1]).toFixed(1)}`;
    });
    return `${path}V${ground}Z`;
  }

  #drawBrush(condition) {
    if (!condition || (condition.low === null && condition.high === null)) return update(this.brush, { width: 0, x: 0 });
    const [from, to] = this.#ends(condition);
    return update(this.brush, { x: from.toFixed(1), width: Math.max(1.5, to - from).toFixed(1) });
  }

  // A whole number reaches half way to its neighbours.
  #ends({ low, high }) {
    const half = this.column.kind === "integer" ? 0.5 : 0;
    const from = low === null ? SIDE : Math.max(SIDE, this.scale.pixel(low - half));
    const to = high === null ? WIDTH - SIDE : Math.min(WIDTH - SIDE, this.scale.pixel(high + half));
    return [Math.min(from, WIDTH - SIDE), Math.max(to, SIDE)];
  }

  #value(event) {
    const box = this.node.getBoundingClientRect();
    return this.scale.value(((event.clientX - box.left) / box.width) * WIDTH);
  }

  #press(event) {
    if (event.button !== 0) return;
    this.node.setPointerCapture(event.pointerId);
    this.pressed = { x: event.clientX, value: this.#value(event), dragged: false, before: this.condition };
  }

  #move(event) {
    if (!this.pressed) return;
    if (Math.abs(event.clientX - this.pressed.x) > CLICK) this.pressed.dragged = true;
    if (!this.pressed.dragged) return;
    this.#choose(this.pressed.value, this.#value(event), { passing: true, time: event.timeStamp });
  }

  #release(event) {
    if (!this.pressed) return;
    const { value, dragged } = this.pressed;
    this.pressed = null;
    if (dragged) this.#choose(value, this.#value(event), { passing: false, time: event.timeStamp });
    else if (this.condition) this.onSelect(null, { passing: false, time: event.timeStamp });
    else this.#chooseBin(value, event.timeStamp);
  }

  // The system took the pointer away, as for scrolling: what was chosen before holds.
  #cancel() {
    if (this.pressed?.dragged) this.onSelect(this.pressed.before, { passing: false, time: performance.now() });
    this.pressed = null;
  }

  #choose(one, other, how) {
    const range = draggedRange(this.column, this.scale, one, other);
    this.#drawBrush(range);
    this.onSelect(range, how);
  }

  // A click without a drag takes the bin under it.
  #chooseBin(value, time) {
    const i = this.#binOf(value);
    this.#choose(...this.#placesOf(i, i), { passing: false, time });
  }

  // The ends of some bins; of whole numbers a little inside, since edges lie half way between two of them.
  #placesOf(from, to) {
    const [low, high] = [this.edges[from], this.edges[to + 1]];
    const [first, last] = [from === 0, to === this.edges.length - 2];
    const inside = this.column.kind === "integer" ? 1e-3 : 0;
    return [first ? low : low + inside, last ? high : high - inside];
  }

  #binOf(value) {
    const i = this.edges.findIndex((edge) => edge > value);
    return Math.max(0, (i < 0 ? this.edges.length - 1 : i) - 1);
  }

  #key(event) {
    const last = this.edges.length - 2;
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageDown: -10, PageUp: 10, Home: -last, End: last };
    if (event.key in steps) this.#step(steps[event.key], last, event.shiftKey);
    else if (event.key === "Enter" || event.key === " ") this.#enter(event);
    else if (["Escape", "Delete", "Backspace"].includes(event.key)) this.#clear(event);
    else return;
    event.preventDefault();
  }

  #step(by, last, extend) {
    const at = this.cursor ?? (by > 0 ? -1 : last + 1);
    if (extend) this.anchor ??= Math.min(last, Math.max(0, at));
    this.cursor = Math.min(last, Math.max(0, at + by));
    const middle = (this.edges[this.cursor] + this.edges[this.cursor + 1]) / 2;
    const x = this.scale.pixel(middle);
    update(this.pointer, { x1: x, x2: x, visibility: "visible" });
    if (this.anchor !== null) this.#drawBrush(this.#between());
    this.onTell(`${this.column.name} ${this.#shown(this.#placesOf(this.cursor, this.cursor)[0])}`);
  }

  #between() {
    const [from, to] = [Math.min(this.anchor, this.cursor), Math.max(this.anchor, this.cursor)];
    return draggedRange(this.column, this.scale, ...this.#placesOf(from, to));
  }

  // The first Enter begins a range, the second makes it evidence.
  #enter(event) {
    if (this.cursor === null) return;
    if (this.anchor === null) {
      this.anchor = this.cursor;
      this.#drawBrush(this.#between());
      this.onTell(`range begins at ${this.#shown(this.edges[this.cursor])}; arrow keys extend it, Enter sets it`);
      return;
    }
    const range = this.#between();
    this.anchor = null;
    this.onSelect(range, { passing: false, time: event.timeStamp });
  }

  #clear(event) {
    this.anchor = null;
    this.onSelect(null, { passing: false, time: event.timeStamp });
  }

  #leave() {
    this.anchor = null;
    update(this.pointer, { visibility: "hidden" });
    this.#drawBrush(this.condition);
  }

  #shown(value) {
    if (this.column.kind === "datetime") return dateText(value, this.scale.high - this.scale.low);
    return significant(rounded(value, stepOf(this.column, this.scale)), 6);
  }

  #spoken(after, possible) {
    if (!possible) return `${this.column.name}: no density under this evidence`;
    let sum = 0;
    const total = after.reduce((a, b) => a + b, 0);
    const middle = after.findIndex((p) => (sum += p) >= total / 2);
    const median = this.#shown(this.edges[Math.max(0, middle)]);
    return `${this.column.name}: median about ${median}, ${percent(1 - total)} outside of the chart or missing`;
  }
}

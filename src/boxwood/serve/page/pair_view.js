// The joint density of two columns under the evidence, as a map.
import { dateShort, percent, short } from "./numbers.js";
import { Scale } from "./scale.js";
import { html, svg } from "./svg.js";

const WIDTH = 520;
const HEIGHT = 380;
const LEFT = 96;
const BOTTOM = 46;
const DAY = 86_400_000;

export class PairView {
  constructor(node, onChoose) {
    this.selects = [node.querySelector("[name=x]"), node.querySelector("[name=y]")];
    this.map = node.querySelector(".map");
    this.note = node.querySelector(".note");
    const choose = () => onChoose({ x: this.selects[0].value, y: this.selects[1].value });
    for (const select of this.selects) select.addEventListener("change", choose);
  }

  setColumns(columns) {
    const options = () => columns.map(({ name }) => html("option", { value: name }, name));
    for (const select of this.selects) select.replaceChildren(...options());
  }

  choose(x, y) {
    this.selects[0].value = x;
    this.selects[1].value = y;
  }

  clear(message) {
    this.note.textContent = message;
    this.map.replaceChildren();
  }

  draw(answer) {
    const [x, y] = [new PairAxis(answer.x, LEFT, WIDTH - 8), new PairAxis(answer.y, HEIGHT - BOTTOM, 8)];
    const heights = answer.probabilities.map((row, j) => row.map((p, i) => p / (x.width(i) * y.width(j))));
    const top = Math.max(...heights.flat()) || 1;
    const cells = heights.flatMap((row, j) => row.map((height, i) => cell(x.span(i), y.span(j), height / top,
      () => `${x.labelOf(i)}, ${y.labelOf(j)}: ${percent(answer.probabilities[j][i])}`)));
    const map = svg("g", { class: "cells", "shape-rendering": "crispEdges" }, ...cells.filter(Boolean));
    const how = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": spoken(answer) };
    const picture = svg("svg", how, map, axisNode(x, "x", answer.x.name), axisNode(y, "y", answer.y.name));
    this.map.replaceChildren(picture);
    this.note.textContent = answer.missing > 0 ? `One of them is missing with probability ${percent(answer.missing)}.` : "";
  }
}

class PairAxis {
  constructor({ kind, counted, edges, labels, conditions }, from, to) {
    const n = labels.length || edges.length - 1;
    const factor = kind === "datetime" ? DAY : 1;
    const ends = labels.length ? [...Array(n + 1).keys()] : edges.map((edge) => edge * factor);
    Object.assign(this, { kind, labels, ends, conditions, counted: counted || labels.length > 0, edges, from, to });
    this.scale = new Scale(ends[0], ends.at(-1), from, to);
  }

  span(i) {
    return [this.scale.pixel(this.ends[i]), this.scale.pixel(this.ends[i + 1])];
  }

  // A density is per unit of the axis; of counted values and categories the probability itself is drawn.
  width(i) {
    return this.counted ? 1 : this.edges[i + 1] - this.edges[i];
  }

  labelOf(i) {
    return this.conditions[i];
  }

  marks() {
    if (this.labels.length) {
      return this.labels.map((label, i) => ({ at: (this.span(i)[0] + this.span(i)[1]) / 2, text: String(label) }));
    }
    const span = this.scale.high - this.scale.low;
    const isDate = this.kind === "datetime";
    const values = isDate ? [0, 1, 2, 3, 4].map((k) => this.scale.low + (k / 4) * span) : this.scale.ticks(6);
    const text = (value) => (isDate ? dateShort(value, span) : short(value));
    return values.map((value) => ({ at: this.scale.pixel(value), text: text(value) }));
  }
}

// The root of the density tells its low parts apart, which a linear scale hides beside a peak.
function cell([x1, x2], [y1, y2], height, describe) {
  if (height < 1e-5) return null;
  return svg("rect", {
    x: Math.min(x1, x2).toFixed(2), y: Math.min(y1, y2).toFixed(1), width: Math.abs(x2 - x1).toFixed(1),
    height: Math.abs(y2 - y1).toFixed(1), "fill-opacity": Math.sqrt(height).toFixed(3),
  }, svg("title", {}, describe()));
}

function axisNode(axis, which, name) {
  const flat = which === "x";
  const bottom = HEIGHT - BOTTOM;
  const marks = axis.marks();
  const room = Math.abs(axis.to - axis.from) / marks.length;
  const letters = flat ? Math.max(3, Math.floor(room / 6.2)) : 14;
  const cut = (text) => (text.length > letters ? `${text.slice(0, letters - 1)}…` : text);
  const every = Math.ceil(13 / (flat ? Math.max(room, 22) : room));
  const texts = marks.filter((_, i) => i % every === 0).map(({ at, text }) => (flat
    ? svg("text", { x: at, y: HEIGHT - BOTTOM + 16, "text-anchor": "middle" }, cut(text))
    : svg("text", { x: LEFT - 6, y: at + 4, "text-anchor": "end" }, cut(text))));
  const title = flat
    ? svg("text", { class: "name", x: (LEFT + WIDTH) / 2, y: HEIGHT - 8, "text-anchor": "middle" }, name)
    : svg("text", { class: "name", transform: `translate(12 ${bottom / 2}) rotate(-90)`, "text-anchor": "middle" }, name);
  const line = flat ? { x1: LEFT, x2: WIDTH - 8, y1: bottom, y2: bottom } : { x1: LEFT, x2: LEFT, y1: 8, y2: bottom };
  return svg("g", { class: "axis" }, svg("line", line), ...texts, title);
}

function spoken({ x, y, probabilities }) {
  let most = { p: -1 };
  probabilities.forEach((row, j) => row.forEach((p, i) => { if (p > most.p) most = { p, i, j }; }));
  const part = `${x.conditions[most.i]}, ${y.conditions[most.j]} with ${percent(most.p)}`;
  return `Joint density of ${x.name} and ${y.name}; its most probable part is ${part}.`;
}

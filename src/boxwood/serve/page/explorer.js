// The page: state in, requests out, answers drawn.
import { AnswerPanel } from "./answer.js";
import { Latest, get, post } from "./api.js";
import { ColumnCard } from "./column_card.js";
import { conditionText } from "./condition.js";
import { CopyLines } from "./copy_lines.js";
import { Examples } from "./examples.js";
import { Explanation, usualSurprise } from "./explanation.js";
import { readEvidence } from "./expression.js";
import { NextColumns } from "./next_columns.js";
import { measureUntilPainted } from "./paint.js";
import { PairView } from "./pair_view.js";
import { QueryBar } from "./query_bar.js";
import { State } from "./state.js";

// Views beside the charts are asked for once the input rests, in milliseconds.
const REST = 200;
const N_EXAMPLES = 5;
const N_BINS = 40;
// Simulated rows that tell what surprise is usual in a column.
const N_USUAL = 60;

const find = (selector) => document.querySelector(selector);

class Explorer {
  constructor() {
    this.state = new State((now, how) => this.refresh(now, how));
    this.bar = new QueryBar(find("#query"), (asked, time) => this.#askText(asked, time));
    this.panel = new AnswerPanel(find("#answer"));
    this.lines = new CopyLines(find("#lines"), (text) => this.tell(text));
    this.pair = new PairView(find("#pair"), (names) => this.state.set(names));
    this.next = new NextColumns(find("#next"), (name) => this.#visit(name));
    this.explanation = new Explanation(find("#explanation"));
    const handlers = { onRow: (row, title) => this.#explain(row, title), onMore: () => this.#moreExamples() };
    this.examples = new Examples(find("#examples"), handlers);
    this.seed = 0;
    this.accepted = { given: "", event: "" };
    this.inSight = new Set();
    this.drawn = null;
    this.#makeRequests();
    this.#listen();
  }

  #makeRequests() {
    const draw = (answer, note) => this.#draw(answer, note);
    this.conditionals = new Latest("conditionals", draw, (error, note) => this.#refuse(error, note));
    this.beside = new AbortController();
  }

  #listen() {
    find("#undo").addEventListener("click", () => this.state.undo());
    find("#redo").addEventListener("click", () => this.state.redo());
    find("#clear").addEventListener("click", () => this.state.set({ given: "", event: "", ask: "" }));
    addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.target.matches("input")) return;
      const key = event.key.toLowerCase();
      if (key === "z" && !event.shiftKey) this.state.undo();
      else if (key === "y" || key === "z") this.state.redo();
      else return;
      event.preventDefault();
    });
  }

  async start() {
    const description = await get("describe");
    this.columns = description.columns.map((column, position) => ({ ...column, position }));
    this.byName = new Map(this.columns.map((column) => [column.name, column]));
    find("#about").textContent = aboutText(description);
    this.pair.setColumns(this.columns);
    const { columns: axes } = await post("conditionals", { given: null, axes: true });
    const how = {
      onSelect: (column, condition, timing) => this.#select(column, condition, timing),
      onAsk: (column) => this.#askColumn(column), onTell: (text) => this.tell(text),
    };
    axes.forEach((axis, i) => { this.columns[i].zoned = isZoned(axis); });
    this.cards = axes.map((axis) => new ColumnCard(this.byName.get(axis.name), axis, how));
    find("#columns").replaceChildren(...this.cards.map((card) => card.node));
    this.#watchSight();
    this.refresh(this.state.now, { passing: false, time: performance.now() });
  }

  // During a drag only charts in sight are asked for. A chart that comes into sight meanwhile is asked for then,
  // and when the drag ends all are.
  #watchSight() {
    const watch = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        this.inSight[isIntersecting ? "add" : "delete"](target.dataset.column);
      }
      const isNew = entries.some(({ target, isIntersecting }) => isIntersecting && !this.drawn?.has(target.dataset.column));
      if (this.drawn && isNew) this.refresh(this.state.now, { passing: true, time: performance.now() });
    });
    for (const card of this.cards) watch.observe(card.node);
  }

  tell(text) {
    find("#live").textContent = text;
  }

  refresh(now, { passing, time }) {
    this.bar.show(now);
    this.#mark(now);
    find("#undo").disabled = this.state.past.length === 0;
    find("#redo").disabled = this.state.future.length === 0;
    const only = passing && this.inSight.size ? [...this.inSight] : null;
    const body = { given: now.given || null, event: now.event || null, only, axes: false, intervals: false };
    this.conditionals.ask(body, { now, passing, time }, !passing);
    this.beside.abort();
  }

  // What is chosen is shown at once; what follows from it, when the answer comes.
  #mark(now) {
    const { conditions } = readEvidence(now.given, this.byName);
    const event = readEvidence(now.event, this.byName).conditions;
    for (const card of this.cards) {
      const name = card.column.name;
      const role = now.ask === name ? "event" : conditions.has(name) ? "evidence" : "";
      card.mark((now.ask === name ? event : conditions).get(name) ?? null, role);
    }
  }

  #draw(answer, { now, passing, time }) {
    const found = new Map(answer.columns.map((column) => [column.name, column]));
    for (const card of this.cards) {
      const column = found.get(card.column.name);
      if (answer.possible && !column) continue;
      card.draw({ after: column?.after ?? null, missing: column?.missing_after ?? null, possible: answer.possible });
    }
    // While some charts are behind, which ones are not.
    this.drawn = answer.possible && found.size < this.cards.length ? found : null;
    this.panel.show(answer, now);
    this.lines.show(answer.copy);
    this.accepted = now;
    document.body.dataset.shown = JSON.stringify([now.given, now.event]);
    measureUntilPainted(time);
    if (!passing) this.#settle(answer, now);
  }

  #settle(answer, now) {
    this.tell(this.panel.spoken(answer, now));
    if (!answer.possible) {
      this.next.clear();
      this.pair.clear("No rows can fit this evidence.");
      this.examples.clear("No rows can fit this evidence.");
      return;
    }
    this.beside = new AbortController();
    this.#askBeside(now, this.beside.signal);
  }

  // What takes longer than the charts comes after them and one by one, so that the server has a thread left for
  // the next drag, which gives up what is still to come.
  async #askBeside(now, signal) {
    const given = now.given || null;
    const asked = { given, event: now.event || null, axes: false, columns: false, intervals: true };
    await this.#ask("conditionals", asked, (answer) => this.panel.showSureness(answer), signal);
    await new Promise((resolve) => { setTimeout(resolve, REST); });
    const rows = { given, n: N_EXAMPLES, seed: this.seed };
    await this.#ask("examples", rows, (answer) => this.examples.show(answer, this.columns), signal);
    await this.#askPair(now, signal);
    if (!signal.aborted) this.next.wait();
    const taken = [...readEvidence(now.given, this.byName).conditions.keys(), now.ask];
    const body = { given, column: now.ask || null };
    const found = await this.#ask("dependent", body, (answer) => this.next.show(answer, taken), signal);
    if (!found && !signal.aborted) this.next.clear();  // of many columns it can take longer than the server allows
  }

  async #askPair(now, signal) {
    const [x, y] = this.#pairOf(now);
    if (signal.aborted) return;
    this.pair.choose(x, y);
    if (x === y) this.pair.clear("Choose two different columns.");
    const body = { x, y, given: now.given || null, n_bins: N_BINS };
    if (x !== y) await this.#ask("pair", body, (answer) => this.pair.draw(answer), signal);
  }

  async #ask(path, body, show, signal) {
    if (signal.aborted) return false;
    try {
      show(await post(path, body, signal));
      return true;
    } catch (error) {
      if (error.name !== "AbortError") this.tell(error.message);
      return false;
    }
  }

  // Unless chosen: what is asked beside the first column of numbers.
  #pairOf({ x, y, ask }) {
    const numbers = this.columns.filter((column) => ["numeric", "integer", "datetime"].includes(column.kind));
    const names = [...numbers, ...this.columns].map((column) => column.name);
    const first = this.byName.has(x) ? x : names[0];
    const other = ask !== first && this.byName.has(ask) ? ask : names.find((name) => name !== first);
    return [first, this.byName.has(y) ? y : other ?? first];
  }

  #refuse(error, { now }) {
    this.bar.refuse(error, now.event !== this.accepted.event && now.given === this.accepted.given);
    this.tell(error.message);
  }

  #select(column, condition, timing) {
    if (this.state.now.ask === column.name) {
      this.state.set({ event: condition ? conditionText(column, condition) : "" }, timing);
      return;
    }
    this.state.set({ given: this.#evidenceWith(column, condition) }, timing);
  }

  #evidenceWith(column, condition) {
    const { texts, rest } = readEvidence(this.state.now.given, this.byName);
    if (condition) texts.set(column.name, conditionText(column, condition));
    else texts.delete(column.name);
    const joined = [...texts.values(), ...rest.map(inBrackets)];
    return joined.length === 1 && rest.length === 1 ? rest[0] : joined.join(" and ");
  }

  // What was evidence in a column becomes the event when the column is asked for.
  #askColumn(column) {
    if (this.state.now.ask === column.name) {
      this.state.set({ ask: "", event: "" });
      return;
    }
    const known = readEvidence(this.state.now.given, this.byName).conditions.get(column.name);
    const event = known ? conditionText(column, known) : "";
    this.state.set({ ask: column.name, event, given: known ? this.#evidenceWith(column, null) : this.state.now.given });
    if (!known) this.tell(`Choose the event in the chart of ${column.name}.`);
  }

  #askText({ event, given }, time) {
    const { conditions, rest } = readEvidence(event, this.byName);
    const ask = conditions.size === 1 && rest.length === 0 ? [...conditions.keys()][0] : event ? "" : this.state.now.ask;
    this.state.set({ event, given, ask }, { time });
  }

  #visit(name) {
    const card = this.cards.find((one) => one.column.name === name);
    card.node.scrollIntoView({ block: "center" });
    card.chart.node.focus();
  }

  #moreExamples() {
    this.seed += 1;
    const body = { given: this.state.now.given || null, n: N_EXAMPLES, seed: this.seed };
    this.#ask("examples", body, (answer) => this.examples.show(answer, this.columns), this.beside.signal);
  }

  async #explain(row, title) {
    try {
      this.usual ??= await usualOfModel();
      const { rows } = await post("explain", { rows: [row] });
      this.tell(this.explanation.show(rows[0], this.usual, title));
    } catch (error) {
      this.explanation.refuse(error.message);
    }
  }
}

async function usualOfModel() {
  const { rows } = await post("sample", { n: N_USUAL, seed: 0 });
  return usualSurprise((await post("explain", { rows })).rows);
}

function aboutText({ model, n_rows: rows, columns }) {
  const size = rows === null ? "" : `${Math.round(rows).toLocaleString("en")} rows, `;
  return `${model} of ${size}${columns.length} columns`;
}

// Dates of a column with a time zone are written with their offset.
const isZoned = ({ kind, conditions }) => kind === "datetime" && conditions.some((text) => /[+-]\d\d:\d\d'/.test(text));

const inBrackets = (text) => (/\b(or|OR)\b/.test(text) && !/^\(.*\)$/.test(text) ? `(${text})` : text);

const explorer = new Explorer();
explorer.start().catch((error) => {
  find("#about").textContent = `The page could not start: ${error.message}`;
  throw error;
});

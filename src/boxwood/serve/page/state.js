// What is asked: evidence, event and pair, as text in the URL's fragment, with a history to undo.
const NAMES = ["given", "event", "ask", "x", "y"];
const MOST_KEPT = 200;

export function readFragment(fragment) {
  const read = new URLSearchParams(fragment.replace(/^#/, ""));
  return Object.fromEntries(NAMES.map((name) => [name, read.get(name) ?? ""]));
}

export function writeFragment(values) {
  const written = new URLSearchParams(NAMES.filter((name) => values[name]).map((name) => [name, values[name]]));
  return `#${written}`;
}

export class State {
  constructor(onChange) {
    this.onChange = onChange;
    this.now = readFragment(location.hash);
    this.past = [];
    this.future = [];
    addEventListener("hashchange", () => {
      if (writeFragment(this.now) !== location.hash) this.#become(readFragment(location.hash), { keep: true });
    });
  }

  // `passing` values (a drag under way) are shown, but neither kept in the history nor in the URL.
  set(changes, { passing = false, time = performance.now() } = {}) {
    const next = { ...this.now, ...changes };
    if (passing) {
      this.before ??= this.now;
      this.now = next;
      this.onChange(next, { passing, time });
      return;
    }
    const before = this.before ?? this.now;
    delete this.before;
    this.now = before;
    if (writeFragment(before) === writeFragment(next)) this.onChange(next, { passing, time });
    else this.#become(next, { keep: true, time });
  }

  undo() {
    if (!this.past.length) return;
    this.future.push(this.now);
    this.#become(this.past.pop(), { keep: false });
  }

  redo() {
    if (!this.future.length) return;
    this.past.push(this.now);
    this.#become(this.future.pop(), { keep: false });
  }

  #become(next, { keep, time = performance.now() }) {
    if (keep) {
      this.past = [...this.past, this.now].slice(-MOST_KEPT);
      this.future = [];
    }
    this.now = next;
    history.replaceState(null, "", writeFragment(next));
    this.onChange(next, { passing: false, time });
  }
}

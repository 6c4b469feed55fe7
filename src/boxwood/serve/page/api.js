// Requests to the server that served the page, and to no other.
export class Refusal extends Error {
  constructor(status, { code, message, start = null, end = null }) {
    super(message);
    Object.assign(this, { status, code, start, end });
  }
}

async function answerOf(response) {
  const body = await response.json();
  if (!response.ok) throw new Refusal(response.status, body.error);
  return body;
}

export async function get(path) {
  return answerOf(await fetch(path));
}

export async function post(path, body, signal = null) {
  const headers = { "content-type": "application/json" };
  return answerOf(await fetch(path, { method: "POST", headers, body: JSON.stringify(body), signal }));
}

const PAUSE = 250;

// Asks one thing at a time. A newer question waits for the answer under way and replaces one that waits; so a
// drag is redrawn as often as the server can answer. With `urgent` the answer under way is given up.
export class Latest {
  constructor(path, onAnswer, onRefusal) {
    Object.assign(this, { path, onAnswer, onRefusal, waiting: null, running: null });
  }

  ask(body, note = null, urgent = false) {
    this.waiting = { body, note };
    if (this.running && urgent) this.running.abort();
    if (!this.running) this.#next();
  }

  async #next() {
    while (this.waiting) {
      const { body, note } = this.waiting;
      this.waiting = null;
      this.running = new AbortController();
      const answer = await this.#answer(body, note);
      const givenUp = this.running.signal.aborted;
      this.running = null;
      if (answer && !givenUp) this.onAnswer(answer, note);
    }
  }

  async #answer(body, note) {
    try {
      return await post(this.path, body, this.running.signal);
    } catch (error) {
      if (error.code === "busy") await this.#again(body, note);
      else if (error.name !== "AbortError") this.onRefusal(error, note);
      return null;
    }
  }

  // A busy server is asked once more, unless a newer question came meanwhile.
  async #again(body, note) {
    await new Promise((resolve) => { setTimeout(resolve, PAUSE); });
    this.waiting ??= { body, note };
  }
}

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
      try {
        const answer = await post(this.path, body, this.running.signal);
        if (!this.running.signal.aborted) this.onAnswer(answer, note);
      } catch (error) {
        if (error.name !== "AbortError") this.onRefusal(error, note);
      }
      this.running = null;
    }
  }
}

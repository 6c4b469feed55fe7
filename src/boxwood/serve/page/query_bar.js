// The query as text, P(event | evidence), to read and to edit.
import { tokens } from "./expression.js";

export class QueryBar {
  constructor(form, onAsk) {
    this.form = form;
    this.event = form.elements.event;
    this.given = form.elements.given;
    this.refusal = form.querySelector(".refusal");
    form.addEventListener("submit", (submitted) => {
      submitted.preventDefault();
      onAsk(this.#read(), submitted.timeStamp);
    });
    for (const field of [this.event, this.given]) field.addEventListener("change", () => form.requestSubmit());
  }

  // A whole question pasted into either field is taken apart.
  #read() {
    const parts = wholeQuestion(this.event.value) ?? wholeQuestion(this.given.value);
    return parts ?? { event: this.event.value.trim(), given: this.given.value.trim() };
  }

  show({ event, given }) {
    if (this.event.value !== event) this.event.value = event;
    if (this.given.value !== given) this.given.value = given;
    this.accept();
  }

  accept() {
    this.refusal.textContent = "";
    for (const field of [this.event, this.given]) field.removeAttribute("aria-invalid");
  }

  // Says what is wrong, and selects it in the field whose text it is.
  refuse(error, isEvent) {
    const field = isEvent ? this.event : this.given;
    this.refusal.textContent = error.message;
    field.setAttribute("aria-invalid", "true");
    if (error.start !== null && document.activeElement === field) field.setSelectionRange(error.start, error.end);
  }
}

export function wholeQuestion(text) {
  const found = tokens(text);
  const sign = (token, value) => token?.type === "sign" && token.value === value;
  if (!/^P$/.test(found[0]?.value) || !sign(found[1], "(") || !sign(found.at(-1), ")")) return null;
  const bar = found.find((token) => sign(token, "|"));
  const from = found[1].end;
  const to = found.at(-1).start;
  return { event: text.slice(from, bar?.start ?? to).trim(), given: bar ? text.slice(bar.end, to).trim() : "" };
}

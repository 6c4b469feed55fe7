// The question as a line of Python, of the command line and of SQL.
import { html } from "./svg.js";

const TITLES = { python: "Python", cli: "Command line", sql: "SQL" };

export class CopyLines {
  constructor(node, onTell) {
    this.codes = {};
    const rows = Object.entries(TITLES).map(([name, title]) => {
      const code = html("code", { "data-language": name });
      this.codes[name] = code;
      const copy = async () => {
        await navigator.clipboard.writeText(code.textContent);
        onTell(`${title} line copied`);
      };
      const how = { type: "button", class: "quiet", "aria-label": `Copy the ${title} line`, onclick: copy };
      const shown = html("pre", { tabindex: 0 }, code);
      return html("div", { class: "line" }, html("span", { class: "soft" }, title), shown, html("button", how, "copy"));
    });
    node.append(...rows);
  }

  show(copy) {
    for (const [name, code] of Object.entries(this.codes)) code.textContent = copy[name];
  }
}

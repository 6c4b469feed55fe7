// A condition on one column: a range or a set of labels, and how it is written in boxwood's grammar.
//
// A range is {low, high, lowClosed, highClosed, missing} with null for an open end, dates in milliseconds; a set
// is {labels, missing}.
import { dateLiteral } from "./numbers.js";
import { roundStep } from "./scale.js";

const KEYWORDS = new Set(["and", "or", "not", "in", "is", "true", "false", "AND", "OR", "NOT", "IN", "IS", "True", "False"]);

export function isRange(condition) {
  return condition !== null && !("labels" in condition);
}

export function quotedName(name) {
  const plain = /^[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}_][\p{L}\p{N}_]*)*$/u.test(name) && !KEYWORDS.has(name);
  return plain ? name : `\`${escaped(name)}\``;
}

export function literal(label) {
  return typeof label === "string" ? `'${escaped(label)}'` : String(label);
}

const escaped = (text) => text.replace(/[\\'`]/g, (found) => `\\${found}`);

export function conditionText(column, condition) {
  const name = quotedName(column.name);
  const parts = isRange(condition) ? rangeParts(name, column, condition) : labelParts(name, condition.labels);
  if (condition.missing) parts.push(`${name} is missing`);
  return parts.length === 1 ? parts[0] : `(${parts.join(" or ")})`;
}

function labelParts(name, labels) {
  if (labels.length === 0) return [];
  return [labels.length === 1 ? `${name} == ${literal(labels[0])}` : `${name} in [${labels.map(literal).join(", ")}]`];
}

function rangeParts(name, column, { low, high, lowClosed, highClosed }) {
  if (low === null && high === null) return [];
  const text = (value) => (column.kind === "datetime" ? dateLiteral(value, column.zoned) : String(value));
  if (low === high) return [`${name} == ${text(low)}`];
  if (low === null) return [`${name} ${highClosed ? "<=" : "<"} ${text(high)}`];
  if (high === null) return [`${name} ${lowClosed ? ">=" : ">"} ${text(low)}`];
  return [`${text(low)} ${lowClosed ? "<=" : "<"} ${name} ${highClosed ? "<=" : "<"} ${text(high)}`];
}

// The range between two places of a chart: its ends round, whole where the column is; a place at the chart's
// own end leaves it open.
export function draggedRange(column, scale, one, other) {
  const [from, to] = one <= other ? [one, other] : [other, one];
  const end = 1e-6 * (scale.high - scale.low);
  const whole = column.kind === "integer";
  const step = stepOf(column, scale);
  const low = from <= scale.low + end ? null : rounded(from, step);
  const high = to >= scale.high - end ? null : rounded(to, step);
  if (low === null && high === null) return null;
  return { low, high, lowClosed: true, highClosed: whole || low === high, missing: false };
}

// Ends are as round as a chart can tell apart: about a 400th of its width.
export function stepOf(column, scale) {
  if (column.kind === "integer") return Math.max(1, roundStep((scale.high - scale.low) / 400));
  if (column.kind === "datetime") return dateStep(scale.high - scale.low);
  return roundStep((scale.high - scale.low) / 400);
}

function dateStep(span) {
  const steps = [86_400_000, 3_600_000, 60_000, 1000];
  return steps.find((step) => span / step >= 60) ?? 1;
}

export function rounded(value, step) {
  return Number((Math.round(value / step) * step).toPrecision(12));
}

// Evidence as text: which of its conditions a chart can show, and the rest as it was written.
import { dateNumber } from "./numbers.js";

const BACKTICKS = "`(?:\\\\.|[^`\\\\])*`";
const QUOTES = `'(?:\\\\.|[^'\\\\])*'|"(?:\\\\.|[^"\\\\])*"`;
const NUMBER = "(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?";
const WORD = "[\\p{L}_][\\p{L}\\p{N}_]*(?:\\.[\\p{L}_][\\p{L}\\p{N}_]*)*";
const TOKEN = new RegExp(`\\s*(?:(${BACKTICKS})|(${QUOTES})|(${NUMBER})|(${WORD})|(==|!=|<=|>=|\\S))`, "uy");
const COMPARISONS = new Set(["==", "=", "<", "<=", ">", ">="]);
const MIRRORED = { "<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "=": "=" };
const OPEN = { low: null, high: null, lowClosed: true, highClosed: true, missing: false };
const MISSING = new Set(["missing", "null", "None"]);

export function tokens(text) {
  const found = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const [whole, back, quoted, number, word, sign] = match;
    const start = match.index + whole.length - whole.trimStart().length;
    const [type, value] = back ? ["name", unquoted(back)] : quoted ? ["text", unquoted(quoted)]
      : number ? ["number", Number(number.replaceAll("_", ""))] : word ? ["word", word] : ["sign", sign];
    found.push({ type, value, start, end: TOKEN.lastIndex });
  }
  return found;
}

const unquoted = (text) => text.slice(1, -1).replace(/\\(.)/gs, "$1");

// Splits evidence at its outermost "and"s (commas too) into conditions by column, with their texts, and a rest.
export function readEvidence(text, columns) {
  const [conditions, texts, rest] = [new Map(), new Map(), []];
  for (const part of conjuncts(tokens(text)).filter((tokensOfPart) => tokensOfPart.length)) {
    const found = readCondition(part, columns);
    const source = text.slice(part[0].start, part.at(-1).end);
    if (!found || conditions.has(found.column.name)) rest.push(source);
    else {
      conditions.set(found.column.name, found.condition);
      texts.set(found.column.name, source);
    }
  }
  return { conditions, texts, rest };
}

function conjuncts(all) {
  const parts = [[]];
  let depth = 0;
  let hasOr = false;
  for (const token of all) {
    if (token.type === "sign" && "([".includes(token.value)) depth += 1;
    if (token.type === "sign" && ")]".includes(token.value)) depth -= 1;
    const joins = depth === 0 && (is(token, "and", "AND") || (token.type === "sign" && token.value === ","));
    if (depth === 0 && is(token, "or", "OR")) hasOr = true;
    if (joins) parts.push([]);
    else parts.at(-1).push(token);
  }
  return hasOr ? [all] : parts;
}

const is = (token, ...words) => token?.type === "word" && words.includes(token.value);
const isSign = (token, value) => token?.type === "sign" && token.value === value;

function readCondition(part, columns) {
  const inner = isSign(part[0], "(") && isSign(part.at(-1), ")") ? part.slice(1, -1) : part;
  const pieces = [[]];
  for (const token of inner) {
    if (is(token, "or", "OR")) pieces.push([]);
    else pieces.at(-1).push(token);
  }
  const read = pieces.map((piece) => readSimple(piece, columns));
  if (read.length === 0 || read.some((one) => one === null)) return null;
  return read.length === 1 ? read[0] : withMissing(read);
}

// "a in [...] or a is missing" is one condition.
function withMissing(read) {
  const [first, second, ...more] = read;
  if (more.length || first.column !== second.column || !gap(second) || gap(first)) return null;
  return { column: first.column, condition: { ...first.condition, missing: true } };
}

function gap({ condition: { missing, labels, low, high } }) {
  return missing && (labels?.length === 0 || (low === null && high === null));
}

function readSimple(piece, columns) {
  const at = piece.findIndex((token) => token.type === "name" || (token.type === "word" && columns.has(token.value)));
  const column = at < 0 ? undefined : columns.get(piece[at].value);
  if (!column) return null;
  const before = piece.slice(0, at);
  const after = piece.slice(at + 1);
  const condition = !before.length && is(after[0], "is") ? readMissing(column, after)
    : !before.length && is(after[0], "in", "IN") ? readList(column, after)
    : !before.length && !after.length && column.kind === "boolean" ? { labels: [true], missing: false }
    : readComparisons(column, before, after);
  return condition && { column, condition };
}

const isNumber = (column) => ["numeric", "integer", "datetime"].includes(column.kind);

function readMissing(column, after) {
  if (after.length !== 2 || !MISSING.has(after[1].value)) return null;
  return { ...(isNumber(column) ? OPEN : { labels: [] }), missing: true };
}

function readList(column, after) {
  if (isNumber(column) || !(isSign(after[1], "[") || isSign(after[1], "("))) return null;
  const labels = after.slice(2, -1).filter((token) => !isSign(token, ",")).map((token) => labelOf(column, token));
  return labels.includes(undefined) ? null : { labels, missing: false };
}

function labelOf(column, token) {
  const value = is(token, "true", "True") ? true : is(token, "false", "False") ? false : token.value;
  return column.categories.includes(value) ? value : undefined;
}

function readComparisons(column, before, after) {
  const low = before.length ? bound(before.at(-1), before.slice(0, -1), true) : null;
  const high = after.length ? bound(after[0], after.slice(1), false) : null;
  if ((before.length && !low) || (after.length && !high) || (!low && !high)) return null;
  return isNumber(column) ? rangeOf(column, [low, high].filter(Boolean)) : labelComparison(column, low ?? high, low && high);
}

function bound(sign, operand, mirrored) {
  if (sign.type !== "sign" || !COMPARISONS.has(sign.value)) return null;
  const negative = isSign(operand[0], "-");
  const [value, ...more] = negative ? operand.slice(1) : operand;
  if (!value || more.length || value.type === "name" || value.type === "sign") return null;
  return { sign: mirrored ? MIRRORED[sign.value] : sign.value, token: value, negative };
}

function labelComparison(column, { sign, token, negative }, both) {
  const label = labelOf(column, negative ? { ...token, value: -token.value } : token);
  return both || !["==", "="].includes(sign) || label === undefined ? null : { labels: [label], missing: false };
}

function rangeOf(column, bounds) {
  const range = { ...OPEN };
  for (const { sign, token, negative } of bounds) {
    const value = column.kind === "datetime" ? dateNumber(token.value) : (negative ? -1 : 1) * token.value;
    if (!Number.isFinite(value) || (column.kind !== "datetime" && token.type !== "number")) return null;
    if (sign.startsWith(">") || sign.startsWith("=")) {
      if (range.low !== null) return null;
      Object.assign(range, { low: value, lowClosed: sign !== ">" });
    }
    if (sign.startsWith("<") || sign.startsWith("=")) {
      if (range.high !== null) return null;
      Object.assign(range, { high: value, highClosed: sign !== "<" });
    }
  }
  return range;
}

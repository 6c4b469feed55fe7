// Numbers and dates as people read them.
const DAY = 86_400_000;

export function percent(p) {
  if (p === null || p === undefined || Number.isNaN(p)) return "–";
  if (p === 0) return "0 %";
  if (p > 1 - 1e-9) return "100 %"; // a sum over leaves ends some bits below 1
  if (p < 1e-4) return `${significant(100 * p, 2)} %`;
  if (p > 0.9999) return "> 99.99 %";
  const digits = p < 0.01 || p > 0.99 ? 2 : 1;
  return `${(100 * p).toFixed(digits)} %`;
}

// Beside a bar there is no room for more.
export function share(p) {
  return p > 0 && p < 1e-4 ? "< 0.01 %" : percent(p);
}

export function significant(value, digits = 4) {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e7 || size < 1e-4) return value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e");
  if (size >= 10 ** (digits - 1)) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(digits)));
}

// An axis has room for "2.5M", not for "2500000".
export function short(value) {
  const units = [[1e9, 1e9, "G"], [1e6, 1e6, "M"], [1e4, 1e3, "k"]];
  const [, size, unit] = units.find(([least]) => Math.abs(value) >= least) ?? [1, 1, ""];
  return `${Number((value / size).toPrecision(4))}${unit}`;
}

// Dates travel as ISO text without a zone; the page reckons in milliseconds as if they were UTC.
export function dateNumber(text) {
  const iso = String(text).replace(" ", "T");
  const zoned = /Z$|[+-]\d\d:?\d\d$/.test(iso);
  return Date.parse(/T/.test(iso) ? (zoned ? iso : `${iso}Z`) : `${iso}T00:00:00Z`);
}

// In expressions, to the millisecond; in a column with a time zone with the offset of UTC.
export function dateLiteral(number, zoned) {
  const iso = new Date(number).toISOString().replace("T", " ").replace(/(:00)?\.000Z$|Z$/, "");
  return `'${zoned ? `${iso}+00:00` : iso.replace(/ 00:00$/, "")}'`;
}

export function dateText(number, span) {
  const iso = new Date(number).toISOString();
  if (span > 30 * DAY || iso.endsWith("T00:00:00.000Z")) return iso.slice(0, 10);
  return iso.slice(0, 16).replace("T", " ");
}

export function dateShort(number, span) {
  const iso = new Date(number).toISOString();
  if (span > 4 * 365 * DAY) return iso.slice(0, 4);
  if (span > 90 * DAY) return iso.slice(0, 7);
  return span > 3 * DAY ? iso.slice(0, 10) : iso.slice(5, 16).replace("T", " ");
}

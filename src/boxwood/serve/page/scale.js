// A linear scale between values and pixels, with round ticks.
export class Scale {
  constructor(low, high, from, to) {
    Object.assign(this, { low, high: high > low ? high : low + 1, from, to });
  }

  pixel(value) {
    return this.from + ((value - this.low) / (this.high - this.low)) * (this.to - this.from);
  }

  value(pixel) {
    const share = (pixel - this.from) / (this.to - this.from);
    return this.low + Math.min(1, Math.max(0, share)) * (this.high - this.low);
  }

  ticks(most = 4) {
    const step = roundStep((this.high - this.low) / most);
    const found = [];
    for (let k = Math.ceil(this.low / step); k * step <= this.high + 1e-9 * step; k++) found.push(k * step);
    return found;
  }
}

// The least of 1, 2, 5 times a power of ten that is not below a width.
export function roundStep(width) {
  const power = 10 ** Math.floor(Math.log10(width));
  return power * ([1, 2, 5].find((factor) => factor * power >= width * (1 - 1e-9)) ?? 10);
}

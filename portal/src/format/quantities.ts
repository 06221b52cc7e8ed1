const PLAIN = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });
const LITTLE = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });
const SHORT = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

/** Two decimals; what is less than one of them by its digits: three errors an hour are not 0 a second. */
const plainText = (value: number): string => (Math.abs(value) < 0.01 ? LITTLE : PLAIN).format(value);

export const countText = (value: number): string => (Math.abs(value) < 10_000 ? plainText(value) : SHORT.format(value));

/** A count to its last digit. */
export const exactText = (value: number): string => value.toLocaleString();

/** A duration given in ms, in the unit that reads best. */
export function durationText(ms: number): string {
  if (ms === 0) return '0 ms';
  if (Math.abs(ms) < 0.001) return `${plainText(ms * 1_000_000)} ns`;
  if (ms < 1) return `${PLAIN.format(Math.round(ms * 1_000))} µs`;
  if (ms < 1_000) return `${PLAIN.format(Number(ms.toPrecision(3)))} ms`;
  if (ms < 60_000) return `${PLAIN.format(Number((ms / 1_000).toPrecision(3)))} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
  return `${Math.floor(ms / 3_600_000)} h ${Math.round((ms % 3_600_000) / 60_000)} min`;
}

/** A duration of a span: the service tells whole ms, rounded down. */
export const spanDurationText = (ms: number): string => (ms < 1 ? '< 1 ms' : durationText(ms));

/** A share given in percent. */
export const percentText = (percent: number): string => `${plainText(percent)} %`;

export const rateText = (perSecond: number): string => `${countText(perSecond)} /s`;

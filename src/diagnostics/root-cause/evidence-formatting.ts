/** "340 ms", "12.4 ms", "0.31 ms", "2,687 ms". */
export function formatMilliseconds(ns: number): string {
  return `${formatFigure(ns / 1e6)} ms`;
}

/** Three significant digits, with thousands separators. */
export function formatFigure(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}

/** "1 call", "1,204 calls". */
export function formatCount(value: number, noun: string): string {
  return `${Math.round(value).toLocaleString('en-US')} ${noun}${Math.round(value) === 1 ? '' : 's'}`;
}

/** Formats a share of 1: "0.4 %", "38 %". */
export function formatPercent(share: number): string {
  return `${formatFigure(share * 100)} %`;
}

/** "14:03 UTC": the portal shows it in the zone of the page. */
export function formatClock(ms: number): string {
  return `${new Date(ms).toISOString().slice(11, 16)} UTC`;
}

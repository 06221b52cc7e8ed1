/** "340 ms", "12.4 ms", "0.31 ms", "2,687 ms". */
export function milliseconds(ns: number): string {
  return `${figure(ns / 1e6)} ms`;
}

/** Three significant figures, thousands parted by commas. */
export function figure(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}

/** "1 call", "1,204 calls". */
export function count(value: number, noun: string): string {
  return `${Math.round(value).toLocaleString('en-US')} ${noun}${Math.round(value) === 1 ? '' : 's'}`;
}

/** Share of 1 as a percentage: "0.4 %", "38 %". */
export function percent(share: number): string {
  return `${figure(share * 100)} %`;
}

/** "14:03", UTC. */
export function clock(ms: number): string {
  return new Date(ms).toISOString().slice(11, 16);
}

/** Half away from zero, as people round; of answers only, never of what is computed on. */
export function round2(value: number): number {
  return roundTo(value, 2);
}

export function round3(value: number): number {
  return roundTo(value, 3);
}

export function roundTo(value: number, decimals: number): number {
  return roundHalfAwayFromZero(value, 10 ** decimals);
}

/** Fifteen digits are what a double can tell: 1.005 is meant, where 1.00499999999999989 is stored. -0 never comes out. */
function roundHalfAwayFromZero(value: number, scale: number): number {
  // From here on doubles have no decimals, and scaled they could be infinite.
  if (Math.abs(value) >= Number.MAX_SAFE_INTEGER) return value;
  const magnitude = Math.round(Number((Math.abs(value) * scale).toPrecision(15))) / scale;
  return value < 0 && magnitude > 0 ? -magnitude : magnitude;
}

/** Rounds half away from zero. For results only, never for values used in further computation. */
export function round2(value: number): number {
  return roundTo(value, 2);
}

export function round3(value: number): number {
  return roundTo(value, 3);
}

export function roundTo(value: number, decimals: number): number {
  return roundHalfAwayFromZero(value, 10 ** decimals);
}

/** Doubles have fifteen significant decimal digits: 1.00499999999999989 is treated as 1.005. Never returns -0. */
function roundHalfAwayFromZero(value: number, scale: number): number {
  // From here on doubles have no decimals, and scaling could overflow.
  if (Math.abs(value) >= Number.MAX_SAFE_INTEGER) return value;
  const magnitude = Math.round(Number((Math.abs(value) * scale).toPrecision(15))) / scale;
  return value < 0 && magnitude > 0 ? -magnitude : magnitude;
}

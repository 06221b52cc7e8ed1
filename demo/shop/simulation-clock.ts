/** Milliseconds since 1970 with a fraction, never going back. */
export const currentTimeMs = (): number => performance.timeOrigin + performance.now();

/**
 * Waits until this moment has come. Work in the shop is counted in logical time, which this keeps near the real one:
 * spans have the lengths that they should have, however busy the machine is.
 */
export function sleepUntil(at: number): Promise<void> {
  const ms = at - currentTimeMs();
  return ms < 1 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
}

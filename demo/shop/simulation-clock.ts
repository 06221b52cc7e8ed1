/** Milliseconds since 1970 with a fraction, monotonic. */
export const currentTimeMs = (): number => performance.timeOrigin + performance.now();

/**
 * Waits until this time. Work is measured in simulated time, which this keeps close to real time: span durations are
 * correct however busy the machine is.
 */
export function sleepUntil(at: number): Promise<void> {
  const ms = at - currentTimeMs();
  return ms < 1 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
}

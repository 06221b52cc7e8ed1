/** Interval (ms) between pings. */
const PING_INTERVAL_MS = 15_000;
/** Time (ms) without a response after which a thread counts as hung: longer than folding any request has ever taken. */
const SILENCE_TIMEOUT_MS = 180_000;

export interface WatchdogOptions {
  /** Settles as soon as the thread processes it, with any result; rejects when the thread has ended. */
  readonly ping: () => Promise<unknown>;
  /** Called once, with the time (ms) without a response. */
  readonly onSilence: (ms: number) => void;
  readonly intervalMs?: number;
  readonly silenceTimeoutMs?: number;
}

/**
 * Detects a thread that hangs in an event: the process must then end, so that the next one recognises the poison event
 * and skips it. Returns a function that stops the watchdog. A thread that ended is reported elsewhere.
 */
export function startWatchdog({
  ping,
  onSilence,
  intervalMs = PING_INTERVAL_MS,
  silenceTimeoutMs = SILENCE_TIMEOUT_MS,
}: WatchdogOptions): () => void {
  let deadline: NodeJS.Timeout | undefined;
  const pingOnce = (): void => {
    if (deadline !== undefined) return;
    deadline = setTimeout(() => onSilence(silenceTimeoutMs), silenceTimeoutMs).unref();
    const clearDeadline = (): void => {
      clearTimeout(deadline);
      deadline = undefined;
    };
    ping().then(clearDeadline, clearDeadline);
  };
  const pingTimer = setInterval(pingOnce, intervalMs).unref();
  return () => {
    clearInterval(pingTimer);
    clearTimeout(deadline);
  };
}

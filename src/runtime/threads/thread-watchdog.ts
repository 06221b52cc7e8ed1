/** How often a thread is asked for a sign of life. */
const PING_INTERVAL_MS = 15_000;
/** Longer than the fold of any request that was ever seen: who keeps silent for so long does not come back. */
const SILENCE_TIMEOUT_MS = 180_000;

export interface WatchdogOptions {
  /** Answers as soon as the thread gets to it, whatever it answers; rejects when the thread is gone. */
  readonly ping: () => Promise<unknown>;
  /** Told once, with how long there was no answer. */
  readonly onSilence: (ms: number) => void;
  readonly everyMs?: number;
  readonly patienceMs?: number;
}

/**
 * Notices a thread that is caught in an event for ever: the process has to end then, for the next one to recognise the event
 * and pass it by. Answers how to end the watch. A thread that died is told of by others.
 */
export function startWatchdog({
  ping: ask,
  onSilence,
  everyMs = PING_INTERVAL_MS,
  patienceMs = SILENCE_TIMEOUT_MS,
}: WatchdogOptions): () => void {
  let silence: NodeJS.Timeout | undefined;
  const look = (): void => {
    if (silence !== undefined) return;
    silence = setTimeout(() => onSilence(patienceMs), patienceMs).unref();
    const heard = (): void => {
      clearTimeout(silence);
      silence = undefined;
    };
    ask().then(heard, heard);
  };
  const looks = setInterval(look, everyMs).unref();
  return () => {
    clearInterval(looks);
    clearTimeout(silence);
  };
}

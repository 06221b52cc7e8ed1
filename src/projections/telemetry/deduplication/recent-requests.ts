import { OpenAddressedTable } from '../open-addressed-table.js';
import { DUPLICATE_WINDOW_MS } from './recent-spans.js';

/** Requests that are remembered at least, while they are recent enough: 2,300 per second for 15 minutes. */
export const REQUEST_HORIZON = 1 << 21;

const ENTRY_WORDS = 5;
const THIRD = 2;
const FOURTH = 3;
const ORDINAL = 4;

/**
 * Identities of the export requests of the last 15 minutes of log time, 128 bits each. Two generations, as in
 * RecentSpans: memory is bounded, and what counts as a repetition depends on the log only.
 */
export class RecentRequests {
  private current = new Generation(0);
  private previous: Generation | undefined;
  private counted = 0;

  constructor(private readonly horizon = REQUEST_HORIZON) {}

  /**
   * Returns true for a request that was not counted within the last 15 minutes; it counts from now on. `identity`: hex
   * SHA-256.
   */
  admit(identity: string, recordedAt: number): boolean {
    const words = toHashWords(identity);
    if (
      this.isKnown(this.current, words, recordedAt) ||
      (this.previous && this.isKnown(this.previous, words, recordedAt))
    )
      return false;
    this.rotateGenerations(recordedAt);
    const { slots, times, first } = this.current;
    const at = slots.add(words[0], words[1]);
    slots.words[at + THIRD] = words[2];
    slots.words[at + FOURTH] = words[3];
    slots.words[at + ORDINAL] = this.counted++ - first;
    times.push(recordedAt);
    return true;
  }

  private isKnown({ slots, times, first }: Generation, [a, b, c, d]: readonly number[], now: number): boolean {
    for (let at = slots.find(a, b); at >= 0; at = slots.findNext(at)) {
      if (slots.words[at + THIRD] !== c || slots.words[at + FOURTH] !== d) continue;
      const ordinal = slots.words[at + ORDINAL];
      if (now - times[ordinal] < DUPLICATE_WINDOW_MS && this.counted - (first + ordinal) <= this.horizon) return true;
    }
    return false;
  }

  private rotateGenerations(now: number): void {
    const { times } = this.current;
    if (times.length < this.horizon && (times.length === 0 || now - times[0] < DUPLICATE_WINDOW_MS)) return;
    this.previous = this.current;
    this.current = new Generation(this.counted);
  }
}

class Generation {
  readonly slots = new OpenAddressedTable(ENTRY_WORDS);
  /** Log time of each request, by its index relative to `first`. */
  readonly times: number[] = [];

  constructor(readonly first: number) {}
}

function toHashWords(identity: string): readonly [number, number, number, number] {
  const word = (i: number): number => Number.parseInt(identity.slice(i * 8, i * 8 + 8), 16);
  return [word(0), word(1), word(2), word(3)];
}

import { REACH_MS } from '../reach.js';
import { HashSlots } from '../hash-slots.js';

/** Two words of key, one for the number of the child that came last. */
const ENTRY_WORDS = 3;
const NEWEST = 2;

/** No child waits there any more. */
const TAKEN = 0xffffffff;

/** Spans of two generations that wait, since when the younger one counts. */
interface Since {
  readonly time: number;
  readonly counted: number;
}

/**
 * Children whose parent has not come yet, by the parent's key. Two generations: the older one is dropped when whoever
 * waits in it is out of reach.
 */
export class WaitingChildren {
  private current = new HashSlots(ENTRY_WORDS);
  private previous = new HashSlots(ENTRY_WORDS);
  private since: Since | undefined;

  /** `reach`: spans that may be counted between a child and its parent. */
  constructor(private readonly reach: number) {}

  clear(): void {
    this.current = new HashSlots(ENTRY_WORDS);
    this.previous = new HashSlots(ENTRY_WORDS);
    this.since = undefined;
  }

  /** An event recorded at `time`, `counted` spans into the log, and later ones follow. */
  begin(time: number, counted: number): void {
    this.since ??= { time, counted };
    if (counted - this.since.counted <= this.reach && time - this.since.time < REACH_MS) return;
    this.since = { time, counted };
    if (this.current.count === 0 && this.previous.count === 0) return;
    this.previous = this.current;
    this.current = new HashSlots(ENTRY_WORDS);
  }

  /** Lets a child wait for its parent. Answers the number of the child that waited last of those that wait with it, or -1. */
  wait(a: number, b: number, number: number): number {
    const { current } = this;
    const found = current.find(a, b);
    const at = found >= 0 ? found : current.add(a, b);
    const before = found >= 0 ? current.words[at + NEWEST] : TAKEN;
    current.words[at + NEWEST] = number;
    return before === TAKEN ? -1 : before;
  }

  /** The child that came last of those that wait for this parent, of the younger generation or of the older; -1: none. None of them waits any more. */
  take(a: number, b: number, younger: boolean): number {
    const slots = younger ? this.current : this.previous;
    if (slots.count === 0) return -1;
    const at = slots.find(a, b);
    if (at < 0) return -1;
    const newest = slots.words[at + NEWEST];
    slots.words[at + NEWEST] = TAKEN;
    return newest === TAKEN ? -1 : newest;
  }
}

import { START, type Position } from '../streams/event-store.js';

/** What is known of the log behind a checkpoint: up to where nothing stands that concerns the run. Times are ms by any clock that never goes back. */
export class QuietStretch {
  private until: Position = START;
  private since = 0;

  /** `markEveryMs`: see RunnerParts. */
  constructor(private readonly markEveryMs: number = Infinity) {}

  /** The run stands at its checkpoint, and knows nothing of what is behind it. */
  begin(now: number): void {
    this.until = START;
    this.since = now;
  }

  /** Where the run reads on: it may be far behind its checkpoint, where others write much. */
  readFrom(checkpoint: Position = START): Position {
    return checkpoint > this.until ? checkpoint : this.until;
  }

  /** Nothing up to `head` concerns the run. True when its checkpoint should follow, for the next process that goes on from there. */
  reaches(head: Position, checkpoint: Position | undefined, now: number): boolean {
    this.until = head;
    return head > (checkpoint ?? START) && now - this.since >= this.markEveryMs;
  }
}

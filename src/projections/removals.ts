import { asyncScheduler, fromEvent, lastValueFrom, takeUntil, timer, type SchedulerLike } from 'rxjs';
import type { Logger } from '../log.js';
import type { ReadModelStore } from '../read-models/store.js';
import type { Projection } from './projection.js';
import { removeObsolete } from './versions.js';

export interface RemovalParts {
  readonly store: ReadModelStore;
  readonly log: Logger;
  /** Leaves what waits to the next start. */
  readonly signal: AbortSignal;
  /** How long queries that began before a swap may still read the former version (ms). */
  readonly graceMs?: number;
  readonly scheduler?: SchedulerLike;
}

const GRACE_MS = 10_000;

/** Removes former versions of projections in the background. */
export class Removals {
  private readonly pending = new Map<string, Promise<void>>();

  constructor(private readonly parts: RemovalParts) {}

  /** Once no query can be reading the former version any more. */
  afterGrace(projection: Projection): void {
    this.begin(projection, this.parts.graceMs ?? GRACE_MS);
  }

  /** At a start: nobody reads what the process before left. */
  atOnce(projection: Projection): void {
    this.begin(projection, 0);
  }

  /** Resolves when no version of the projection waits for its removal: only one can be noted. */
  async done(projection: Projection): Promise<void> {
    await this.pending.get(projection.name);
  }

  private begin(projection: Projection, delayMs: number): void {
    this.pending.set(projection.name, this.remove(projection, delayMs));
  }

  private async remove(projection: Projection, delayMs: number): Promise<void> {
    const { store, log, signal, scheduler = asyncScheduler } = this.parts;
    const aborted = fromEvent(signal, 'abort');
    if (delayMs > 0) await lastValueFrom(timer(delayMs, scheduler).pipe(takeUntil(aborted)), { defaultValue: undefined });
    if (signal.aborted) return;
    try {
      await removeObsolete(projection, store);
    } catch (error) {
      if (!signal.aborted) log.warn('former version of a projection stays until the next start', { projection: projection.name, error });
    }
  }
}

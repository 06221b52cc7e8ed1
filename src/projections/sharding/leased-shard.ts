import { setTimeout as pause } from 'node:timers/promises';
import type { Health } from '../../component.js';
import type { Logger } from '../../self-telemetry/logger.js';
import type { FencingToken } from './shard-leases.js';
import { backoffDelayMs } from '../engine/polling-loop.js';
import type { Projector } from '../engine/projector.js';
import { summarizeError } from '../engine/projection-failures.js';
import type { FencedStore } from './fenced-store.js';

/** A projector of a shard. */
export interface ShardProjector {
  /** Suffix of its public projection names. */
  readonly suffix: string;
  readonly store: FencedStore;
  readonly projector: Projector;
}

export interface LeasedShardParts {
  readonly shard: number;
  readonly token: FencingToken;
  /**
   * Opens the projectors of the shard, which write under the same token; `onFenced` is called when the store rejects
   * one of them.
   */
  readonly openProjectors: (onFenced: () => void) => readonly ShardProjector[];
  /** Settles when an earlier lease of the same shard has finished its commits. */
  readonly after: Promise<void>;
  readonly log: Logger;
  /** Called when a later holder owns the shard. */
  readonly onSuperseded: () => void;
}

type LeasedShardState = 'starting' | 'running' | 'superseded';

/**
 * A shard under one lease. Starts its projectors, and restarts them after a pause if that fails or the store rejects
 * them, until a later holder has written or the lease ends.
 */
export class LeasedShard {
  private state: LeasedShardState = 'starting';
  private projectors: readonly ShardProjector[] = [];
  private readonly stopping = new AbortController();
  private readonly finished: Promise<void>;
  private failure: string | undefined;

  /** Starts at once. */
  constructor(private readonly parts: LeasedShardParts) {
    this.finished = this.keepRunning();
  }

  get token(): FencingToken {
    return this.parts.token;
  }

  get isSuperseded(): boolean {
    return this.state === 'superseded';
  }

  /** Projectors that are running. */
  get running(): readonly ShardProjector[] {
    return this.state === 'running' ? this.projectors : [];
  }

  /** State for operators. MUST resolve at once, as `check` does. */
  async check(): Promise<Health> {
    const { shard } = this.parts;
    if (this.state === 'superseded') return { ok: false, reason: `shard ${shard} was taken over by another process` };
    if (this.state === 'starting')
      return {
        ok: true,
        degraded: `shard ${shard} is starting${this.failure === undefined ? '' : `: ${this.failure}`}`,
      };
    const reports = await Promise.all(this.projectors.map(({ projector }) => projector.check()));
    return (
      reports.find(({ ok }) => !ok) ??
      reports.find((health) => health.ok && health.degraded !== undefined) ?? { ok: true }
    );
  }

  /** Finishes the commits in progress. Idempotent. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.finished;
  }

  private async keepRunning(): Promise<void> {
    const { signal } = this.stopping;
    await this.parts.after;
    for (let failures = 0; !signal.aborted && this.state !== 'superseded'; failures++) {
      const hasStarted = await this.runOnce();
      if (hasStarted) failures = 0;
      if (this.state === 'starting')
        await pause(backoffDelayMs(failures + 1), undefined, { signal }).catch(() => undefined);
    }
  }

  /** Runs the projectors from start to end. False if they could not be started. */
  private async runOnce(): Promise<boolean> {
    const { signal } = this.stopping;
    const fenced = new AbortController();
    try {
      this.projectors = this.parts.openProjectors(() => fenced.abort());
      if (!(await this.acquireStores())) return false;
      for (const { projector } of this.projectors) if (!signal.aborted) await projector.start();
      this.state = 'running';
      this.failure = undefined;
      await waitForAbort(AbortSignal.any([signal, fenced.signal]));
      return true;
    } catch (error) {
      this.recordFailure(error);
      return false;
    } finally {
      if (!this.isSuperseded) this.state = 'starting';
      await Promise.all(this.projectors.map((each) => this.stopProjector(each)));
    }
  }

  /** A projector that fails to stop must not block the next lease of the shard. */
  private async stopProjector({ projector }: ShardProjector): Promise<void> {
    const { shard, log } = this.parts;
    await projector.stop().catch((error: unknown) => log.warn('Projector of a shard failed to stop', { shard, error }));
  }

  /** Before anything is read: an earlier holder cannot change it any more. */
  private async acquireStores(): Promise<boolean> {
    const { shard, token, log, onSuperseded } = this.parts;
    for (const { store } of this.projectors) {
      const outcome = await store.acquire();
      if (outcome === 'no lease') return false;
      if (outcome === 'taken') continue;
      log.warn('Shard was taken over by another process', { shard, token });
      this.state = 'superseded';
      onSuperseded();
      return false;
    }
    return true;
  }

  private recordFailure(error: unknown): void {
    if (this.stopping.signal.aborted) return;
    this.failure = summarizeError(error);
    this.parts.log.warn('Cannot start shard; retrying', { shard: this.parts.shard, error });
  }
}

async function waitForAbort(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

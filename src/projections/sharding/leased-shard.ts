import { setTimeout as pause } from 'node:timers/promises';
import type { Health } from '../../component.js';
import type { Logger } from '../../self-telemetry/logger.js';
import type { FencingToken } from './shard-leases.js';
import { backoffDelayMs } from '../engine/polling-loop.js';
import type { Projector } from '../engine/projector.js';
import { summarizeError } from '../engine/projection-failures.js';
import type { FencedStore } from './fenced-store.js';

/** A projector of what a share brings. */
export interface ShardProjector {
  /** Behind the names of its projections, for who asks from outside. */
  readonly suffix: string;
  readonly store: FencedStore;
  readonly projector: Projector;
}

export interface LeasedShardParts {
  readonly share: number;
  readonly token: FencingToken;
  /** Projectors over the same tenure; `onFenced` is told when one of them was refused. */
  readonly openProjectors: (onFenced: () => void) => readonly ShardProjector[];
  /** An earlier holding of the share, which finishes its commits first. */
  readonly after: Promise<void>;
  readonly log: Logger;
  /** Told when a later holder has the share. */
  readonly onSuperseded: () => void;
}

type LeasedShardState = 'starting' | 'running' | 'superseded';

/**
 * A share under one lease. Its projectors are started, and started anew after a pause where that fails or they were refused, until a later
 * holder has written or the lease ends.
 */
export class LeasedShard {
  private state: LeasedShardState = 'starting';
  private projectors: readonly ShardProjector[] = [];
  private readonly stopping = new AbortController();
  private readonly finished: Promise<void>;
  private failure: string | undefined;

  /** Begins at once. */
  constructor(private readonly parts: LeasedShardParts) {
    this.finished = this.keepRunning();
  }

  get token(): FencingToken {
    return this.parts.token;
  }

  get isSuperseded(): boolean {
    return this.state === 'superseded';
  }

  /** Those that are at work. */
  get running(): readonly ShardProjector[] {
    return this.state === 'running' ? this.projectors : [];
  }

  /** How it gets on, for operators. MUST answer at once, as `check` does. */
  async check(): Promise<Health> {
    const { share } = this.parts;
    if (this.state === 'superseded') return { ok: false, reason: `share ${share} was taken over by another process` };
    if (this.state === 'starting')
      return {
        ok: true,
        degraded: `share ${share} is being started${this.failure === undefined ? '' : `: ${this.failure}`}`,
      };
    const found = await Promise.all(this.projectors.map(({ projector }) => projector.check()));
    return (
      found.find(({ ok }) => !ok) ?? found.find((health) => health.ok && health.degraded !== undefined) ?? { ok: true }
    );
  }

  /** Finishes the commits under way. Legal twice. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.finished;
  }

  private async keepRunning(): Promise<void> {
    const { signal } = this.stopping;
    await this.parts.after;
    for (let failures = 0; !signal.aborted && this.state !== 'superseded'; failures++) {
      const began = await this.runOnce();
      if (began) failures = 0;
      if (this.state === 'starting')
        await pause(backoffDelayMs(failures + 1), undefined, { signal }).catch(() => undefined);
    }
  }

  /** From the start of the projectors to their end. False where they could not be started. */
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

  /** What does not end in order must not keep the next holding of the share waiting for ever. */
  private async stopProjector({ projector }: ShardProjector): Promise<void> {
    const { share, log } = this.parts;
    await projector
      .stop()
      .catch((error: unknown) => log.warn('a projector of a share did not stop in order', { share, error }));
  }

  /** Before anything is read: what is read then is not changed by an earlier holder any more. */
  private async acquireStores(): Promise<boolean> {
    const { share, token, log, onSuperseded } = this.parts;
    for (const { store } of this.projectors) {
      const taken = await store.acquire();
      if (taken === 'no lease') return false;
      if (taken === 'taken') continue;
      log.warn('a later holder has the share', { share, token });
      this.state = 'superseded';
      onSuperseded();
      return false;
    }
    return true;
  }

  private recordFailure(error: unknown): void {
    if (this.stopping.signal.aborted) return;
    this.failure = summarizeError(error);
    this.parts.log.warn('a share could not be started and will be tried again', { share: this.parts.share, error });
  }
}

async function waitForAbort(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

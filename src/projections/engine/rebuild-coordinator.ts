import { asyncScheduler, type SchedulerLike } from 'rxjs';
import { HindsightError } from '../../errors.js';
import type { ReadModelStore } from '../../read-models/read-model-store.js';
import type { Logger } from '../../self-telemetry/logger.js';
import type { Position } from '../../streams/event-store.js';
import type { Projection } from '../projection.js';
import type { RunSources } from '../projection-groups.js';
import { findFatalPositions } from './dead-letter-queue.js';
import type { LiveProjectionGroup } from './live-projection-group.js';
import { summarizeError } from './projection-failures.js';
import { Rebuild } from './projection-rebuild.js';
import type { Progress, ReplaySources } from './projection-replay.js';
import type { ObsoleteVersionRemover } from './projection-versions.js';
import type { RebuildOptions, RebuildOutcome } from './projector-types.js';
import { RebuildWouldLoseEvents } from './rebuild-loss.js';

export interface RebuildCoordinatorParts {
  readonly store: ReadModelStore;
  readonly log: Logger;
  readonly scheduler?: SchedulerLike;
  readonly obsoleteVersions: ObsoleteVersionRemover;
  /** Aborted when the projector stops. */
  readonly signal: AbortSignal;
  readonly createSources: () => RunSources & ReplaySources;
  /** Called after each switch to a rebuilt version, before the rebuild resolves. */
  readonly onRebuilt: () => Promise<void>;
}

/** Runs the rebuilds of a projector, at most one per projection, and remembers which failed. */
export class RebuildCoordinator {
  private readonly running = new Map<string, Rebuild>();
  /** Rebuilds that nobody waits for, by projection: each resolves when its rebuild has ended, never rejects. */
  private readonly background = new Map<string, Promise<void>>();
  /** Reason of the last failed rebuild by projection, until one succeeds. */
  private readonly failed = new Map<string, string>();

  constructor(private readonly parts: RebuildCoordinatorParts) {}

  /** Why rebuilds make no progress or failed, for health reports. */
  get failures(): readonly string[] {
    return [
      ...[...this.running.values()].flatMap(({ failure }) => failure ?? []),
      ...[...this.failed].map(([name, reason]) => `the last rebuild of ${name} failed: ${reason}`),
    ];
  }

  /** See Projector.rebuild. */
  async rebuild(
    projection: Projection,
    live: LiveProjectionGroup,
    onProgress: (progress: Progress) => void,
    options: RebuildOptions = {},
  ): Promise<RebuildOutcome> {
    const { name } = projection;
    if (this.background.has(name)) {
      await this.running.get(name)?.stop();
      await this.background.get(name);
    }
    return this.run(projection, live, onProgress, options);
  }

  private async run(
    projection: Projection,
    live: LiveProjectionGroup,
    onProgress: (progress: Progress) => void,
    { retried = new Set(), acceptLoss = false, fresh = false }: RebuildOptions,
  ): Promise<RebuildOutcome> {
    const { name } = projection;
    const { signal, createSources } = this.parts;
    signal.throwIfAborted();
    if (this.running.has(name)) throw new HindsightError('conflict', `${name} is already being rebuilt`);
    const fatal = new Set<Position>();
    const sources = createSources();
    const rebuild = new Rebuild(projection, live.group, {
      live,
      sources,
      onProgress,
      signal,
      fatal,
      acceptLoss,
      fresh,
    });
    this.running.set(name, rebuild);
    const startedAt = (this.parts.scheduler ?? asyncScheduler).now();
    try {
      for (const position of await findFatalPositions(live.group, this.parts.store))
        if (!retried.has(position)) fatal.add(position);
      return await this.complete(projection, rebuild, startedAt);
    } catch (error) {
      const hasFailed = !signal.aborted && !rebuild.isStopped && !(error instanceof RebuildWouldLoseEvents);
      if (hasFailed) this.failed.set(name, summarizeError(error));
      throw error;
    } finally {
      this.running.delete(name);
    }
  }

  /**
   * Starts a rebuild without waiting for it; its outcome is logged. `rebuild` stops it and does the rest: otherwise a
   * process that ends with one command could never complete an unfinished rebuild.
   */
  rebuildInBackground(projection: Projection, live: LiveProjectionGroup, options: RebuildOptions): void {
    const { log, signal } = this.parts;
    const { name } = projection;
    log.info('Rebuilding projection', { projection: name });
    const outcome = this.run(projection, live, () => undefined, options);
    const rebuild = this.running.get(name);
    const ended = outcome.then(
      (rebuilt) => log.info('Projection rebuilt', { ...rebuilt }),
      (error: unknown) => {
        if (signal.aborted) return;
        if (rebuild?.isStopped === true)
          log.info('Projection rebuild stopped: another process continues it', { projection: name });
        else log.error('Projection rebuild failed', { projection: name, error });
      },
    );
    this.background.set(
      name,
      ended.finally(() => this.background.delete(name)),
    );
  }

  /** Stops the running rebuilds; they continue after the next start. */
  async stop(): Promise<void> {
    await Promise.all([...this.running.values()].map((rebuild) => rebuild.stop()));
  }

  private async complete(projection: Projection, rebuild: Rebuild, startedAt: number): Promise<RebuildOutcome> {
    const { obsoleteVersions, log, onRebuilt, scheduler = asyncScheduler } = this.parts;
    await obsoleteVersions.waitUntilRemoved(projection);
    const { events, position, deadLetters, proof } = await rebuild.complete();
    obsoleteVersions.removeAfterGrace(projection);
    this.failed.delete(projection.name);
    await onRebuilt();
    const outcome: RebuildOutcome = {
      projection: projection.name,
      events,
      seconds: (scheduler.now() - startedAt) / 1000,
      position,
      parked: deadLetters,
      ...proof,
    };
    if (proof?.former?.equal === false)
      log.warn('A rebuilt projection differs from its former version', { ...outcome });
    return outcome;
  }
}

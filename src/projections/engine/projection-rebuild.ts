import { HindsightError } from '../../errors.js';
import {
  type ProjectionDocument,
  PROJECTIONS,
  recentRequestsCollection,
  REQUESTS_BLOB,
} from '../../read-models/documents/projection-documents.js';
import { deadLetterCollection } from '../../read-models/documents/dead-letter-documents.js';
import type { DocumentChange, ReadModelStore } from '../../read-models/read-model-store.js';
import { START, type Position } from '../../streams/event-store.js';
import { checkpointName, type Projection, type ProjectionRun } from '../projection.js';
import type { ProjectionGroup, RunSources } from '../projection-groups.js';
import type { LiveProjectionGroup } from './live-projection-group.js';
import { updateDeadLettersAtSwap, createDeadLetterQueue } from './dead-letter-queue.js';
import { SwapVerification, type DigestComparison } from './read-model-verification.js';
import { countEvents, Replay, type Progress, type ReplaySources } from './projection-replay.js';
import { tracesProjection } from '../traces-projection.js';
import { abandonVersion, beginVersion, rebuildOwner, removeRunState } from './projection-versions.js';
import { findLostEvents, RebuildWouldLoseEvents } from './rebuild-loss.js';

/** If a catch-up round took less than this (ms), the rest is replayed while the live run waits. */
const SHORT_ROUND_MS = 200;

/** Catch-up rounds after which the switch happens anyway, if the live run is as fast as the rebuild. */
const MAX_CATCH_UP_ROUNDS = 20;

const MAX_LOGGED_POSITIONS = 20;

export interface RebuildParts {
  readonly live: LiveProjectionGroup;
  readonly sources: ReplaySources & RunSources;
  readonly onProgress: (progress: Progress) => void;
  /** Aborts the digest computation; a completed switch stays in effect. */
  readonly signal: AbortSignal;
  /** Positions of events that are skipped without an attempt, because they are known to crash the process. */
  readonly fatal: ReadonlySet<Position>;
  /** Whether the new version may lack damaged events that the version in use has. */
  readonly acceptLoss: boolean;
  /** Whether to discard what an earlier, unfinished rebuild has built. */
  readonly fresh: boolean;
}

/** Result of a rebuild. */
export interface CompletedRebuild {
  /** Events that were read. */
  readonly events: number;
  /** Position of the live run at the switch; undefined before the first event. */
  readonly position: Position | undefined;
  /** Events that the new version misses. */
  readonly deadLetters: number;
  /** Undefined if it could not be computed: see the log output. */
  readonly proof: DigestComparison | undefined;
}

/** Rebuilds a projection next to the live one and switches over to the new version. */
export class Rebuild {
  private replay: Replay | undefined;
  private readonly stopping = new AbortController();

  constructor(
    private readonly projection: Projection,
    private readonly group: ProjectionGroup,
    private readonly parts: RebuildParts,
  ) {}

  /** Why the rebuild makes no progress; undefined while it does. */
  get failure(): string | undefined {
    return this.replay?.failure;
  }

  /** Whether `stop` was called. */
  get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  /**
   * Builds the new version and switches to it. Continues where an earlier rebuild of the same schema stopped, unless
   * `fresh` is set. Rejects with
   * `RebuildWouldLoseEvents`, and discards the new version, if it lacks damaged events that the one in use has and
   * `acceptLoss` is not set.
   */
  async complete(): Promise<CompletedRebuild> {
    const { sources, acceptLoss, fresh } = this.parts;
    const { store } = sources;
    this.stopping.signal.throwIfAborted();
    if (fresh) await abandonVersion(this.projection, store);
    const { version } = await beginVersion(this.projection, store, acceptLoss);
    try {
      return await this.build({ version, owner: rebuildOwner(this.projection, version) });
    } catch (error) {
      if (error instanceof RebuildWouldLoseEvents) await abandonVersion(this.projection, store);
      throw error;
    }
  }

  private async build({ version, owner }: BuildTarget): Promise<CompletedRebuild> {
    const { projection, group } = this;
    const { store, hold, journal } = this.parts.sources;
    const run = group.createRun(new Map([[projection.name, version]]), owner, this.parts.sources);
    const progress = await this.countProgress(run.prefixes, version);
    const replay = this.createReplay(run, owner, progress);
    if (this.isStopped) await replay.stop();
    await this.catchUp(replay);
    await this.refuseLoss(owner);
    const verification = new SwapVerification(projection, version, store);
    await verification.prepare({ signal: this.signal, yieldToOthers: this.parts.sources.yieldToOthers });
    hold.readers++;
    try {
      const swapped = await this.switchOver(run, replay, verification, { version, owner });
      journal?.clear(run.name);
      await removeRunState(owner, store);
      return { ...swapped, events: progress.done, proof: await this.finishVerification(verification, swapped.former) };
    } finally {
      hold.readers--;
    }
  }

  /** Aborts digest computations: with the projector, or with this rebuild alone. */
  private get signal(): AbortSignal {
    return AbortSignal.any([this.parts.signal, this.stopping.signal]);
  }

  private createReplay(run: ProjectionRun, owner: string, progress: RebuildProgress): Replay {
    const { group, projection, parts } = this;
    const collection = deadLetterCollection(owner);
    const deadLetterQueue = createDeadLetterQueue(group, [projection.name], collection, parts.fatal);
    this.replay = new Replay(run, { ...parts.sources, deadLetterQueue }, ({ events }) => progress.add(events.length));
    return this.replay;
  }

  /** Nothing can be kept of a version that an older release wrote: then the loss is only logged. */
  private async refuseLoss(owner: string): Promise<void> {
    const { projection, group, parts } = this;
    const { store, log } = parts.sources;
    const positions = await findLostEvents(projection, group, owner, store);
    if (positions.length === 0) return;
    if (!parts.acceptLoss && parts.live.activeVersion(projection.name) !== undefined)
      throw new RebuildWouldLoseEvents(projection.name, positions);
    log.warn('The rebuilt read model lacks damaged events that the former one may have', {
      projection: projection.name,
      count: positions.length,
      positions: positions.slice(0, MAX_LOGGED_POSITIONS),
    });
  }

  /**
   * The live run is stopped from the last catch-up round to the switch, and continues with the memory of the rebuild.
   */
  private async switchOver(
    run: ProjectionRun,
    replay: Replay,
    verification: SwapVerification,
    { version, owner }: BuildTarget,
  ): Promise<SwapOutcome> {
    let swapped: SwapOutcome | undefined;
    await this.parts.live.change(async ({ position, run: live }) => {
      const reached = await replay.runTo(position ?? (await this.livePosition()));
      await this.refuseLoss(owner);
      await verification.draft();
      swapped = { position, ...(await this.swap(version, owner, { reached, position })) };
      const versions = new Map([...this.liveVersions(), [this.projection.name, version]]);
      return { versions, run: live && this.group.joinRuns?.(live, run, versions) };
    });
    return swapped!;
  }

  /** The new version is already live: a failure to compute its digest is only logged. */
  private async finishVerification(
    verification: SwapVerification,
    former: number | undefined,
  ): Promise<DigestComparison | undefined> {
    const { yieldToOthers, log } = this.parts.sources;
    const { signal } = this;
    try {
      return await verification.finish(former, { signal, yieldToOthers });
    } catch (error) {
      log.warn('Cannot compute the digest of a rebuilt projection', { projection: this.projection.name, error });
      return undefined;
    }
  }

  /** Stops the rebuild, unless it has switched already; `complete` of another Rebuild continues it. */
  async stop(): Promise<void> {
    this.stopping.abort(new HindsightError('unavailable', `The rebuild of ${this.projection.name} was stopped`));
    await this.replay?.stop();
  }

  /** Replays up to the live run until little is left. */
  private async catchUp(replay: Replay): Promise<void> {
    for (let round = 0; round < MAX_CATCH_UP_ROUNDS; round++) {
      const startedAt = performance.now();
      await replay.runTo(await this.livePosition());
      if (performance.now() - startedAt < SHORT_ROUND_MS) return;
    }
  }

  /** Position of the live run, which the rebuild must not pass; the head of the log if no live run exists. */
  private async livePosition(): Promise<Position | undefined> {
    const { live, sources } = this.parts;
    return this.group.standsAlone || live.activeVersion(this.projection.name) !== undefined
      ? live.position
      : sources.events.head();
  }

  private liveVersions(): [string, number][] {
    const { live } = this.parts;
    return this.group.projections.flatMap(({ name }) => {
      const version = live.activeVersion(name);
      return version === undefined ? [] : [[name, version] as [string, number]];
    });
  }

  private async countProgress(prefixes: readonly string[], version: number): Promise<RebuildProgress> {
    const { projection, parts } = this;
    const { events, store } = parts.sources;
    const checkpoint = (await store.readCheckpoint(checkpointName(projection.name, version))) ?? START;
    let done = await countEvents(events, prefixes, START, checkpoint);
    let total = done + (await countEvents(events, prefixes, checkpoint, await events.head()));
    const report = (): void => parts.onProgress({ projection: projection.name, done, total });
    report();
    return {
      get done() {
        return done;
      },
      add(more) {
        done += more;
        total = Math.max(total, done);
        report();
      },
    };
  }

  /**
   * Makes the new version the active one; the former version awaits removal. Its checkpoint is set to the position of
   * the live run, even if its own last event is older because later ones were truncated.
   */
  private async swap(
    version: number,
    owner: string,
    { reached, position }: { reached: Position | undefined; position: Position | undefined },
  ): Promise<Omit<SwapOutcome, 'position'>> {
    const { projection, group } = this;
    const { store } = this.parts.sources;
    const former = await store.get(PROJECTIONS, projection.name);
    const document: ProjectionDocument = { active: version, schema: projection.schema, obsolete: former?.active ?? 0 };
    const changes: DocumentChange[] = [{ kind: 'put', collection: PROJECTIONS, id: projection.name, document }];
    if (projection === tracesProjection) changes.push(...(await adoptRecentRequests(owner, store)));
    changes.push(...(await updateDeadLettersAtSwap(projection, group, owner, store)));
    const deadLetters = await store.count(deadLetterCollection(owner));
    const checkpoint = { projection: checkpointName(projection.name, version), expected: reached };
    const result = await store.commit(changes, position === undefined ? [] : [{ ...checkpoint, position }]);
    if (!result.ok) throw new HindsightError('unavailable', `Another projector is rebuilding ${projection.name}`);
    return {
      deadLetters,
      former: former?.schema === projection.schema && former.active > 0 ? former.active : undefined,
    };
  }
}

interface RebuildProgress {
  readonly done: number;
  add(events: number): void;
}

interface BuildTarget {
  readonly version: number;
  readonly owner: string;
}

interface SwapOutcome {
  readonly position: Position | undefined;
  readonly deadLetters: number;
  /** Version that was active before, if it has the same schema. */
  readonly former: number | undefined;
}

/**
 * Only the run that counted recent requests knows which of their spans were counted, so the live run takes over its
 * journal.
 */
async function adoptRecentRequests(owner: string, store: ReadModelStore): Promise<DocumentChange[]> {
  const live = recentRequestsCollection('live');
  const built = recentRequestsCollection(owner);
  const changes: DocumentChange[] = (await store.find(live, {})).map(({ id }) => ({
    kind: 'delete',
    collection: live,
    id,
  }));
  for (const { id, document } of await store.find(built, {})) {
    const rows = await store.readBlob(built, id, REQUESTS_BLOB);
    if (rows !== undefined)
      changes.push({ kind: 'put', collection: live, id, document, blobs: { [REQUESTS_BLOB]: rows } });
  }
  return changes;
}

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
import { beginVersion, rebuildOwner, removeRunState } from './projection-versions.js';

/** The last stretch is built while the live run waits: when the one before took less than this (ms). */
const SHORT_ROUND_MS = 200;

/** Or after so many, where the live run is as fast. */
const MAX_CATCH_UP_ROUNDS = 20;

export interface RebuildParts {
  readonly live: LiveProjectionGroup;
  readonly sources: ReplaySources & RunSources;
  readonly onProgress: (progress: Progress) => void;
  /** Ends the reading of digests; the swap stays. */
  readonly signal: AbortSignal;
  /** Events that are passed by untried, because they are known to end the process. */
  readonly fatal: ReadonlySet<Position>;
}

/** What a rebuild came to. */
export interface CompletedRebuild {
  /** How many events were read. */
  readonly events: number;
  /** Where the live run stood at the swap; undefined before the first event. */
  readonly position: Position | undefined;
  /** Events that the new version lacks. */
  readonly parked: number;
  /** Undefined where it could not be taken: see the log. */
  readonly proof: DigestComparison | undefined;
}

/** A projection being built anew beside the live one. */
export class Rebuild {
  private replay: Replay | undefined;
  private stopped = false;

  constructor(
    private readonly projection: Projection,
    private readonly group: ProjectionGroup,
    private readonly parts: RebuildParts,
  ) {}

  /** Why it does not get on; undefined as long as it does. */
  get failure(): string | undefined {
    return this.replay?.failure;
  }

  /** Builds and swaps. Goes on where an earlier rebuild of the same schema stopped. */
  async complete(): Promise<CompletedRebuild> {
    const { projection, group } = this;
    const { store, hold, journal: attempts } = this.parts.sources;
    const { version } = await beginVersion(projection, store);
    const owner = rebuildOwner(projection, version);
    const run = group.createRun(new Map([[projection.name, version]]), owner, this.parts.sources);
    const progress = await this.countProgress(run.prefixes, version);
    const parking = createDeadLetterQueue(group, [projection.name], deadLetterCollection(owner), this.parts.fatal);
    const replay = new Replay(run, { ...this.parts.sources, deadLetterQueue: parking }, ({ events }) =>
      progress.add(events.length),
    );
    this.replay = replay;
    if (this.stopped) await replay.stop();
    await this.catchUp(replay);
    const proof = new SwapVerification(projection, version, store);
    await proof.prepare({ signal: this.parts.signal, yieldToOthers: this.parts.sources.yieldToOthers });
    hold.readers++;
    try {
      const swapped = await this.switchOver(run, replay, proof, { version, owner });
      attempts?.clear(run.name);
      await removeRunState(owner, store);
      return { ...swapped, events: progress.done, proof: await this.finishVerification(proof, swapped.former) };
    } finally {
      hold.readers--;
    }
  }

  /** The live run waits from the last stretch to the swap, and goes on with what the rebuild holds in memory. */
  private async switchOver(
    run: ProjectionRun,
    replay: Replay,
    proof: SwapVerification,
    { version, owner }: BuildTarget,
  ): Promise<SwapOutcome> {
    let swapped: SwapOutcome | undefined;
    await this.parts.live.change(async ({ position, run: live }) => {
      const reached = await replay.runTo(position ?? (await this.livePosition()));
      await proof.draft();
      swapped = { position, ...(await this.swap(version, owner, { reached, position })) };
      const versions = new Map([...this.liveVersions(), [this.projection.name, version]]);
      return { versions, run: live && this.group.joinRuns?.(live, run, versions) };
    });
    return swapped!;
  }

  /** The read model is in use already: what keeps its digest from being taken is told, and undoes nothing. */
  private async finishVerification(
    proof: SwapVerification,
    former: number | undefined,
  ): Promise<DigestComparison | undefined> {
    const {
      signal,
      sources: { yieldToOthers: giveWay, log },
    } = this.parts;
    try {
      return await proof.finish(former, { signal, yieldToOthers: giveWay });
    } catch (error) {
      log.warn('the digest of a rebuilt projection could not be taken', { projection: this.projection.name, error });
      return undefined;
    }
  }

  /** Leaves it unfinished; `complete` of another Rebuild goes on. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.replay?.stop();
  }

  /** Follows the live run until little is left. */
  private async catchUp(replay: Replay): Promise<void> {
    for (let stretch = 0; stretch < MAX_CATCH_UP_ROUNDS; stretch++) {
      const began = performance.now();
      await replay.runTo(await this.livePosition());
      if (performance.now() - began < SHORT_ROUND_MS) return;
    }
  }

  /** Up to where the live run has come: the rebuild must not pass it. Where none runs, everything there is. */
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

  private async countProgress(
    prefixes: readonly string[],
    version: number,
  ): Promise<{ readonly done: number; add(events: number): void }> {
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
   * From here on queries read the new version; the former one waits for its removal. The new one stands where the live
   * run does, even where its own last event is an earlier one because later ones were truncated.
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
    const parked = await store.count(deadLetterCollection(owner));
    const checkpoint = { projection: checkpointName(projection.name, version), expected: reached };
    const result = await store.commit(changes, position === undefined ? [] : [{ ...checkpoint, position }]);
    if (!result.ok) throw new HindsightError('unavailable', `another projector builds ${projection.name} now`);
    return { parked, former: former?.schema === projection.schema && former.active > 0 ? former.active : undefined };
  }
}

interface BuildTarget {
  readonly version: number;
  readonly owner: string;
}

interface SwapOutcome {
  readonly position: Position | undefined;
  readonly parked: number;
  /** Version that was in use before, where it is of the same schema. */
  readonly former: number | undefined;
}

/** Which spans of recent requests were counted is known to the run that counted them: the live run takes its journal over. */
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

import { HindsightError } from '../errors.js';
import { PROJECTIONS, type ProjectionDocument } from '../read-models/projections.js';
import { parkedEvents } from '../read-models/parked-events.js';
import { recentRequests, REQUESTS_BLOB } from '../read-models/requests.js';
import type { Change, ReadModelStore } from '../read-models/store.js';
import { START, type Position } from '../streams/event-store.js';
import type { Run } from './fold.js';
import type { ProjectionGroup, RunSources } from './groups.js';
import type { LiveGroup } from './live-group.js';
import { parkedAtSwap, parkingOf } from './parked-events.js';
import { checkpointName, type Projection } from './projection.js';
import { ProofOfSwap, type Proof } from './proof.js';
import { countEvents, Replay, type Progress, type ReplaySources } from './replay.js';
import { traces } from './traces.js';
import { beginBuilding, rebuildOwner, removeRun } from './versions.js';

/** The last stretch is built while the live run waits: when the one before took less than this (ms). */
const SHORT_MS = 200;

/** Or after so many, where the live run is as fast. */
const STRETCHES = 20;

export interface RebuildParts {
  readonly live: LiveGroup;
  readonly sources: ReplaySources & RunSources;
  readonly onProgress: (progress: Progress) => void;
  /** Ends the reading of digests; the swap stays. */
  readonly signal: AbortSignal;
  /** Events that are passed by untried, because they are known to end the process. */
  readonly fatal: ReadonlySet<Position>;
}

/** What a rebuild came to. */
export interface Completed {
  /** How many events were read. */
  readonly events: number;
  /** Where the live run stood at the swap; undefined before the first event. */
  readonly position: Position | undefined;
  /** Events that the new version lacks. */
  readonly parked: number;
  /** Undefined where it could not be taken: see the log. */
  readonly proof: Proof | undefined;
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
  async complete(): Promise<Completed> {
    const { projection, group } = this;
    const { store, hold, attempts } = this.parts.sources;
    const { version } = await beginBuilding(projection, store);
    const owner = rebuildOwner(projection, version);
    const run = group.run(new Map([[projection.name, version]]), owner, this.parts.sources);
    const progress = await this.countProgress(run.prefixes, version);
    const parking = parkingOf(group, [projection.name], parkedEvents(owner), this.parts.fatal);
    const replay = new Replay(run, { ...this.parts.sources, parking }, ({ events }) => progress.add(events.length));
    this.replay = replay;
    if (this.stopped) await replay.stop();
    await this.approach(replay);
    const proof = new ProofOfSwap(projection, version, store);
    await proof.prepare({ signal: this.parts.signal, giveWay: this.parts.sources.giveWay });
    hold.readers++;
    try {
      const swapped = await this.switchOver(run, replay, proof, { version, owner });
      attempts?.forget(run.name);
      await removeRun(owner, store);
      return { ...swapped, events: progress.done, proof: await this.prove(proof, swapped.former) };
    } finally {
      hold.readers--;
    }
  }

  /** The live run waits from the last stretch to the swap, and goes on with what the rebuild holds in memory. */
  private async switchOver(run: Run, replay: Replay, proof: ProofOfSwap, { version, owner }: Built): Promise<Swapped> {
    let swapped: Swapped | undefined;
    await this.parts.live.change(async ({ position, run: live }) => {
      const reached = await replay.to(position ?? (await this.livePosition()));
      await proof.draft();
      swapped = { position, ...(await this.swap(version, owner, { reached, position })) };
      const versions = new Map([...this.liveVersions(), [this.projection.name, version]]);
      return { versions, run: live && this.group.joined?.(live, run, versions) };
    });
    return swapped!;
  }

  /** The read model is in use already: what keeps its digest from being taken is told, and undoes nothing. */
  private async prove(proof: ProofOfSwap, former: number | undefined): Promise<Proof | undefined> {
    const { signal, sources: { giveWay, log } } = this.parts;
    try {
      return await proof.finish(former, { signal, giveWay });
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
  private async approach(replay: Replay): Promise<void> {
    for (let stretch = 0; stretch < STRETCHES; stretch++) {
      const began = performance.now();
      await replay.to(await this.livePosition());
      if (performance.now() - began < SHORT_MS) return;
    }
  }

  /** Up to where the live run has come: the rebuild must not pass it. Where none runs, everything there is. */
  private async livePosition(): Promise<Position | undefined> {
    const { live, sources } = this.parts;
    return this.group.standsAlone || live.versionOf(this.projection.name) !== undefined ? live.position : sources.events.head();
  }

  private liveVersions(): [string, number][] {
    const { live } = this.parts;
    return this.group.projections.flatMap(({ name }) => {
      const version = live.versionOf(name);
      return version === undefined ? [] : [[name, version] as [string, number]];
    });
  }

  private async countProgress(prefixes: readonly string[], version: number): Promise<{ readonly done: number; add(events: number): void }> {
    const { projection, parts } = this;
    const { events, store } = parts.sources;
    const checkpoint = (await store.checkpoint(checkpointName(projection.name, version))) ?? START;
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
  private async swap(version: number, owner: string, { reached, position }: { reached: Position | undefined; position: Position | undefined }): Promise<Omit<Swapped, 'position'>> {
    const { projection, group } = this;
    const { store } = this.parts.sources;
    const former = await store.get(PROJECTIONS, projection.name);
    const document: ProjectionDocument = { active: version, schema: projection.schema, obsolete: former?.active ?? 0 };
    const changes: Change[] = [{ kind: 'put', collection: PROJECTIONS, id: projection.name, document }];
    if (projection === traces) changes.push(...(await adoptRequests(owner, store)));
    changes.push(...(await parkedAtSwap(projection, group, owner, store)));
    const parked = await store.count(parkedEvents(owner));
    const checkpoint = { projection: checkpointName(projection.name, version), expected: reached };
    const result = await store.commit(changes, position === undefined ? [] : [{ ...checkpoint, position }]);
    if (!result.ok) throw new HindsightError('unavailable', `another projector builds ${projection.name} now`);
    return { parked, former: former?.schema === projection.schema && former.active > 0 ? former.active : undefined };
  }
}

interface Built {
  readonly version: number;
  readonly owner: string;
}

interface Swapped {
  readonly position: Position | undefined;
  readonly parked: number;
  /** Version that was in use before, where it is of the same schema. */
  readonly former: number | undefined;
}

/** Which spans of recent requests were counted is known to the run that counted them: the live run takes its journal over. */
async function adoptRequests(owner: string, store: ReadModelStore): Promise<Change[]> {
  const live = recentRequests('live');
  const built = recentRequests(owner);
  const changes: Change[] = (await store.find(live, {})).map(({ id }) => ({ kind: 'delete', collection: live, id }));
  for (const { id, document } of await store.find(built, {})) {
    const rows = await store.blob(built, id, REQUESTS_BLOB);
    if (rows !== undefined) changes.push({ kind: 'put', collection: live, id, document, blobs: { [REQUESTS_BLOB]: rows } });
  }
  return changes;
}

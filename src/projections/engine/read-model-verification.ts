import { type DeadLetterDocument, LIVE_DEAD_LETTERS } from '../../read-models/documents/dead-letter-documents.js';
import type { ReadModelStore } from '../../read-models/read-model-store.js';
import type { Position } from '../../streams/event-store.js';
import {
  combineDigestParts,
  computeDigest,
  type DigestDraft,
  type DigestParts,
  draftDigest,
  findDifferences,
  finishDigestParts,
  readAhead,
  type ReadAhead,
  type DigestReadOptions,
} from './read-model-digest.js';
import type { ProjectionGroup, RunSources } from '../projection-groups.js';
import { createDeadLetterQueue } from './dead-letter-queue.js';
import type { Projection } from '../projection.js';
import { Replay, type ReplaySources } from './projection-replay.js';

export interface VerificationParts extends Omit<RunSources & ReplaySources, 'store' | 'hold'> {
  /** Opens an empty store; closed afterwards in any case. */
  readonly scratch: () => ReadModelStore;
  /** Positions of events that are skipped without an attempt, because they are known to crash the process. */
  readonly fatal?: ReadonlySet<Position>;
  /** Aborts the verification, which then rejects with the reason of the signal. */
  readonly signal: AbortSignal;
}

/** Read model of a fresh replay. */
export interface ReplayedReadModel {
  readonly digest: string;
  /** Damaged events that the replay skipped, in log order. */
  readonly damaged: readonly Pick<DeadLetterDocument, 'position' | 'error'>[];
}

/** Damaged events of the log that a replay skips. Plain data. */
export interface ReplayDamage {
  readonly count: number;
  /** How many of them the read model in use contains, because they were projected before: a replay would lose these. */
  readonly retained: number;
  /** The first of them, at most 100, in log order. */
  readonly events: readonly { readonly position: Position; readonly error: string; readonly retained: boolean }[];
}

const MAX_LISTED_EVENTS = 100;

/** `lacking`: positions that the read model in use lacks. Undefined if the replay met no damage. */
export function describeReplayDamage(
  damaged: ReplayedReadModel['damaged'],
  lacking: ReadonlySet<Position>,
): ReplayDamage | undefined {
  if (damaged.length === 0) return undefined;
  const retained = damaged.filter(({ position }) => !lacking.has(position)).length;
  const events = damaged
    .slice(0, MAX_LISTED_EVENTS)
    .map(({ position, error }) => ({ position, error, retained: !lacking.has(position) }));
  return { count: damaged.length, retained, events };
}

/** Replays the log up to `position` into an empty read model. Damaged events are skipped and listed. */
export async function computeReplayedReadModel(
  projection: Projection,
  group: ProjectionGroup,
  position: Position | undefined,
  parts: VerificationParts,
): Promise<ReplayedReadModel> {
  const { scratch, signal, fatal, journal: _, ...sources } = parts;
  signal.throwIfAborted();
  const store = scratch();
  try {
    const run = group.createRun(new Map([[projection.name, 1]]), 'live', { ...sources, store, hold: { readers: 0 } });
    const deadLetterQueue = createDeadLetterQueue(group, [projection.name], LIVE_DEAD_LETTERS, fatal);
    await runReplayTo(position, new Replay(run, { ...sources, store, deadLetterQueue }), signal);
    const digest = (await computeDigest(projection, 1, store, signal)) ?? '';
    return { digest, damaged: await findDamaged(store) };
  } finally {
    await store.close();
  }
}

async function findDamaged(store: ReadModelStore): Promise<DeadLetterDocument[]> {
  const skipped = (await store.find(LIVE_DEAD_LETTERS, {})).map(({ document }) => document);
  return skipped.filter(({ damaged }) => damaged === true).sort((a, b) => (a.position < b.position ? -1 : 1));
}

async function runReplayTo(position: Position | undefined, replay: Replay, signal: AbortSignal): Promise<void> {
  const stop = (): void => void replay.stop();
  signal.addEventListener('abort', stop);
  try {
    await replay.runTo(position);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Digest of a rebuilt version, compared with the former version at the same position. */
export interface DigestComparison {
  readonly digest: string;
  /** Absent if there was none, or only one with another schema. */
  readonly former?: {
    readonly digest: string;
    readonly equal: boolean;
    /** Collections whose content differs. */
    readonly differences: readonly string[];
  };
}

/**
 * Computes the digest of a version as of the switch. Only what could change afterwards is read while nothing is
 * committed; the former version is not written any more and is read last.
 */
export class SwapVerification {
  private ahead: ReadAhead | undefined;
  private drafted: DigestDraft | undefined;

  constructor(
    private readonly projection: Projection,
    private readonly version: number,
    private readonly store: ReadModelStore,
  ) {}

  /** Reads what can be read while the new version still grows. */
  async prepare(options: DigestReadOptions): Promise<void> {
    this.ahead = await readAhead(this.projection, this.version, this.store, options);
  }

  /**
   * Call when the new version has reached the position of the live run and nothing is committed. Block compaction MUST
   * be on hold from here to `finish`.
   */
  async draft(): Promise<void> {
    this.drafted = await draftDigest(this.projection, this.version, this.store, this.ahead);
  }

  /** `former`: version with the same schema that was active before. Undefined if retention removed rows meanwhile. */
  async finish(former: number | undefined, options: DigestReadOptions): Promise<DigestComparison | undefined> {
    const parts = await finishDigestParts(this.drafted!, this.store, options);
    if (parts === undefined) return undefined;
    const digest = combineDigestParts(parts);
    const before = former === undefined ? undefined : await this.readFormer(former, options);
    if (before === undefined) return { digest };
    const formerDigest = combineDigestParts(before);
    return {
      digest,
      former: { digest: formerDigest, equal: formerDigest === digest, differences: findDifferences(before, parts) },
    };
  }

  private async readFormer(version: number, options: DigestReadOptions): Promise<DigestParts | undefined> {
    const { projection, store } = this;
    const ahead = await readAhead(projection, version, store, options);
    return finishDigestParts(await draftDigest(projection, version, store, ahead), store, options);
  }
}

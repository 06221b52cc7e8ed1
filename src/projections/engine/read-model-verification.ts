import { LIVE_DEAD_LETTERS } from '../../read-models/documents/dead-letter-documents.js';
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
  /** An empty store; closed afterwards, in any case. */
  readonly scratch: () => ReadModelStore;
  /** Events that are passed by untried, because they are known to end the process. */
  readonly fatal?: ReadonlySet<Position>;
  /** Ends it: rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

/** Digest that the read model has after a fresh replay of the log up to `position`. */
export async function computeReplayedDigest(
  projection: Projection,
  group: ProjectionGroup,
  position: Position | undefined,
  parts: VerificationParts,
): Promise<string> {
  const { scratch, signal, fatal, journal: _, ...sources } = parts;
  signal.throwIfAborted();
  const store = scratch();
  try {
    const run = group.createRun(new Map([[projection.name, 1]]), 'live', { ...sources, store, hold: { readers: 0 } });
    const parking = createDeadLetterQueue(group, [projection.name], LIVE_DEAD_LETTERS, fatal);
    await runReplayTo(position, new Replay(run, { ...sources, store, deadLetterQueue: parking }), signal);
    return (await computeDigest(projection, 1, store, signal)) ?? '';
  } finally {
    await store.close();
  }
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

/** What a rebuild made, and how that compares with what was in use before at the same position. */
export interface DigestComparison {
  readonly digest: string;
  /** Absent where there was none, or one of another schema. */
  readonly former?: {
    readonly digest: string;
    readonly equal: boolean;
    /** Collections whose content differs. */
    readonly differences: readonly string[];
  };
}

/**
 * Takes the digest of a version as it is at the swap. Only what could change afterwards is read while nothing moves; the
 * version before is not written any more and is read after it.
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
  async prepare(reading: DigestReadOptions): Promise<void> {
    this.ahead = await readAhead(this.projection, this.version, this.store, reading);
  }

  /** The new version stands where the live run does, and nothing moves. Blocks MUST be held from here to `finish`. */
  async draft(): Promise<void> {
    this.drafted = await draftDigest(this.projection, this.version, this.store, this.ahead);
  }

  /** `former`: version of the same schema that was in use before. Undefined: retention took rows away meanwhile. */
  async finish(former: number | undefined, reading: DigestReadOptions): Promise<DigestComparison | undefined> {
    const parts = await finishDigestParts(this.drafted!, this.store, reading);
    if (parts === undefined) return undefined;
    const digest = combineDigestParts(parts);
    const before = former === undefined ? undefined : await this.readFormer(former, reading);
    if (before === undefined) return { digest };
    const formerDigest = combineDigestParts(before);
    return {
      digest,
      former: { digest: formerDigest, equal: formerDigest === digest, differences: findDifferences(before, parts) },
    };
  }

  private async readFormer(version: number, reading: DigestReadOptions): Promise<DigestParts | undefined> {
    const { projection, store } = this;
    const ahead = await readAhead(projection, version, store, reading);
    return finishDigestParts(await draftDigest(projection, version, store, ahead), store, reading);
  }
}

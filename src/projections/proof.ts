import type { ReadModelStore } from '../read-models/store.js';
import { differences, digestOfParts, draftDigest, finishParts, readAhead, type DigestDraft, type DigestParts, type ReadAhead, type Reading } from './digest.js';
import type { Projection } from './projection.js';

/** What a rebuild made, and how that compares with what was in use before at the same position. */
export interface Proof {
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
export class ProofOfSwap {
  private ahead: ReadAhead | undefined;
  private drafted: DigestDraft | undefined;

  constructor(
    private readonly projection: Projection,
    private readonly version: number,
    private readonly store: ReadModelStore,
  ) {}

  /** Reads what can be read while the new version still grows. */
  async prepare(reading: Reading): Promise<void> {
    this.ahead = await readAhead(this.projection, this.version, this.store, reading);
  }

  /** The new version stands where the live run does, and nothing moves. Blocks MUST be held from here to `finish`. */
  async draft(): Promise<void> {
    this.drafted = await draftDigest(this.projection, this.version, this.store, this.ahead);
  }

  /** `former`: version of the same schema that was in use before. Undefined: retention took rows away meanwhile. */
  async finish(former: number | undefined, reading: Reading): Promise<Proof | undefined> {
    const parts = await finishParts(this.drafted!, this.store, reading);
    if (parts === undefined) return undefined;
    const digest = digestOfParts(parts);
    const before = former === undefined ? undefined : await this.readFormer(former, reading);
    if (before === undefined) return { digest };
    const formerDigest = digestOfParts(before);
    return { digest, former: { digest: formerDigest, equal: formerDigest === digest, differences: differences(before, parts) } };
  }

  private async readFormer(version: number, reading: Reading): Promise<DigestParts | undefined> {
    const { projection, store } = this;
    const ahead = await readAhead(projection, version, store, reading);
    return finishParts(await draftDigest(projection, version, store, ahead), store, reading);
  }
}

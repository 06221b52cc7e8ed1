import { type Identity, identityOf, IdentitySet } from './identity-set.js';

const WINDOW_MS = 15 * 60_000;
const SLICE_MS = 60_000;

/**
 * Requests that were acknowledged lately, so that a repetition is acknowledged without being appended again.
 * This only spares bytes: the projector decides what counts. So it may forget early (at its bound, or up to a minute
 * before the 15 minutes are over), and must never remember longer.
 */
export class AcknowledgedRequests {
  /** By the minute of arrival. */
  private readonly slices = new Map<number, IdentitySet>();
  private remembered = 0;
  private readonly inFlight = new Map<string, Promise<void>>();

  constructor(private readonly maxRemembered = 1_000_000) {}

  get size(): number {
    return this.remembered;
  }

  /**
   * Runs `append` unless the request is known; a repetition that arrives meanwhile shares its outcome.
   * Resolves to whether this call appended. A failed append is forgotten.
   * @param identity hex SHA-256
   * @param at ms, when the request arrived
   */
  async once(identity: string, at: number, append: () => Promise<void>): Promise<boolean> {
    const running = this.inFlight.get(identity);
    if (running !== undefined) return running.then(() => false);
    const key = identityOf(identity);
    if (this.knows(key, at)) return false;
    const attempt = append();
    this.inFlight.set(identity, attempt);
    try {
      await attempt;
      this.remember(key, at);
      return true;
    } finally {
      this.inFlight.delete(identity);
    }
  }

  private knows(identity: Identity, at: number): boolean {
    this.forgetBefore(at - WINDOW_MS);
    for (const identities of this.slices.values()) if (identities.has(identity)) return true;
    return false;
  }

  private remember(identity: Identity, at: number): void {
    const identities = this.sliceFor(Math.floor(at / SLICE_MS));
    const before = identities.size;
    identities.add(identity);
    this.remembered += identities.size - before;
    while (this.remembered > this.maxRemembered) this.forget(Math.min(...this.slices.keys()));
  }

  private sliceFor(minute: number): IdentitySet {
    let identities = this.slices.get(minute);
    if (identities === undefined) {
      identities = new IdentitySet();
      this.slices.set(minute, identities);
    }
    return identities;
  }

  /** Slices go whole, as soon as the oldest arrival in them may be too old. */
  private forgetBefore(time: number): void {
    for (const minute of this.slices.keys()) if (minute * SLICE_MS < time) this.forget(minute);
  }

  private forget(minute: number): void {
    this.remembered -= this.slices.get(minute)?.size ?? 0;
    this.slices.delete(minute);
  }
}

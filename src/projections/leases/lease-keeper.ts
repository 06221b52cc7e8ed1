import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { BehaviorSubject } from 'rxjs';
import type { Observable } from 'rxjs';
import type { Health } from '../../component.js';
import type { Logger } from '../../log.js';
import { type Allocation, owned, without } from './allocation.js';
import { decodeAllocation, encodeAllocation } from './allocation-codec.js';
import { elapsed } from './elapsed.js';
import type { FencingToken, HeldShares, Leases, Member } from './leases.js';
import { holdings, looked, newcomer, opponents, proposal, type Membership, written } from './membership.js';
import type { SharedRegister } from './shared-register.js';
import { LEASE_TIMING, type LeaseTiming } from './timing.js';
import type { Look } from './watch.js';

/** How often a write is tried again at once because others wrote meanwhile. */
const TRIES = 8;

export interface LeaseOptions {
  /** For people: where the member runs. */
  readonly name: string;
  /** How many there are; all members MUST say the same. */
  readonly shares: number;
  readonly timing?: LeaseTiming;
}

/** Leases by a register that all members share: each looks once a beat, proposes, and has what the register took. */
export class LeaseKeeper implements Leases {
  readonly #held = new BehaviorSubject<HeldShares>(new Map());
  readonly #members = new BehaviorSubject<readonly Member[]>([]);
  readonly #closing = new AbortController();
  #membership: Membership;
  #keeping: Promise<void> | undefined;
  #lapse: NodeJS.Timeout | undefined;
  #failure: string | undefined;

  readonly #timing: LeaseTiming;

  /** Closes nothing but itself. */
  constructor(
    private readonly register: SharedRegister,
    { name, shares, timing = LEASE_TIMING }: LeaseOptions,
    private readonly log: Logger,
  ) {
    this.#membership = newcomer(randomUUID(), name, shares);
    this.#timing = timing;
  }

  get held(): Observable<HeldShares> {
    return this.#held;
  }

  get members(): Observable<readonly Member[]> {
    return this.#members;
  }

  join(): void {
    if (!this.#closing.signal.aborted) this.#keeping ??= this.#keep();
  }

  tokenOf(share: number): FencingToken | undefined {
    if (this.#closing.signal.aborted) return undefined;
    return holdings(this.#membership, elapsed()).get(share);
  }

  check(): Promise<Health> {
    return Promise.resolve(this.#health());
  }

  async close(): Promise<void> {
    const first = !this.#closing.signal.aborted;
    this.#closing.abort();
    this.#tell();
    await this.#keeping;
    if (first && this.#keeping !== undefined) await this.#leave();
    this.#held.complete();
    this.#members.complete();
  }

  #health(): Health {
    if (this.#closing.signal.aborted) return { ok: false, reason: 'the leases are closed' };
    const failure = this.#failure ?? 'no seat has been taken yet';
    if (elapsed() >= this.#membership.until) return { ok: false, reason: `no lease is valid: ${failure}` };
    return this.#failure === undefined ? { ok: true } : { ok: true, degraded: `leases are not renewed: ${failure}` };
  }

  async #keep(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#beat();
      // Uneven, so that members do not keep writing at the same moment.
      await delay(this.#timing.beatMs * (0.9 + Math.random() / 10), undefined, { signal }).catch(() => undefined);
    }
  }

  async #beat(): Promise<void> {
    try {
      for (let tries = 0; tries < TRIES && !this.#closing.signal.aborted; tries++) {
        if (await this.#renewed()) return;
        await delay(Math.random() * 5 * 2 ** tries);
      }
    } catch (error) {
      this.#failed(error instanceof Error ? error.message : String(error));
    }
  }

  /** False where another wrote between the look and the write. */
  async #renewed(): Promise<boolean> {
    const look = await this.#look();
    const before = this.#membership;
    const now = elapsed();
    this.#membership = looked(before, look, now, this.#timing);
    this.#refuseOpponents(look, now);
    const proposed = proposal(before, this.#membership, look, now, this.#timing, { name: randomUUID(), startedAt: Date.now() });
    const revision = await this.register.write(encodeAllocation(proposed.allocation), look.revision);
    if (revision === undefined) return false;
    this.#membership = written(this.#membership, proposed, revision, now, this.#timing);
    this.#failure = undefined;
    this.#present(proposed.allocation);
    return true;
  }

  #refuseOpponents(look: Look, now: number): void {
    const others = opponents(this.#membership, look, now, this.#timing);
    if (others.length === 0) return;
    const names = others.map(({ name }) => name).join(', ');
    throw new Error(`${names} divide the Grids into ${look.allocation!.grants.length} shares, and this process into ${this.#membership.shares}`);
  }

  async #look(): Promise<Look> {
    const { value, revision } = await this.register.read();
    return { allocation: value === undefined ? undefined : decodeAllocation(value), revision };
  }

  #present(allocation: Allocation): void {
    this.#members.next(allocation.seats.map(({ id, name }) => ({ id, name, shares: owned(allocation, id).length })));
    this.#tell();
  }

  /** Told now, and again when the leases lapse, whatever the register does until then. */
  #tell(): void {
    const now = elapsed();
    const held: HeldShares = this.#closing.signal.aborted ? new Map() : holdings(this.#membership, now);
    if (!equal(held, this.#held.value)) this.#held.next(held);
    clearTimeout(this.#lapse);
    if (held.size > 0) this.#lapse = setTimeout(() => this.#tell(), this.#membership.until - now + 1);
  }

  /** Told once, not with each beat. */
  #failed(failure: string): void {
    if (failure !== this.#failure) this.log.warn('leases of shares cannot be renewed', { reason: failure });
    this.#failure = failure;
  }

  async #leave(): Promise<void> {
    try {
      for (let tries = 0; tries < TRIES; tries++) {
        const { allocation, revision } = await this.#look();
        if (allocation === undefined) return;
        const left = without(allocation, new Set([this.#membership.id]));
        if ((await this.register.write(encodeAllocation(left), revision)) !== undefined) return;
      }
    } catch (error) {
      // Then the others find out by themselves.
      this.log.warn('leases of shares could not be given back', { error });
    }
  }
}

function equal(one: HeldShares, other: HeldShares): boolean {
  return one.size === other.size && [...one].every(([share, token]) => other.get(share) === token);
}

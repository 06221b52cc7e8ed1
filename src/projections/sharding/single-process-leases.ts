import { BehaviorSubject, of, type Observable } from 'rxjs';
import type { Health } from '../../component.js';
import type { FencingToken, LeasedShards, ShardLeases, LeaseMember } from './shard-leases.js';

/**
 * A process that holds all shares from when it joins, and asks nobody. Its token is the time of its start, so that the store refuses
 * the older of two such processes, whatever they do.
 */
export class SingleProcessLeases implements ShardLeases {
  readonly held: Observable<LeasedShards>;
  readonly members: Observable<readonly LeaseMember[]>;
  readonly #held = new BehaviorSubject<LeasedShards>(new Map());
  #isClosed = false;

  /** `startedAt`: ms since 1970. `name` tells people where it runs. */
  constructor(
    private readonly shares: number,
    private readonly startedAt: FencingToken,
    name: string,
  ) {
    this.held = this.#held;
    this.members = of([{ id: name, name, shares }]);
  }

  join(): void {
    if (this.#isClosed || this.#held.value.size > 0) return;
    this.#held.next(new Map(Array.from({ length: this.shares }, (_none, share) => [share, this.startedAt])));
  }

  fencingToken(share: number): FencingToken | undefined {
    return this.#isClosed ? undefined : this.#held.value.get(share);
  }

  check(): Promise<Health> {
    return Promise.resolve(this.#isClosed ? { ok: false, reason: 'the leases are closed' } : { ok: true });
  }

  close(): Promise<void> {
    this.#isClosed = true;
    if (this.#held.value.size > 0) this.#held.next(new Map());
    this.#held.complete();
    return Promise.resolve();
  }
}

import { BehaviorSubject, of, type Observable } from 'rxjs';
import type { Health } from '../../component.js';
import type { FencingToken, LeasedShards, ShardLeases, LeaseMember } from './shard-leases.js';

/**
 * Leases of a process that owns all shards from the moment it joins, without coordination. Its token is its start time,
 * so that the store rejects the older of two such processes.
 */
export class SingleProcessLeases implements ShardLeases {
  readonly held: Observable<LeasedShards>;
  readonly members: Observable<readonly LeaseMember[]>;
  readonly #held = new BehaviorSubject<LeasedShards>(new Map());
  #isClosed = false;

  /** `startedAt`: ms since 1970. `name`: where the process runs, for display. */
  constructor(
    private readonly shardCount: number,
    private readonly startedAt: FencingToken,
    name: string,
  ) {
    this.held = this.#held;
    this.members = of([{ id: name, name, shardCount }]);
  }

  join(): void {
    if (this.#isClosed || this.#held.value.size > 0) return;
    this.#held.next(new Map(Array.from({ length: this.shardCount }, (_none, shard) => [shard, this.startedAt])));
  }

  fencingToken(shard: number): FencingToken | undefined {
    return this.#isClosed ? undefined : this.#held.value.get(shard);
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

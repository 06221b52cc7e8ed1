import { BehaviorSubject, of, type Observable } from 'rxjs';
import type { Health } from '../../../../../src/component.js';
import type {
  FencingToken,
  LeasedShards,
  ShardLeases,
  LeaseMember,
} from '../../../../../src/projections/sharding/shard-leases.js';

/** Leases of one process as a test hands them out. A disconnected process learns nothing any more, and believes what it heard last. */
export class GrantedLeases implements ShardLeases {
  readonly members: Observable<readonly LeaseMember[]> = of([]);
  readonly #held = new BehaviorSubject<LeasedShards>(new Map());
  health: Health = { ok: true };
  isDisconnected = false;

  get held(): Observable<LeasedShards> {
    return this.#held;
  }

  grant(held: LeasedShards): void {
    if (!this.isDisconnected) this.#held.next(held);
  }

  join(): void {}

  fencingToken(shard: number): FencingToken | undefined {
    return this.#held.value.get(shard);
  }

  check(): Promise<Health> {
    return Promise.resolve(this.health);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

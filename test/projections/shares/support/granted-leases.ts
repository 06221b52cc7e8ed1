import { BehaviorSubject, of, type Observable } from 'rxjs';
import type { Health } from '../../../../src/component.js';
import type { FencingToken, HeldShares, Leases, Member } from '../../../../src/projections/leases/leases.js';

/** Leases of one host as a test hands them out. A host that is deaf learns nothing any more, and believes what it heard last. */
export class GrantedLeases implements Leases {
  readonly members: Observable<readonly Member[]> = of([]);
  readonly #held = new BehaviorSubject<HeldShares>(new Map());
  health: Health = { ok: true };
  isDeaf = false;

  get held(): Observable<HeldShares> {
    return this.#held;
  }

  grant(held: HeldShares): void {
    if (!this.isDeaf) this.#held.next(held);
  }

  join(): void {}

  tokenOf(share: number): FencingToken | undefined {
    return this.#held.value.get(share);
  }

  check(): Promise<Health> {
    return Promise.resolve(this.health);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

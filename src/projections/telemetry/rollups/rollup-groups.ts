import { PairNumbers } from './pair-numbers.js';
import type { RollupKey, RollupShelf } from './rollup-shelf.js';

/** The rollups that a portion adds to, by a number that stands for Grid and service, and by minute. */
export class RollupGroups<A> {
  private readonly groups = new PairNumbers();
  tallies: readonly A[] = [];

  /** Number of the group. Until `open` it has no tally. */
  of(owner: number, minute: number): number {
    return this.groups.of(owner, minute);
  }

  get count(): number {
    return this.groups.count;
  }

  owner(group: number): number {
    return this.groups.firsts[group];
  }

  minute(group: number): number {
    return this.groups.seconds[group];
  }

  /** Opens all of them. `placeOf`: whose an owner's rollups are. */
  async open(shelf: RollupShelf<A>, placeOf: (owner: number) => Pick<RollupKey, 'service'> & { readonly gridId: string }): Promise<void> {
    const tallies: A[] = [];
    for (let group = 0; group < this.count; group++) {
      const { gridId, service } = placeOf(this.owner(group));
      tallies.push(await shelf.open(gridId, this.minute(group), service));
    }
    this.tallies = tallies;
  }
}

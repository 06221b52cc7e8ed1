import type { Exemplar } from '../../telemetry/distribution.js';
import { byText } from '../by-text.js';
import { largestExemplars } from '../exemplars.js';
import { TOP_GROUPS } from './answer.js';
import type { GroupRow } from './group-row.js';
import type { Pieces } from './pieces.js';

/** What the rows of one chart may take together, about. 5,000 groups of two numbers in 400 steps take 34 MB. */
export const MAX_BYTES = 64 * 1024 * 1024;

/** Of a group: what is around its name and its numbers. */
const GROUP_BYTES = 400;
const EXEMPLAR_BYTES = 200;

/** Whose values belong together: `scope` is the service where groups of several services are told apart, else "". */
export interface Group<Of> {
  readonly scope: string;
  readonly name: string;
  readonly row: GroupRow<Of>;
  /** Those of the largest values. */
  exemplars: readonly Exemplar[];
}

export interface RankedGroup<Of> extends Group<Of> {
  /** The value over the whole frame. */
  readonly total: number;
}

/** Which of two groups comes first. */
export type Ranking = (a: RankedGroup<unknown>, b: RankedGroup<unknown>) => number;

export interface TopGroups<Of> {
  /** In their order. */
  readonly named: readonly Group<Of>[];
  /** All others together. Undefined: there are none. */
  readonly others: Group<Of> | undefined;
}

/**
 * The groups of a chart. Which ones come first is known at the end only, so all are kept, up to a bound of memory: past
 * it the half of them that counts least becomes part of the others, for good, so that what a group shows is always all
 * of it. Nothing is lost: named groups and others add up to everything.
 */
export class Groups<Of> {
  /** By scope, then name. `rest` where the name has become part of it. */
  private readonly byScope = new Map<string, Map<string, Group<Of>>>();
  private readonly rest: Group<Of>;
  /** Those that have not become part of `rest`. */
  private readonly open: Group<Of>[] = [];
  /** Of those. */
  private openBytes = 0;
  /** Names of those that have. */
  private readonly closed: Pick<Group<Of>, 'scope' | 'name'>[] = [];

  constructor(
    private readonly newRow: () => GroupRow<Of>,
    private readonly maxBytes = MAX_BYTES,
    /** A row for many groups together, which those of `newRow` can be merged into. */
    private readonly newSharedRow = newRow,
  ) {
    this.rest = this.unnamed();
  }

  add(scope: string, name: string, step: number, of: Of, exemplars: readonly Exemplar[] = []): void {
    const group = this.groupOf(scope, name);
    this.change(group, exemplars, (row) => row.add(step, of));
    if (this.openBytes > this.maxBytes && this.open.length > TOP_GROUPS) this.close();
  }

  /** What no name is known of: it counts with the others. */
  addToOthers(step: number, of: Of, exemplars: readonly Exemplar[] = []): void {
    this.change(this.rest, exemplars, (row) => row.add(step, of));
  }

  /** Memory, roughly. */
  get bytes(): number {
    return this.openBytes + bytesOf(this.rest);
  }

  /** Adds all that another has, made for the same chart: see `merge` of GroupRow. */
  merge(other: Groups<Of>, from: number): void {
    for (const name of other.closed) this.giveUp(this.groupOf(name.scope, name.name));
    for (const group of other.open) this.change(this.groupOf(group.scope, group.name), group.exemplars, (row) => row.merge(group.row, from));
    giveTo(this.rest, other.rest, from);
    if (this.openBytes > this.maxBytes && this.open.length > TOP_GROUPS) this.close();
  }

  /** Groups of which something was measured: the first TOP_GROUPS, and all others. */
  *top(ranking: Ranking): Pieces<TopGroups<Of>> {
    const ranked = [];
    for (const group of this.open) {
      const total = group.row.total();
      if (!Number.isNaN(total)) ranked.push({ ...group, total });
      yield;
    }
    ranked.sort((a, b) => ranking(a, b) || byName(a, b));
    const others = this.unnamed();
    for (const group of [this.rest, ...ranked.slice(TOP_GROUPS)]) {
      giveTo(others, group);
      yield;
    }
    return { named: ranked.slice(0, TOP_GROUPS), others: Number.isNaN(others.row.total()) ? undefined : others };
  }

  private groupOf(scope: string, name: string): Group<Of> {
    let names = this.byScope.get(scope);
    if (names === undefined) this.byScope.set(scope, (names = new Map<string, Group<Of>>()));
    let group = names.get(name);
    if (group === undefined) {
      names.set(name, (group = { scope, name, row: this.newRow(), exemplars: [] }));
      this.open.push(group);
      this.openBytes += bytesOf(group);
    }
    return group;
  }

  private change(group: Group<Of>, exemplars: readonly Exemplar[], add: (row: GroupRow<Of>) => void): void {
    const before = bytesOf(group);
    add(group.row);
    takeExemplars(group, exemplars);
    if (group !== this.rest) this.openBytes += bytesOf(group) - before;
  }

  private close(): void {
    this.open.sort((a, b) => b.row.weight - a.row.weight || byName(a, b));
    const kept = Math.max(TOP_GROUPS, Math.ceil(this.open.length / 2));
    for (const group of this.open.splice(kept)) this.becomeRest(group);
  }

  /** Where the group is one of those that are not. */
  private giveUp(group: Group<Of>): void {
    if (group === this.rest) return;
    this.open.splice(this.open.indexOf(group), 1);
    this.becomeRest(group);
  }

  /** It is not among the open ones any more. */
  private becomeRest(group: Group<Of>): void {
    giveTo(this.rest, group);
    this.byScope.get(group.scope)!.set(group.name, this.rest);
    this.closed.push({ scope: group.scope, name: group.name });
    this.openBytes -= bytesOf(group);
  }

  private unnamed(): Group<Of> {
    return { scope: '', name: '', row: this.newSharedRow(), exemplars: [] };
  }
}

function giveTo<Of>(others: Group<Of>, { row, exemplars }: Group<Of>, from?: number): void {
  others.row.merge(row, from);
  takeExemplars(others, exemplars);
}

/** Characters take two bytes at most. */
function bytesOf({ scope, name, row, exemplars }: Group<unknown>): number {
  return GROUP_BYTES + 2 * (scope.length + name.length) + row.bytes + EXEMPLAR_BYTES * exemplars.length;
}

function takeExemplars(group: Group<unknown>, exemplars: readonly Exemplar[]): void {
  if (exemplars.length > 0) group.exemplars = largestExemplars([group.exemplars, exemplars]);
}

function byName(a: Group<unknown>, b: Group<unknown>): number {
  return byText(a.scope, b.scope) || byText(a.name, b.name);
}

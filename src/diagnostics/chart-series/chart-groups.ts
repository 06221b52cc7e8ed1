import type { Exemplar } from '../../telemetry/metric-distributions.js';
import { compareText } from '../text-order.js';
import { selectLargestExemplars } from '../rollups/distribution-sums.js';
import { type ChartPoint, type ChartSeries, MAX_NAMED_GROUPS, OTHER_GROUPS_LABEL } from './chart-series.js';
import type { GroupAccumulator } from './group-accumulators.js';
import type { SlicedComputation } from './chart-fold-contract.js';
import type { StepClock } from './chart-window.js';

/** What the rows of one chart may take together, about. 5,000 groups of two numbers in 400 steps take 34 MB. */
export const MAX_GROUP_BYTES = 64 * 1024 * 1024;

/** Of a group: what is around its name and its numbers. */
const GROUP_BYTES = 400;

const EXEMPLAR_BYTES = 200;

/** Whose values belong together: `scope` is the service where groups of several services are told apart, else "". */
export interface ChartGroup<Of> {
  readonly scope: string;
  readonly name: string;
  readonly row: GroupAccumulator<Of>;
  /** Those of the largest values. */
  exemplars: readonly Exemplar[];
}

export interface RankedChartGroup<Of> extends ChartGroup<Of> {
  /** The value over the whole frame. */
  readonly total: number;
}

/** Which of two groups comes first. */
export type Ranking = (a: RankedChartGroup<unknown>, b: RankedChartGroup<unknown>) => number;

export interface TopGroups<Of> {
  /** In their order. */
  readonly named: readonly ChartGroup<Of>[];
  /** All others together. Undefined: there are none. */
  readonly others: ChartGroup<Of> | undefined;
}

/**
 * The groups of a chart. Which ones come first is known at the end only, so all are kept, up to a bound of memory: past
 * it the half of them that counts least becomes part of the others, for good, so that what a group shows is always all
 * of it. Nothing is lost: named groups and others add up to everything.
 */
export class ChartGroups<Of> {
  /** By scope, then name. `rest` where the name has become part of it. */
  private readonly byScope = new Map<string, Map<string, ChartGroup<Of>>>();
  private readonly rest: ChartGroup<Of>;
  /** Those that have not become part of `rest`. */
  private readonly open: ChartGroup<Of>[] = [];
  /** Of those. */
  private openBytes = 0;
  /** Names of those that have. */
  private readonly closed: Pick<ChartGroup<Of>, 'scope' | 'name'>[] = [];

  constructor(
    private readonly newRow: () => GroupAccumulator<Of>,
    private readonly maxBytes = MAX_GROUP_BYTES,
    /** A row for many groups together, which those of `newRow` can be merged into. */
    private readonly newSharedRow = newRow,
  ) {
    this.rest = this.createUnnamedGroup();
  }

  add(scope: string, name: string, step: number, of: Of, exemplars: readonly Exemplar[] = []): void {
    const group = this.getOrCreateGroup(scope, name);
    this.updateGroup(group, exemplars, (row) => row.add(step, of));
    if (this.openBytes > this.maxBytes && this.open.length > MAX_NAMED_GROUPS) this.mergeSmallestIntoRest();
  }

  /** What no name is known of: it counts with the others. */
  addToOthers(step: number, of: Of, exemplars: readonly Exemplar[] = []): void {
    this.updateGroup(this.rest, exemplars, (row) => row.add(step, of));
  }

  /** Memory, roughly. */
  get bytes(): number {
    return this.openBytes + estimateGroupBytes(this.rest);
  }

  /** Adds all that another has, made for the same chart: see `merge` of GroupRow. */
  merge(other: ChartGroups<Of>, from: number): void {
    for (const name of other.closed) this.mergeIntoRest(this.getOrCreateGroup(name.scope, name.name));
    for (const group of other.open)
      this.updateGroup(this.getOrCreateGroup(group.scope, group.name), group.exemplars, (row) =>
        row.merge(group.row, from),
      );
    mergeGroup(this.rest, other.rest, from);
    if (this.openBytes > this.maxBytes && this.open.length > MAX_NAMED_GROUPS) this.mergeSmallestIntoRest();
  }

  /** Groups of which something was measured: the first TOP_GROUPS, and all others. */
  *rankTop(ranking: Ranking): SlicedComputation<TopGroups<Of>> {
    const ranked = [];
    for (const group of this.open) {
      const total = group.row.total();
      if (!Number.isNaN(total)) ranked.push({ ...group, total });
      yield;
    }
    ranked.sort((a, b) => ranking(a, b) || compareNames(a, b));
    const others = this.createUnnamedGroup();
    for (const group of [this.rest, ...ranked.slice(MAX_NAMED_GROUPS)]) {
      mergeGroup(others, group);
      yield;
    }
    return { named: ranked.slice(0, MAX_NAMED_GROUPS), others: Number.isNaN(others.row.total()) ? undefined : others };
  }

  private getOrCreateGroup(scope: string, name: string): ChartGroup<Of> {
    let names = this.byScope.get(scope);
    if (names === undefined) this.byScope.set(scope, (names = new Map<string, ChartGroup<Of>>()));
    let group = names.get(name);
    if (group === undefined) {
      names.set(name, (group = { scope, name, row: this.newRow(), exemplars: [] }));
      this.open.push(group);
      this.openBytes += estimateGroupBytes(group);
    }
    return group;
  }

  private updateGroup(
    group: ChartGroup<Of>,
    exemplars: readonly Exemplar[],
    add: (row: GroupAccumulator<Of>) => void,
  ): void {
    const before = estimateGroupBytes(group);
    add(group.row);
    mergeExemplars(group, exemplars);
    if (group !== this.rest) this.openBytes += estimateGroupBytes(group) - before;
  }

  private mergeSmallestIntoRest(): void {
    this.open.sort((a, b) => b.row.weight - a.row.weight || compareNames(a, b));
    const kept = Math.max(MAX_NAMED_GROUPS, Math.ceil(this.open.length / 2));
    for (const group of this.open.splice(kept)) this.absorbIntoRest(group);
  }

  /** Where the group is one of those that are not. */
  private mergeIntoRest(group: ChartGroup<Of>): void {
    if (group === this.rest) return;
    this.open.splice(this.open.indexOf(group), 1);
    this.absorbIntoRest(group);
  }

  /** It is not among the open ones any more. */
  private absorbIntoRest(group: ChartGroup<Of>): void {
    mergeGroup(this.rest, group);
    this.byScope.get(group.scope)!.set(group.name, this.rest);
    this.closed.push({ scope: group.scope, name: group.name });
    this.openBytes -= estimateGroupBytes(group);
  }

  private createUnnamedGroup(): ChartGroup<Of> {
    return { scope: '', name: '', row: this.newSharedRow(), exemplars: [] };
  }
}

function mergeGroup<Of>(others: ChartGroup<Of>, { row, exemplars }: ChartGroup<Of>, from?: number): void {
  others.row.merge(row, from);
  mergeExemplars(others, exemplars);
}

/** Characters take two bytes at most. */
function estimateGroupBytes({ scope, name, row, exemplars }: ChartGroup<unknown>): number {
  return GROUP_BYTES + 2 * (scope.length + name.length) + row.bytes + EXEMPLAR_BYTES * exemplars.length;
}

function mergeExemplars(group: ChartGroup<unknown>, exemplars: readonly Exemplar[]): void {
  if (exemplars.length > 0) group.exemplars = selectLargestExemplars([group.exemplars, exemplars]);
}

function compareNames(a: ChartGroup<unknown>, b: ChartGroup<unknown>): number {
  return compareText(a.scope, b.scope) || compareText(a.name, b.name);
}

/**
 * Named groups in their order, then all others.
 * @param words what is measured: labels where nothing is grouped, one a line. Undefined: groups are.
 */
export function* buildChartSeries<Of>(
  clock: StepClock,
  groups: SlicedComputation<TopGroups<Of>>,
  words: readonly string[] | undefined,
): SlicedComputation<ChartSeries[]> {
  const { named, others } = yield* groups;
  const series: ChartSeries[] = [];
  for (const group of named) {
    series.push(
      ...group.row.lines().map((line, i) => buildSeries(clock, words?.[i] ?? groupLabel(group), line, group)),
    );
    yield;
  }
  if (others !== undefined)
    series.push(...others.row.lines().map((line) => buildSeries(clock, OTHER_GROUPS_LABEL, line, others)));
  return series;
}

function groupLabel({ scope, name }: ChartGroup<unknown>): string {
  return scope === '' ? name : `${scope} ${name}`;
}

function buildSeries(
  clock: StepClock,
  label: string,
  line: Float64Array,
  { exemplars }: ChartGroup<unknown>,
): ChartSeries {
  const points: ChartPoint[] = [];
  clock.steps.forEach(({ atMs }, step) => {
    // Sums of doubles may have left their range.
    if (Number.isFinite(line[step])) points.push({ atMs, value: line[step] });
  });
  return { label, points, exemplars };
}

export const LARGEST_FIRST: Ranking = (a, b) => b.total - a.total;
export const SMALLEST_FIRST: Ranking = (a, b) => a.total - b.total;

import type { Exemplar } from '../../telemetry/metric-distributions.js';
import { compareText } from '../text-order.js';
import { selectLargestExemplars } from '../rollups/distribution-sums.js';
import { type ChartPoint, type ChartSeries, MAX_NAMED_GROUPS, OTHER_GROUPS_LABEL } from './chart-series.js';
import type { GroupAccumulator } from './group-accumulators.js';
import type { SlicedComputation } from './chart-fold-contract.js';
import type { StepClock } from './chart-window.js';

/** Approximate memory limit of the groups of one chart. 5,000 groups with two numbers in 400 steps take 34 MB. */
export const MAX_GROUP_BYTES = 64 * 1024 * 1024;

/** Overhead of a group besides its name and accumulator. */
const GROUP_BYTES = 400;

const EXEMPLAR_BYTES = 200;

/** A group of values. `scope` is the service if groups of several services are distinguished, else "". */
export interface ChartGroup<Item> {
  readonly scope: string;
  readonly name: string;
  readonly accumulator: GroupAccumulator<Item>;
  /** Those with the largest values. */
  exemplars: readonly Exemplar[];
}

export interface RankedChartGroup<Item> extends ChartGroup<Item> {
  /** The value over the whole window. */
  readonly total: number;
}

/** Sort order of groups; ties are ordered by name. */
export type Ranking = (a: RankedChartGroup<unknown>, b: RankedChartGroup<unknown>) => number;

export interface TopGroups<Item> {
  /** In ranking order. */
  readonly named: readonly ChartGroup<Item>[];
  /** All other groups combined; undefined if there are none. */
  readonly others: ChartGroup<Item> | undefined;
}

/**
 * The groups of a chart. The ranking is known only at the end, so all groups are stored up to a memory limit. Beyond it
 * the half with the lowest weight is merged into a rest group permanently, so that a named group is always complete.
 * Nothing is lost: named groups and the rest add up to the total.
 */
export class ChartGroups<Item> {
  /** By scope, then name; `rest` for names that were merged into it. */
  private readonly byScope = new Map<string, Map<string, ChartGroup<Item>>>();
  private readonly rest: ChartGroup<Item>;
  /** Groups that were not merged into `rest`. */
  private readonly open: ChartGroup<Item>[] = [];
  /** Approximate memory of the open groups. */
  private openBytes = 0;
  /** Names of the groups merged into `rest`. */
  private readonly closed: Pick<ChartGroup<Item>, 'scope' | 'name'>[] = [];

  constructor(
    private readonly createAccumulator: () => GroupAccumulator<Item>,
    private readonly maxBytes = MAX_GROUP_BYTES,
    /** Creates an accumulator for many combined groups; it accepts merges of those from `createAccumulator`. */
    private readonly createSharedAccumulator = createAccumulator,
  ) {
    this.rest = this.createUnnamedGroup();
  }

  /** Adds a value to the named group in this step. */
  add(scope: string, name: string, step: number, item: Item, exemplars: readonly Exemplar[] = []): void {
    const group = this.getOrCreateGroup(scope, name);
    this.updateGroup(group, exemplars, (accumulator) => accumulator.add(step, item));
    if (this.openBytes > this.maxBytes && this.open.length > MAX_NAMED_GROUPS) this.mergeSmallestIntoRest();
  }

  /** Adds a value without a name; it counts with the rest. */
  addToOthers(step: number, item: Item, exemplars: readonly Exemplar[] = []): void {
    this.updateGroup(this.rest, exemplars, (accumulator) => accumulator.add(step, item));
  }

  /** Approximate memory. */
  get bytes(): number {
    return this.openBytes + estimateGroupBytes(this.rest);
  }

  /** Adds the groups of another instance for the same chart: see `merge` of GroupAccumulator. */
  merge(other: ChartGroups<Item>, from: number): void {
    for (const name of other.closed) this.mergeIntoRest(this.getOrCreateGroup(name.scope, name.name));
    for (const group of other.open)
      this.updateGroup(this.getOrCreateGroup(group.scope, group.name), group.exemplars, (accumulator) =>
        accumulator.merge(group.accumulator, from),
      );
    mergeGroup(this.rest, other.rest, from);
    if (this.openBytes > this.maxBytes && this.open.length > MAX_NAMED_GROUPS) this.mergeSmallestIntoRest();
  }

  /** The first MAX_NAMED_GROUPS groups with a value, and all others combined. */
  *rankTop(ranking: Ranking): SlicedComputation<TopGroups<Item>> {
    const ranked = [];
    for (const group of this.open) {
      const total = group.accumulator.total();
      if (!Number.isNaN(total)) ranked.push({ ...group, total });
      yield;
    }
    ranked.sort((a, b) => ranking(a, b) || compareNames(a, b));
    const others = this.createUnnamedGroup();
    for (const group of [this.rest, ...ranked.slice(MAX_NAMED_GROUPS)]) {
      mergeGroup(others, group);
      yield;
    }
    return {
      named: ranked.slice(0, MAX_NAMED_GROUPS),
      others: Number.isNaN(others.accumulator.total()) ? undefined : others,
    };
  }

  private getOrCreateGroup(scope: string, name: string): ChartGroup<Item> {
    let names = this.byScope.get(scope);
    if (names === undefined) this.byScope.set(scope, (names = new Map<string, ChartGroup<Item>>()));
    let group = names.get(name);
    if (group === undefined) {
      names.set(name, (group = { scope, name, accumulator: this.createAccumulator(), exemplars: [] }));
      this.open.push(group);
      this.openBytes += estimateGroupBytes(group);
    }
    return group;
  }

  private updateGroup(
    group: ChartGroup<Item>,
    exemplars: readonly Exemplar[],
    update: (accumulator: GroupAccumulator<Item>) => void,
  ): void {
    const before = estimateGroupBytes(group);
    update(group.accumulator);
    mergeExemplars(group, exemplars);
    if (group !== this.rest) this.openBytes += estimateGroupBytes(group) - before;
  }

  private mergeSmallestIntoRest(): void {
    this.open.sort((a, b) => b.accumulator.weight - a.accumulator.weight || compareNames(a, b));
    const keptCount = Math.max(MAX_NAMED_GROUPS, Math.ceil(this.open.length / 2));
    for (const group of this.open.splice(keptCount)) this.absorbIntoRest(group);
  }

  /** Merges an open group into `rest`; does nothing if that already happened. */
  private mergeIntoRest(group: ChartGroup<Item>): void {
    if (group === this.rest) return;
    this.open.splice(this.open.indexOf(group), 1);
    this.absorbIntoRest(group);
  }

  /** The group must already be removed from the open ones. */
  private absorbIntoRest(group: ChartGroup<Item>): void {
    mergeGroup(this.rest, group);
    this.byScope.get(group.scope)!.set(group.name, this.rest);
    this.closed.push({ scope: group.scope, name: group.name });
    this.openBytes -= estimateGroupBytes(group);
  }

  private createUnnamedGroup(): ChartGroup<Item> {
    return { scope: '', name: '', accumulator: this.createSharedAccumulator(), exemplars: [] };
  }
}

function mergeGroup<Item>(target: ChartGroup<Item>, { accumulator, exemplars }: ChartGroup<Item>, from?: number): void {
  target.accumulator.merge(accumulator, from);
  mergeExemplars(target, exemplars);
}

/** Characters take at most two bytes. */
function estimateGroupBytes({ scope, name, accumulator, exemplars }: ChartGroup<unknown>): number {
  return GROUP_BYTES + 2 * (scope.length + name.length) + accumulator.bytes + EXEMPLAR_BYTES * exemplars.length;
}

function mergeExemplars(group: ChartGroup<unknown>, exemplars: readonly Exemplar[]): void {
  if (exemplars.length > 0) group.exemplars = selectLargestExemplars([group.exemplars, exemplars]);
}

function compareNames(a: ChartGroup<unknown>, b: ChartGroup<unknown>): number {
  return compareText(a.scope, b.scope) || compareText(a.name, b.name);
}

/**
 * Builds the series of the named groups in ranking order, then one for all others.
 * @param labels one label per line of the chart if it is not grouped; undefined: groups are labelled by their names.
 */
export function* buildChartSeries<Item>(
  clock: StepClock,
  groups: SlicedComputation<TopGroups<Item>>,
  labels: readonly string[] | undefined,
): SlicedComputation<ChartSeries[]> {
  const { named, others } = yield* groups;
  const series: ChartSeries[] = [];
  for (const group of named) {
    series.push(
      ...group.accumulator.lines().map((line, i) => buildSeries(clock, labels?.[i] ?? groupLabel(group), line, group)),
    );
    yield;
  }
  if (others !== undefined)
    series.push(...others.accumulator.lines().map((line) => buildSeries(clock, OTHER_GROUPS_LABEL, line, others)));
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
    // Sums of doubles may have overflowed.
    if (Number.isFinite(line[step])) points.push({ atMs, value: line[step] });
  });
  return { label, points, exemplars };
}

export const LARGEST_FIRST: Ranking = (a, b) => b.total - a.total;
export const SMALLEST_FIRST: Ranking = (a, b) => a.total - b.total;

import { Aggregation } from './aggregation/aggregation.js';
import type { RecordSource } from './columns/record-batch.js';
import { describeAggregate, describeGroup } from './result-columns.js';
import type { Query, QueryRange, SeriesAnswer } from './query-model.js';
import { forEachSelection, GroupedAggregates, presentTimes } from './table-query.js';

const US_PER_SECOND = 1e6;
const US_PER_MS = 1e3;

/** Steps of a series: whole multiples of their length since 1970. */
interface StepGrid {
  readonly stepUs: number;
  readonly first: number;
  readonly count: number;
}

export function listSteps({ fromUs, toUs }: QueryRange, stepSeconds: number): StepGrid {
  const stepUs = stepSeconds * US_PER_SECOND;
  const first = Math.floor(fromUs / stepUs);
  return { stepUs, first, count: Math.max(0, Math.ceil(toUs / stepUs) - first) };
}

/**
 * Answers a query with a series for each of its first groups. The groups are found first, over the whole range; only
 * those that are answered have steps in memory.
 */
export async function answerSeries(query: Query, stepSeconds: number, source: RecordSource): Promise<SeriesAnswer> {
  const totals = new GroupedAggregates(query, source.timeSlice.openMemory());
  await totals.collect(source);
  const ordered = totals.listRows();
  const shown = ordered.slice(0, query.limit);
  const steps = listSteps(query.range, stepSeconds);
  const stepped = await collectSteps(query, source, totals, shown, steps);
  return {
    columns: [
      ...query.groupBy.map((field) => describeGroup(query.signal, field)),
      ...query.select.map((aggregate) => describeAggregate(query.signal, aggregate)),
    ],
    series: shown.map(({ cells }, index) => ({
      group: cells.slice(0, query.groupBy.length),
      points: Array.from({ length: steps.count }, (_, step) => [
        new Date(((steps.first + step) * steps.stepUs) / US_PER_MS).toISOString(),
        ...presentTimes(
          query,
          query.select.map((aggregate) =>
            stepped.value(aggregate, index * steps.count + step, measureStep(query, steps, step)),
          ),
        ),
      ]),
    })),
    totalSeries: ordered.length,
    exact: true,
    ...totals.notes(source),
  };
}

/** Time (µs) of the step that is in the range and not in the future. */
function measureStep({ range, nowUs }: Query, { stepUs, first }: StepGrid, step: number): number {
  const start = (first + step) * stepUs;
  return Math.min(start + stepUs, range.toUs, nowUs) - Math.max(start, range.fromUs);
}

async function collectSteps(
  query: Query,
  source: RecordSource,
  totals: GroupedAggregates,
  shown: readonly { readonly group: number }[],
  steps: StepGrid,
): Promise<Aggregation> {
  const places = new Int32Array(totals.groups.keys.length).fill(-1);
  shown.forEach(({ group }, index) => (places[group] = index));
  const aggregation = new Aggregation(query.select, totals.budget);
  aggregation.reserve(shown.length * steps.count);
  await forEachSelection(query, source, async (batch, selected) => {
    const { rows, groups } = await totals.assignGroups(batch, selected);
    const times = await batch.readTimesUs();
    const kept = { rows: new Uint16Array(rows.length), cells: new Uint32Array(rows.length), count: 0 };
    for (let i = 0; i < rows.length; i++) {
      const place = places[groups[i]];
      if (place < 0) continue;
      const step = Math.floor(times[rows[i]] / steps.stepUs) - steps.first;
      kept.rows[kept.count] = rows[i];
      kept.cells[kept.count++] = place * steps.count + step;
    }
    const { count } = kept;
    await aggregation.add(
      batch,
      { rows: kept.rows.subarray(0, count), cells: kept.cells.subarray(0, count) },
      (field) => batch.readColumn(field, selected),
    );
  });
  return aggregation;
}

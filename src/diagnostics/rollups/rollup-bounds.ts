import {
  OTHER_NAME,
  ROLLUP_BOUNDS,
  type ExceptionRollup,
  type GridRollup,
  type LogRollup,
  type MetricRollup,
  type OperationRollup,
  type ServiceRollup,
} from './rollup-types.js';
import { sumCalls, sumGrid, sumLog, sumMetric, sumService } from './rollup-sums.js';

/*
 * Sums of many rollups may contain more names than one rollup may. These functions reduce them to ROLLUP_BOUNDS: the
 * names with the highest counts stay, all others are added up under `__other__`, so that totals remain exact.
 */

export function boundGrid(rollup: GridRollup): GridRollup {
  const { services, edges } = rollup;
  if (services.length <= ROLLUP_BOUNDS.services && edges.length <= ROLLUP_BOUNDS.edges) return rollup;
  return sumGrid([
    {
      services: foldIntoOther(
        services,
        ROLLUP_BOUNDS.services,
        ({ count, kinds }) => count + kinds.reduce((sum, each) => sum + each, 0),
        (item) => ({ ...item, service: OTHER_NAME }),
      ),
      edges: foldIntoOther(
        edges,
        ROLLUP_BOUNDS.edges,
        ({ count }) => count,
        (item) => ({ ...item, source: OTHER_NAME, target: OTHER_NAME, virtual: false }),
      ),
    },
  ]);
}

export function boundService(rollup: ServiceRollup): ServiceRollup {
  const { operations, ...sum } = sumService([
    {
      service: rollup.service,
      operations: foldIntoOther(
        rollup.operations,
        ROLLUP_BOUNDS.operations,
        ({ count }) => count,
        (item) => ({ ...item, operation: OTHER_NAME }),
      ),
      exceptions: boundExceptions(rollup.exceptions),
      versions: foldIntoOther(
        rollup.versions,
        ROLLUP_BOUNDS.versions,
        ({ spans }) => spans,
        (item) => ({ ...item, version: OTHER_NAME }),
      ),
      instances: foldIntoOther(
        rollup.instances,
        ROLLUP_BOUNDS.instances,
        ({ spans }) => spans,
        (item) => ({ ...item, instance: OTHER_NAME }),
      ),
    },
  ]);
  return { ...sum, operations: operations.map(boundCalls) };
}

export function boundLog(rollup: LogRollup): LogRollup {
  return sumLog([
    {
      ...rollup,
      templates: foldIntoOther(
        rollup.templates,
        ROLLUP_BOUNDS.templates,
        ({ count }) => count,
        (item) => ({ ...item, template: OTHER_NAME }),
      ),
      exceptions: boundExceptions(rollup.exceptions),
    },
  ]);
}

/** Series beyond the limit are those with the fewest points; of their sum only the number of points is stored. */
export function boundMetric(rollup: MetricRollup): MetricRollup {
  return sumMetric([
    {
      ...rollup,
      series: foldIntoOther(
        rollup.series,
        ROLLUP_BOUNDS.series,
        ({ points }) => points,
        ({ limits: _limits, ...item }) => ({
          ...item,
          metric: OTHER_NAME,
          unit: '',
          kind: 'gauge',
          monotonic: false,
          instance: '',
          attributes: [],
          sum: 0,
          count: 0,
          min: NaN,
          max: NaN,
          last: 0,
          buckets: [],
          quantiles: [],
          exemplars: [],
        }),
      ),
    },
  ]);
}

function boundExceptions(exceptions: readonly ExceptionRollup[]): readonly ExceptionRollup[] {
  return foldIntoOther(
    exceptions,
    ROLLUP_BOUNDS.exceptions,
    ({ count }) => count,
    (item) => ({ ...item, type: OTHER_NAME, message: '' }),
  );
}

function boundCalls(operation: OperationRollup): OperationRollup {
  const { calls } = operation;
  if (calls.length <= ROLLUP_BOUNDS.calls) return operation;
  return {
    ...operation,
    calls: sumCalls([
      foldIntoOther(
        calls,
        ROLLUP_BOUNDS.calls,
        ({ count }) => count,
        (item) => ({ ...item, service: OTHER_NAME, operation: OTHER_NAME }),
      ),
    ]),
  };
}

/** Returns all items; those after the first `bound` by weight (ties in list order) are renamed with `renamed`. */
function foldIntoOther<T>(
  items: readonly T[],
  bound: number,
  weigh: (item: T) => number,
  rename: (item: T) => T,
): readonly T[] {
  if (items.length <= bound) return items;
  const ranked = items
    .map((item, index) => ({ item, index, weight: weigh(item) }))
    .sort((a, b) => b.weight - a.weight || a.index - b.index);
  return ranked.map(({ item }, rank) => (rank < bound ? item : rename(item)));
}

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
 * Sums of many rollups name more than one rollup may. These bring them back within ROLLUP_BOUNDS: what counts most keeps
 * its name, the rest counts together under `__other__`, so that totals stay exact.
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
        (one) => ({ ...one, service: OTHER_NAME }),
      ),
      edges: foldIntoOther(
        edges,
        ROLLUP_BOUNDS.edges,
        ({ count }) => count,
        (one) => ({ ...one, source: OTHER_NAME, target: OTHER_NAME, virtual: false }),
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
        (one) => ({ ...one, operation: OTHER_NAME }),
      ),
      exceptions: boundExceptions(rollup.exceptions),
      versions: foldIntoOther(
        rollup.versions,
        ROLLUP_BOUNDS.versions,
        ({ spans }) => spans,
        (one) => ({ ...one, version: OTHER_NAME }),
      ),
      instances: foldIntoOther(
        rollup.instances,
        ROLLUP_BOUNDS.instances,
        ({ spans }) => spans,
        (one) => ({ ...one, instance: OTHER_NAME }),
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
        (one) => ({ ...one, template: OTHER_NAME }),
      ),
      exceptions: boundExceptions(rollup.exceptions),
    },
  ]);
}

/** Series past the bound are those with the fewest points; together they tell no more than how many points they had. */
export function boundMetric(rollup: MetricRollup): MetricRollup {
  return sumMetric([
    {
      ...rollup,
      series: foldIntoOther(
        rollup.series,
        ROLLUP_BOUNDS.series,
        ({ points }) => points,
        (one) => ({
          ...one,
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
    (one) => ({ ...one, type: OTHER_NAME, message: '' }),
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
        (one) => ({ ...one, service: OTHER_NAME, operation: OTHER_NAME }),
      ),
    ]),
  };
}

/** All items; those past the `bound` heaviest, ties in the order of the list, under the name of the rest. */
function foldIntoOther<T>(
  items: readonly T[],
  bound: number,
  weigh: (item: T) => number,
  renamed: (item: T) => T,
): readonly T[] {
  if (items.length <= bound) return items;
  const ranked = items
    .map((item, index) => ({ item, index, weight: weigh(item) }))
    .sort((a, b) => b.weight - a.weight || a.index - b.index);
  return ranked.map(({ item }, rank) => (rank < bound ? item : renamed(item)));
}

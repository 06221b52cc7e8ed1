import { AGGREGATIONS, CHART_BOUNDS, CHART_TYPES, DERIVED_UNITS, isDerivedMetric, type DerivedMetric, type NewChart, type NewDashboard } from '../../diagnostics/chart.js';
import type { FieldError } from '../../errors.js';
import { choiceFault, fault, optionalTextFault, textFault } from '../faults.js';
import { placementFaults, type IsKnown } from './placements.js';

/** UCUM's other times, which charts would read the milliseconds of latencies as. */
const OTHER_TIMES = ['ns', 'us', 'µs', 'μs', 's', 'min', 'h', 'd'];

const BY_SPANS = ['service', 'operation'];
const BY_LOGS = ['service', 'severity'];

/** What each derived metric can be grouped by, if it is. `latency` is three series already. */
const GROUPS_OF: Readonly<Record<DerivedMetric, readonly string[]>> = {
  request_rate: BY_SPANS,
  error_rate: BY_SPANS,
  latency: [],
  latency_avg: BY_SPANS,
  latency_p50: BY_SPANS,
  latency_p95: BY_SPANS,
  latency_p99: BY_SPANS,
  apdex: BY_SPANS,
  log_rate: BY_LOGS,
  error_log_rate: BY_LOGS,
};

/** All faults of a chart at once. Takes anything for a field: what was sent need not have the types that it claims. */
export function chartFaults(chart: NewChart): FieldError[] {
  const { nameLength } = CHART_BOUNDS;
  return [
    ...fault('title', textFault(chart.title, CHART_BOUNDS.titleLength)),
    ...fault('chartType', choiceFault(chart.chartType, CHART_TYPES)),
    ...fault('metric', textFault(chart.metric, nameLength)),
    ...fault('serviceName', optionalTextFault(chart.serviceName, nameLength)),
    ...fault('groupBy', groupFault(chart)),
    ...fault('aggregation', aggregationFault(chart)),
    ...fault('unit', unitFault(chart)),
  ];
}

/**
 * All faults of a dashboard at once. Those of a placed chart are named `charts[0].chartId`, `charts[0].position`,
 * `charts[0].position.col`.
 * @param isKnown whether the Grid has a chart of this id; absent where nobody knows the Grid
 */
export function dashboardFaults({ title, description, charts }: NewDashboard, isKnown: IsKnown = () => true): FieldError[] {
  return [
    ...fault('title', textFault(title, CHART_BOUNDS.titleLength)),
    ...fault('description', optionalTextFault(description, CHART_BOUNDS.descriptionLength)),
    ...placementFaults(charts, isKnown),
  ];
}

/** OTLP metrics can be grouped by any attribute, so that every text is right for them. */
function groupFault({ metric, groupBy }: NewChart): string | undefined {
  if (!isDerivedMetric(metric)) return optionalTextFault(groupBy, CHART_BOUNDS.nameLength);
  const groups = GROUPS_OF[metric];
  if (groupBy === '' || groups.includes(groupBy)) return undefined;
  return groups.length === 0 ? `must be empty for ${metric}` : `must be empty, ${groups.join(' or ')} for ${metric}`;
}

function aggregationFault({ metric, aggregation }: NewChart): string | undefined {
  if (aggregation === '') return undefined;
  if (isDerivedMetric(metric)) return `must be empty for ${metric}, which is no OTLP metric`;
  return AGGREGATIONS.includes(aggregation) ? undefined : `must be empty or one of ${AGGREGATIONS.join(', ')}`;
}

/** A unit names what is shown, and nothing is converted. */
function unitFault({ metric, unit }: NewChart): string | undefined {
  const isMistaken = isDerivedMetric(metric) && DERIVED_UNITS[metric] === 'ms' && OTHER_TIMES.includes(unit);
  return isMistaken ? `must be empty or ms for ${metric}, whose values are in ms` : optionalTextFault(unit, CHART_BOUNDS.nameLength);
}

import type { ListedMetric, MetricCatalog } from '../../queries/charts/questions.js';
import { PresentedList } from '../presented-list.js';
import { EVERY_ROLE, route, type Route } from '../route.js';
import { type Metric, MetricCatalog as MetricCatalogSchema } from '../schemas/metrics.js';
import type { Shown } from '../schemas/terms.js';
import { iso } from './iso.js';

export const metricRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/apm/metrics/{gridSecondaryId}',
    operationId: 'listMetrics',
    tag: 'Metrics',
    summary: 'List the OpenTelemetry metrics that were seen within the last day',
    grid: 'path',
    roles: EVERY_ROLE,
    run: ({ charts }, { params }) => charts.metrics(params.gridSecondaryId),
    answer: MetricCatalogSchema,
    present: presentCatalog,
  }),
];

/** `overflow` is there only where series past the limit came in. */
function presentCatalog({ metrics, seriesCount, seriesLimit, overflow }: MetricCatalog): Shown<typeof MetricCatalogSchema> {
  return {
    metrics: new PresentedList(metrics, presentMetric),
    seriesCount, seriesLimit,
    ...(overflow !== undefined && { overflow: { firstAt: iso(overflow.firstMs), lastAt: iso(overflow.lastMs) } }),
  };
}

/** `monotonic` is of sums alone. */
function presentMetric({ name, unit, type, monotonic, services, attributeKeys, seriesCount }: ListedMetric): Shown<typeof Metric> {
  return { name, unit, type, ...(type === 'sum' && { monotonic }), services, attributeKeys, seriesCount };
}

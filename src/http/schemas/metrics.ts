import Type from 'typebox';
import { choice, count, flag, instant, listOf, members, record, text } from './terms.js';

const KINDS = ['gauge', 'sum', 'histogram', 'exponential_histogram', 'summary'] as const;

export const Metric = record('Metric', 'An OpenTelemetry metric of one kind.', {
  name: text('Name of the metric.', 'http.server.request.duration'),
  unit: text('Unit as it was sent; empty where none was.', 's'),
  type: choice(KINDS, 'Kind of its data points.', 'histogram'),
  monotonic: Type.Optional(flag('Whether it only grows; of sums alone.', true)),
  services: listOf(text('Name of a service.', 'checkout'), 'Services that sent it, ascending.'),
  attributeKeys: listOf(text('Key of an attribute.', 'http.route'), 'Keys of attributes of its data points, ascending.'),
  seriesCount: count('Series that it has.', 12),
});

export const MetricCatalog = record('MetricCatalog', "OpenTelemetry metrics that were seen within the last day of the Grid's data.", {
  metrics: listOf(Metric, 'By name, then kind.'),
  seriesCount: count('Series of all metrics.', 240),
  seriesLimit: count('Series that a Grid may have; points of more are not kept.', 100_000),
  overflow: Type.Optional(members('There only where points came of series past the limit.', {
    firstAt: instant('Minute of the first of them.'),
    lastAt: instant('Minute of the last of them.', '2026-03-14T10:26:00.000Z'),
  })),
});

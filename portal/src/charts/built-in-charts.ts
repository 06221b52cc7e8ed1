/** A chart as listed, without its definition. */
export interface ChartSummary {
  readonly id: string;
  readonly title: string;
  readonly serviceName: string;
  readonly metric: string;
}

/** Titles of the built-in charts of each Grid and service, by metric. They must equal the titles that the service assigns. */
const BUILT_IN_TITLES: Readonly<Record<string, string>> = {
  request_rate: 'Requests',
  error_rate: 'Error rate',
  apdex: 'Apdex',
  latency: 'Latency',
  log_rate: 'Logs by severity',
};

/**
 * The built-in chart of a metric, of a service or ("") of the whole Grid; undefined if it was deleted. The list does not include the grouping of
 * a chart, so charts are matched by title: another chart of the same metric may have one line per operation.
 */
export function findBuiltInChart(
  charts: readonly ChartSummary[],
  serviceName: string,
  metric: string,
): ChartSummary | undefined {
  const title = BUILT_IN_TITLES[metric];
  if (title === undefined) return undefined;
  const full = serviceName === '' ? title : `${serviceName} · ${title}`;
  return charts.find((chart) => chart.serviceName === serviceName && chart.metric === metric && chart.title === full);
}

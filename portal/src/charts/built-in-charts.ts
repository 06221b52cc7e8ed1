/** What is known of a chart without asking for its definition. */
export interface ChartSummary {
  readonly id: string;
  readonly title: string;
  readonly serviceName: string;
  readonly metric: string;
}

/** Metrics that every Grid and every service has a chart of, by the titles that the service gives them. */
const BUILT_IN_TITLES: Readonly<Record<string, string>> = {
  request_rate: 'Requests',
  error_rate: 'Error rate',
  apdex: 'Apdex',
  latency: 'Latency',
  log_rate: 'Logs by severity',
};

/**
 * The chart that draws a metric undivided, of a service or ("") of the whole Grid; undefined where somebody has removed it. The list does not tell how
 * a chart divides its values, so the title has to: another one of the same metric may draw a line an operation.
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

/** Page of the portal that shows a source. */
export type SourceTarget =
  | { readonly kind: 'page'; readonly page: string; readonly parameters: Readonly<Record<string, string>> }
  | { readonly kind: 'service' | 'trace'; readonly id: string };

/** Pages by type of source. */
const SOURCE_PAGES: Readonly<Record<string, string>> = {
  grid: 'overview',
  health: 'overview',
  trends: 'overview',
  timeline: 'overview',
  pressure: 'overview',
  'slowest-endpoints': 'overview',
  alerts: 'overview',
  diagnosis: 'diagnosis',
  'service-map': 'map',
  changes: 'changes',
  comparison: 'compare',
  traces: 'traces',
  'trace-filters': 'traces',
  span: 'traces',
  'span-events': 'traces',
  'span-tags': 'traces',
  logs: 'logs',
  log: 'logs',
  'log-filters': 'logs',
  metrics: 'metrics',
  chart: 'dashboards',
  charts: 'dashboards',
  dashboard: 'dashboards',
  'alert-rules': 'alerts',
  usage: 'usage',
  'usage-summary': 'usage',
};

const TRACE_PATTERN = / of trace ([0-9a-f]{32})$/i;
const LOG_PATTERN = /^(Trace|Debug|Information|Warning|Error|Fatal) of (.+)$/;

/** The target of a source by its type and the names in its description; undefined if the portal has no page for it. */
export function resolveSourceTarget({
  type,
  description,
}: {
  readonly type: string;
  readonly description: string;
}): SourceTarget | undefined {
  const trace = TRACE_PATTERN.exec(description)?.[1];
  if (trace !== undefined && type.startsWith('trace-')) return { kind: 'trace', id: trace.toLowerCase() };
  // The service's name, a comma, and the time window, which contains no comma.
  if (type === 'service-detail' && description.includes(', '))
    return { kind: 'service', id: description.slice(0, description.lastIndexOf(', ')) };
  const page = Object.hasOwn(SOURCE_PAGES, type) ? SOURCE_PAGES[type] : undefined;
  if (page === undefined) return undefined;
  const log = type === 'log' ? LOG_PATTERN.exec(description) : null;
  return { kind: 'page', page, parameters: log === null ? {} : { severity: log[1] ?? '', service: log[2] ?? '' } };
}

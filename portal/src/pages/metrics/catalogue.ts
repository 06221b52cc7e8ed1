/** Something that can be drawn: derived by Hindsight from traces and logs, or sent by services. */
export interface Drawable {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  readonly type: string;
  readonly isDerived: boolean;
  readonly services: readonly string[];
  readonly attributeKeys: readonly string[];
}

interface SentMetric {
  readonly name: string;
  readonly unit: string;
  readonly type: string;
  readonly services: readonly string[];
  readonly attributeKeys: readonly string[];
}

const derived = (name: string, title: string, unit: string, from: string): Drawable => ({
  name,
  title,
  unit,
  type: from,
  isDerived: true,
  services: [],
  attributeKeys: [],
});

/** What Hindsight derives without anybody sending a metric. */
export const DERIVED: readonly Drawable[] = [
  derived('request_rate', 'Requests', 'req/s', 'from traces'),
  derived('error_rate', 'Error rate', '%', 'from traces'),
  derived('latency', 'Latency: p50, p95 and p99', 'ms', 'from traces'),
  derived('latency_avg', 'Latency, average', 'ms', 'from traces'),
  derived('latency_p50', 'Latency, p50', 'ms', 'from traces'),
  derived('latency_p95', 'Latency, p95', 'ms', 'from traces'),
  derived('latency_p99', 'Latency, p99', 'ms', 'from traces'),
  derived('apdex', 'Apdex', '', 'from traces'),
  derived('log_rate', 'Logs', 'logs/s', 'from logs'),
  derived('error_log_rate', 'Logs of errors', 'logs/s', 'from logs'),
];

/** Derived ones first, then those that were sent, by name. */
export function drawables(sent: readonly SentMetric[]): Drawable[] {
  const shown = sent.map((metric): Drawable => ({
    ...metric,
    title: metric.name,
    type: metric.type.replaceAll('_', ' '),
    isDerived: false,
  }));
  return [...DERIVED, ...shown.sort((a, b) => a.name.localeCompare(b.name))];
}

/** Every word has to be found in the name, the title or the type; the service has to send it, which derived ones count as. */
export function matching(all: readonly Drawable[], words: string, service: string): Drawable[] {
  const asked = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return all.filter(({ name, title, type, isDerived, services }) => {
    const text = `${name} ${title} ${type}`.toLowerCase();
    return asked.every((word) => text.includes(word)) && (service === '' || isDerived || services.includes(service));
  });
}

/** By what a metric can be divided. */
export function groupsOf({ name, isDerived, attributeKeys }: Drawable): readonly string[] {
  if (!isDerived)
    return ['service', 'instance', ...attributeKeys.filter((key) => key !== 'service' && key !== 'instance')];
  if (name === 'latency') return [];
  return name.endsWith('log_rate') ? ['service', 'severity'] : ['service', 'operation'];
}

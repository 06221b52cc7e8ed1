import type { ServiceFigures } from './findings.js';
import { counted, ms, percent } from './wording.js';

/** How the figures of one service moved between two windows, as in `average latency rose from 70 ms to 101.5 ms`. */
export function movedFigures(before: ServiceFigures | undefined, now: ServiceFigures | undefined): string {
  if (now === undefined || now.requestCount === 0) return before === undefined || before.requestCount === 0 ? 'There were no requests in either' : `There were no requests any more, ${counted(before.requestCount, 'request')} before`;
  if (before === undefined || before.requestCount === 0) return `There were no requests before, and now ${counted(now.requestCount, 'request')}`;
  const rows = [
    moved('average latency', before.avgLatencyMs, now.avgLatencyMs, ms), moved('error rate', before.errorRate, now.errorRate, percent),
    moved('Apdex', before.apdex, now.apdex, String), moved('requests', before.requestCount, now.requestCount, String),
  ];
  return rows.join(', ');
}

function moved(title: string, before: number, now: number, tell: (value: number) => string): string {
  if (before === now) return `${title} stayed at ${tell(now)}`;
  return `${title} ${now > before ? 'rose' : 'fell'} from ${tell(before)} to ${tell(now)}`;
}

/** What that means for users: latency and errors count, in this order. */
export function verdictOn(before: ServiceFigures | undefined, now: ServiceFigures | undefined): string {
  if (before === undefined || now === undefined || before.requestCount === 0 || now.requestCount === 0) return '';
  const speed = now.avgLatencyMs > before.avgLatencyMs ? 'slower' : now.avgLatencyMs < before.avgLatencyMs ? 'faster' : 'as fast as before';
  const failures = now.errorRate > before.errorRate ? 'fails more often' : now.errorRate < before.errorRate ? 'fails less often' : 'fails as often as before';
  return `It is ${speed} and ${failures}: `;
}

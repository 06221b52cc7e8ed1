import { during } from './when.js';
import type { ServiceFigures } from './findings.js';
import type { Slots } from './slots.js';
import { counted, listed, ms, percent } from './wording.js';

/** What services are ranked by, and how a place in the ranking reads. */
const RANKINGS = {
  latency: { of: ({ avgLatencyMs }: ServiceFigures) => avgLatencyMs, tell: (value: number) => `${ms(value)} on average`, title: 'Services by average latency' },
  errors: { of: ({ errorRate }: ServiceFigures) => errorRate, tell: (value: number) => `error rate ${percent(value)}`, title: 'Services by error rate' },
  traffic: { of: ({ requestCount }: ServiceFigures) => requestCount, tell: (value: number) => counted(value, 'request'), title: 'Services by requests' },
} as const;

/** Services with requests, the highest first. */
export function ranked(services: readonly ServiceFigures[], by: keyof typeof RANKINGS): ServiceFigures[] {
  const { of } = RANKINGS[by];
  return services.filter(({ requestCount }) => requestCount > 0).sort((a, b) => of(b) - of(a));
}

export function ranking(services: readonly ServiceFigures[], by: keyof typeof RANKINGS, { time, limit, isReversed }: Slots, nowMs: number): string {
  const { of, tell, title } = RANKINGS[by];
  const order = isReversed === true ? ranked(services, by).reverse() : ranked(services, by);
  const lines = order.map((service) => `${service.serviceName}: ${tell(of(service))}${by === 'traffic' ? '' : `, ${counted(service.requestCount, 'request')}`}`);
  return lines.length === 0 ? `No service had requests${during(time, nowMs)}.` : `${title}${isReversed === true ? ', the lowest first' : ''}${during(time, nowMs)}:${listed(lines, limit)}`;
}

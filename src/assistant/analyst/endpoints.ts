import type { ServiceDetail } from '../../diagnostics/answers.js';
import { hasCode } from '../../errors.js';
import { getServiceDetail } from '../tools/get-service-detail.js';
import { getSlowestEndpoints } from '../tools/get-slowest-endpoints.js';
import type { Inquiry } from './inquiry.js';
import type { Slots } from './slots.js';
import { during, windowOf } from './when.js';
import { counted, ms, percent } from './wording.js';

type Endpoint = ServiceDetail['endpoints'][number];

/** Undefined where the service was never seen, or not before the moment in question. */
export async function detailOf(inquiry: Inquiry, serviceName: string, { time }: Pick<Slots, 'time'>): Promise<ServiceDetail | undefined> {
  try {
    return (await inquiry.ask(getServiceDetail, { serviceName, ...windowOf(time) })).answer;
  } catch (error) {
    if (hasCode(error, 'not-found')) return undefined;
    throw error;
  }
}

export function endpointLine({ operation, requestCount, errorRate, avgLatencyMs, p95LatencyMs }: Endpoint): string {
  return `${operation}: ${ms(avgLatencyMs)} on average, p95 ${ms(p95LatencyMs)}, error rate ${percent(errorRate)}, ${counted(requestCount, 'request')}`;
}

/** The figures of one operation, of the service that was named, else of those that are slowest with it. */
export async function operationSentence(inquiry: Inquiry, operation: string, slots: Slots): Promise<string> {
  const [name] = slots.services;
  const window = during(slots.time, inquiry.nowMs);
  if (name !== undefined) {
    const endpoint = (await detailOf(inquiry, name, slots))?.endpoints.find((each) => each.operation === operation);
    return endpoint === undefined ? `${operation} of ${name} had no requests${window}.` : `${name}${window}, ${endpointLine(endpoint)}.`;
  }
  const found = (await inquiry.ask(getSlowestEndpoints, windowOf(slots.time))).answer.filter((each) => each.operation === operation);
  if (found.length === 0) return `${operation} is not among the slowest endpoints${window}. Name its service, and I look there.`;
  return found.map((each) => `${each.serviceName}${window}, ${endpointLine(each)}, p99 ${ms(each.p99LatencyMs)}.`).join('\n');
}

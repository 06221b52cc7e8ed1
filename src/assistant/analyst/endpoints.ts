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

export function endpointLine({ operation, requestCount, errorRate, avgLatencyMs, p95LatencyMs }: Omit<Endpoint, 'p50LatencyMs'>): string {
  return `${operation}: ${ms(avgLatencyMs)} on average, p95 ${ms(p95LatencyMs)}, error rate ${percent(errorRate)}, ${counted(requestCount, 'request')}`;
}

/** Of a service or an endpoint, over the window as a whole. */
export function medianOf({ p50LatencyMs }: Pick<Endpoint, 'p50LatencyMs'>): string {
  return ` Its median (p50) is ${ms(p50LatencyMs)}.`;
}

/** The figures of one operation, of the service that was named, else of those that are slowest with it. */
export async function operationSentence(inquiry: Inquiry, operation: string, slots: Slots): Promise<string> {
  const [name] = slots.services;
  const window = during(slots.time, inquiry.nowMs);
  if (name !== undefined) {
    const endpoint = await endpointOf(inquiry, name, operation, slots);
    return endpoint === undefined ? `${operation} of ${name} had no requests${window}.` : `${name}${window}, ${endpointLine(endpoint)}.${slots.measure === 'p50' ? medianOf(endpoint) : ''}`;
  }
  const found = (await inquiry.ask(getSlowestEndpoints, windowOf(slots.time))).answer.filter((each) => each.operation === operation);
  if (found.length === 0) return `${operation} is not among the slowest endpoints${window}. Name its service, and I look there.`;
  const medians = slots.measure === 'p50' ? await mediansOf(inquiry, found, slots) : new Map<string, string>();
  return found.map((each) => `${each.serviceName}${window}, ${endpointLine(each)}, p99 ${ms(each.p99LatencyMs)}.${medians.get(each.serviceName) ?? ''}`).join('\n');
}

/** By service, as far as energy pays for looking at each: rankings have no median. */
async function mediansOf(inquiry: Inquiry, endpoints: readonly { readonly serviceName: string; readonly operation: string }[], slots: Slots): Promise<ReadonlyMap<string, string>> {
  const medians = new Map<string, string>();
  for (const { serviceName, operation } of endpoints) {
    const endpoint = inquiry.left === 0 ? undefined : await endpointOf(inquiry, serviceName, operation, slots);
    if (endpoint !== undefined) medians.set(serviceName, medianOf(endpoint));
  }
  return medians;
}

async function endpointOf(inquiry: Inquiry, serviceName: string, operation: string, slots: Slots): Promise<Endpoint | undefined> {
  return (await detailOf(inquiry, serviceName, slots))?.endpoints.find((each) => each.operation === operation);
}

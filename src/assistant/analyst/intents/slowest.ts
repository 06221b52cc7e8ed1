import { detailOf, endpointLine } from '../endpoints.js';
import type { Inquiry } from '../inquiry.js';
import type { Draft, Intent } from '../intent.js';
import { getSlowestEndpoints } from '../../tools/get-slowest-endpoints.js';
import type { Slots } from '../slots.js';
import { during, windowOf } from '../when.js';
import { counted, listed, ms } from '../wording.js';

export const slowest: Intent = {
  name: 'slowest',
  cues: { slowest: 3, endpoints: 3, slow: 1.5, latency: 0.5, requests: 1.5, operation: 0.5 },
  forms: ['Which endpoints are slowest?', 'Which are the 3 slowest endpoints of {service}?'],
  async answer(inquiry, slots) {
    const { answer } = await inquiry.ask(getSlowestEndpoints, windowOf(slots.time));
    const [name] = slots.services;
    const window = during(slots.time, inquiry.nowMs);
    const found = answer.filter(({ serviceName }) => name === undefined || serviceName === name);
    if (found.length === 0) return name === undefined || inquiry.left === 0 ? none(name, window) : ofDetail(inquiry, slots, name, window);
    const isByRequests = slots.measure === 'requests' || slots.measure === 'requestRate';
    const lines = (isByRequests ? [...found].sort((a, b) => b.requestCount - a.requestCount) : found).map(({ rank, serviceName, operation, avgLatencyMs, p95LatencyMs, p99LatencyMs, requestCount }) =>
      `${rank}. ${serviceName} ${operation}: p99 ${ms(p99LatencyMs)}, p95 ${ms(p95LatencyMs)}, ${ms(avgLatencyMs)} on average, ${counted(requestCount, 'request')}`);
    const of = name === undefined ? '' : ` of ${name}`;
    const [first] = found;
    return { text: `${isByRequests ? 'Of the 20 slowest endpoints, those with the most requests' : `Slowest endpoints${of} by p99`}${window}:${listed(lines, slots.limit)}`, followUps: [`Why is ${first.serviceName} slow?`, `Show me traces of ${first.serviceName} slower than ${Math.floor(first.p95LatencyMs)} ms`, `What changed in ${first.serviceName}?`] };
  },
};

/** None of the service is among the slowest of all: those that it has. */
async function ofDetail(inquiry: Inquiry, slots: Slots, name: string, window: string): Promise<Draft> {
  const endpoints = [...((await detailOf(inquiry, name, slots))?.endpoints ?? [])].sort((a, b) => b.p95LatencyMs - a.p95LatencyMs);
  if (endpoints.length === 0) return none(name, window);
  return { text: `Slowest endpoints of ${name} by p95${window}, none of them among the 20 slowest of all:${listed(endpoints.map(endpointLine), slots.limit)}`, followUps: [`How is ${name} doing?`, 'Which endpoints are slowest?'] };
}

function none(name: string | undefined, window: string): Draft {
  return { text: `No endpoint${name === undefined ? '' : ` of ${name}`} had requests${window}.`, followUps: ['Which services are there?', 'What happened in the last hour?'] };
}

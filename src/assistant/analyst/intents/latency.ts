import { detailOf, endpointLine, medianOf, operationSentence } from '../endpoints.js';
import { dependencyFigures, healthOf } from '../findings.js';
import { hasHourBefore, NOTHING_BEFORE } from '../hour-before.js';
import type { Inquiry } from '../inquiry.js';
import type { Draft, Intent } from '../intent.js';
import { overallAverages } from '../overall.js';
import { peakOf } from '../peaks.js';
import { ranking } from '../rankings.js';
import { dependencySentence, likelyCause } from '../sentences.js';
import type { Slots } from '../slots.js';
import { getTrendAnalysis } from '../../tools/get-trend-analysis.js';
import { sideBySide } from '../side-by-side.js';
import { getSlowestEndpoints } from '../../tools/get-slowest-endpoints.js';
import { during, windowOf } from '../when.js';
import { listed, ms, serviceFigures } from '../wording.js';

export const latency: Intent = {
  name: 'latency',
  cues: { latency: 3, slow: 3, slowest: 3, peak: 1.5, most: 0.5, services: 0.5, operation: 2 },
  forms: ['How fast is {service}?', 'What is the p95 latency?', 'Which service is slowest?'],
  async answer(inquiry, slots) {
    if (slots.services.length > 1) return sideBySide(inquiry, slots);
    const [name] = slots.services;
    if (slots.operation !== undefined) return { text: await operationSentence(inquiry, slots.operation, slots), followUps: ['Which endpoints are slowest?', 'Is anything broken?'] };
    if (name === undefined) return ofAll(inquiry, slots);
    if (!inquiry.vocabulary.dependencies.includes(name)) return ofOne(inquiry, slots, name);
    return { text: dependencySentence(await dependencyFigures(inquiry, name, slots), during(slots.time, inquiry.nowMs)), followUps: [`Which services depend on ${name}?`, `Why is ${name} slow?`] };
  },
};

async function ofOne(inquiry: Inquiry, slots: Slots, name: string): Promise<Draft> {
  const window = during(slots.time, inquiry.nowMs);
  const service = (await healthOf(inquiry, slots)).find(({ serviceName }) => serviceName === name);
  const followUps = [`Why is ${name} slow?`, `Is ${name} getting slower?`, `Show me traces of ${name} slower than 500 ms`, `What does ${name} depend on?`];
  if (service === undefined || service.requestCount === 0) return { text: `${name} had no requests${window}.`, followUps: [`When was ${name} last deployed?`, 'Is anything broken?'] };
  const detail = inquiry.left === 0 ? undefined : await detailOf(inquiry, name, slots);
  const { endpoints = [] } = detail ?? {};
  const slowest = [...endpoints].sort((a, b) => b.p95LatencyMs - a.p95LatencyMs).map(endpointLine);
  const median = slots.measure !== 'p50' || detail === undefined ? '' : medianOf(detail);
  const percentile = slots.measure === 'p99' ? await p99Of(inquiry, slots, name) : '';
  const peak = await peakOf(inquiry, slots, name, 'latency');
  const cause = await likelyCause(inquiry, slots, [name]);
  return { text: `${name}${window}: ${serviceFigures(service)}.${median}${slowest.length === 0 ? '' : `\nIts endpoints, slowest first:${listed(slowest, slots.limit)}`}${percentile}${peak}${cause}`, followUps };
}

/** Of endpoints: the detail of a service tells none. */
async function p99Of(inquiry: Inquiry, { time }: Slots, name: string): Promise<string> {
  if (inquiry.left === 0) return '';
  const found = (await inquiry.ask(getSlowestEndpoints, windowOf(time))).answer.filter(({ serviceName }) => serviceName === name);
  return found.map(({ operation, p99LatencyMs }) => `\n${operation}: p99 ${ms(p99LatencyMs)}`).join('');
}

async function ofAll(inquiry: Inquiry, slots: Slots): Promise<Draft> {
  const averages = await overallAverages(inquiry, slots);
  const { answer } = await inquiry.ask(getTrendAnalysis, windowOf(slots.time));
  const { current, baseline, trend, changePercent } = answer.latency;
  const change = hasHourBefore(answer) ? `latency is ${trend} (${changePercent} %) against the hour before, when p95 was ${ms(baseline.p95)}` : NOTHING_BEFORE;
  const overall = `Over all services${during(slots.time, inquiry.nowMs)}: p50 ${ms(current.p50)}, p95 ${ms(current.p95)}, p99 ${ms(current.p99)}; ${change}.`;
  const services = inquiry.left === 0 ? '' : `\n${ranking(await healthOf(inquiry, slots), 'latency', slots, inquiry.nowMs)}`;
  return { text: `${averages}${overall}${services}`, followUps: ['Which endpoints are slowest?', 'What is the root cause?', 'What changed in the last hour?'] };
}

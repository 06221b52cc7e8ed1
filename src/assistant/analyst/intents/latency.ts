import { detailOf, endpointLine, operationSentence } from '../endpoints.js';
import { concerns, dependencyFigures, diagnosesOf, healthOf } from '../findings.js';
import type { Inquiry } from '../inquiry.js';
import type { Draft, Intent } from '../intent.js';
import { ranking } from '../rankings.js';
import { dependencySentence, diagnosisInShort } from '../sentences.js';
import type { Slots } from '../slots.js';
import { getTrendAnalysis } from '../../tools/get-trend-analysis.js';
import { during, windowOf } from '../when.js';
import { listed, ms, serviceFigures } from '../wording.js';

export const latency: Intent = {
  name: 'latency',
  cues: { latency: 3, slow: 3, slowest: 3, most: 0.5, services: 0.5, operation: 2 },
  forms: ['How fast is {service}?', 'What is the p95 latency?', 'Which service is slowest?'],
  async answer(inquiry, slots) {
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
  const endpoints = inquiry.left === 0 ? [] : ((await detailOf(inquiry, name, slots))?.endpoints ?? []);
  const slowest = [...endpoints].sort((a, b) => b.p95LatencyMs - a.p95LatencyMs).map(endpointLine);
  const cause = await causeOf(inquiry, slots, name);
  return { text: `${name}${window}: ${serviceFigures(service)}.${slowest.length === 0 ? '' : `\nIts endpoints, slowest first:${listed(slowest, slots.limit)}`}${cause}`, followUps };
}

/** What slows it down, where something is known to. */
async function causeOf(inquiry: Inquiry, slots: Slots, name: string): Promise<string> {
  if (inquiry.left === 0) return '';
  const found = (await diagnosesOf(inquiry, slots)).find((each) => concerns(each, name));
  return found === undefined ? '' : `\nLikely cause: ${diagnosisInShort(found, inquiry.nowMs)}.`;
}

async function ofAll(inquiry: Inquiry, slots: Slots): Promise<Draft> {
  const { latency: { current, baseline, trend, changePercent } } = (await inquiry.ask(getTrendAnalysis, windowOf(slots.time))).answer;
  const change = trend === 'stable' ? 'stable' : trend;
  const overall = `Over all services${during(slots.time, inquiry.nowMs)}: p50 ${ms(current.p50)}, p95 ${ms(current.p95)}, p99 ${ms(current.p99)}; latency is ${change} (${changePercent} %) against the hour before, when p95 was ${ms(baseline.p95)}.`;
  const services = inquiry.left === 0 ? '' : `\n${ranking(await healthOf(inquiry, slots), 'latency', slots, inquiry.nowMs)}`;
  return { text: `${overall}${services}`, followUps: ['Which endpoints are slowest?', 'What is the root cause?', 'What changed in the last hour?'] };
}

import { healthOf } from '../findings.js';
import { apart } from '../compared-ranges.js';
import { hasHourBefore, NOTHING_BEFORE } from '../hour-before.js';
import type { Inquiry } from '../inquiry.js';
import type { Draft, Intent } from '../intent.js';
import { getTrendAnalysis } from '../../tools/get-trend-analysis.js';
import type { Slots } from '../slots.js';
import { currentRange, during, windowOf } from '../when.js';
import { movedFigures, verdictOn } from '../changes-in-words.js';
import { ms, percent } from '../wording.js';

const BASELINE_MS = 60 * 60_000;

export const trends: Intent = {
  name: 'trends',
  cues: { trend: 4, figureChanges: 6, latency: 0.5, slow: 0.5, errors: 0.5, requests: 0.5 },
  forms: ['Is latency increasing?', 'Are errors increasing?', 'Is {service} getting worse?'],
  async answer(inquiry, slots) {
    const [name] = slots.services;
    return name === undefined ? ofAll(inquiry, slots) : ofOne(inquiry, slots, name);
  },
};

async function ofAll(inquiry: Inquiry, slots: Slots): Promise<Draft> {
  const { answer } = await inquiry.ask(getTrendAnalysis, windowOf(slots.time));
  const { latency, errorRate, throughput } = answer;
  const lines = hasHourBefore(answer) ? [
    `Latency is ${latency.trend} (${latency.changePercent} %): p95 ${ms(latency.current.p95)} against ${ms(latency.baseline.p95)}, p50 ${ms(latency.current.p50)} against ${ms(latency.baseline.p50)}, p99 ${ms(latency.current.p99)} against ${ms(latency.baseline.p99)}.`,
    `The error rate is ${errorRate.trend} (${errorRate.changePercent} %): ${percent(errorRate.current)} against ${percent(errorRate.baseline)}.`,
    `Throughput is ${throughput.trend} (${throughput.changePercent} %): ${throughput.currentRps} requests a second against ${throughput.baselineRps}.`,
  ] : [
    `Latency: p95 ${ms(latency.current.p95)}, p50 ${ms(latency.current.p50)}, p99 ${ms(latency.current.p99)}.`,
    `Error rate: ${percent(errorRate.current)}.`,
    `Throughput: ${throughput.currentRps} requests a second.`,
  ];
  const beside = hasHourBefore(answer) ? ', against the hour before' : `; ${NOTHING_BEFORE}`;
  return { text: `Over all services${during(slots.time, inquiry.nowMs)}${beside}:\n- ${lines.join('\n- ')}`, followUps: ['Which service has the most errors?', 'What changed in the last hour?', 'What is the root cause?'] };
}

/** Trends are those of the whole Grid: of one service, its figures in the two windows. */
async function ofOne(inquiry: Inquiry, slots: Slots, name: string): Promise<Draft> {
  const current = currentRange(slots.time, inquiry.nowMs);
  const now = (await healthOf(inquiry, slots)).find(({ serviceName }) => serviceName === name);
  const baseline = apart({ kind: 'range', fromMs: current.fromMs - BASELINE_MS, toMs: current.fromMs }, current);
  const before = (await healthOf(inquiry, { time: baseline })).find(({ serviceName }) => serviceName === name);
  return {
    text: `${name}${during(slots.time, inquiry.nowMs)}, against the hour before. ${verdictOn(before, now)}${movedFigures(before, now)}.`,
    followUps: [`Why is ${name} slow?`, `What changed in ${name}?`, `Which errors does ${name} have?`],
  };
}

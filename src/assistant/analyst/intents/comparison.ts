import { movedFigures, verdictOn } from '../changes-in-words.js';
import { dependencyFigures, healthOf, type ServiceFigures } from '../findings.js';
import type { Inquiry } from '../inquiry.js';
import type { Draft, Intent } from '../intent.js';
import { getComparison } from '../../tools/get-comparison.js';
import type { Range } from '../slots.js';
import { comparedRanges, type ComparedRanges } from '../compared-ranges.js';
import { dependencySentence } from '../sentences.js';
import { sideBySide } from '../side-by-side.js';
import { outcomesOfBoth } from './outcomes.js';
import { duringRange, rangeInWords, spelled } from '../when.js';
import { capital, listed, ms, percent, signed } from '../wording.js';

/** Of the measures that regressions name. */
const TITLES: Readonly<Record<string, string>> = { avgLatencyMs: 'average latency in ms', p95LatencyMs: 'p95 latency in ms', errorRate: 'error rate in %', throughputRps: 'requests a second', apdex: 'Apdex' };

export const comparison: Intent = {
  name: 'comparison',
  cues: { compare: 5, baseline: 5, two: 1.5, trend: 3.2, services: 1 },
  forms: ['Compare the last hour with yesterday', 'Compare {service} today with yesterday', 'Which services got slower?'],
  async answer(inquiry, slots) {
    if (slots.thing !== undefined) return outcomesOfBoth(inquiry, slots);
    if (slots.services.length > 1) return sideBySide(inquiry, slots);
    const ranges = comparedRanges(slots, inquiry.nowMs);
    const [name] = slots.services;
    if (name === undefined) return ofAll(inquiry, ranges);
    return inquiry.vocabulary.dependencies.includes(name) ? ofDependency(inquiry, name, ranges) : ofOne(inquiry, name, ranges);
  },
};

async function ofOne(inquiry: Inquiry, name: string, { current, baseline }: ComparedRanges): Promise<Draft> {
  const figuresIn = async (range: Range): Promise<ServiceFigures | undefined> => (await healthOf(inquiry, { time: range })).find(({ serviceName }) => serviceName === name);
  const [now, before] = [await figuresIn(current), await figuresIn(baseline)];
  const windows = `${name}${duringRange(current, inquiry.nowMs)}, compared with ${rangeInWords(baseline, inquiry.nowMs)}.`;
  return { text: `${windows} ${verdictOn(before, now)}${movedFigures(before, now)}.`, followUps: [`Why is ${name} slow?`, `What changed in ${name}?`, `Which errors does ${name} have?`] };
}

/** What sends no telemetry of its own, as its callers see it in each window. */
async function ofDependency(inquiry: Inquiry, name: string, { current, baseline }: ComparedRanges): Promise<Draft> {
  const told: string[] = [];
  for (const range of [current, baseline]) if (inquiry.left > 0) told.push(dependencySentence(await dependencyFigures(inquiry, name, { time: range }), duringRange(range, inquiry.nowMs)));
  return { text: told.join('\n'), followUps: [`Which services depend on ${name}?`, 'What changed in the last hour?'] };
}

async function ofAll(inquiry: Inquiry, { current: now, baseline: before }: ComparedRanges): Promise<Draft> {
  const [current, baseline] = [spelled(now), spelled(before)];
  const given = { currentStart: current.rangeStart, currentEnd: current.rangeEnd, baselineStart: baseline.rangeStart, baselineEnd: baseline.rangeEnd };
  const { answer } = await inquiry.ask(getComparison, given);
  const { deltas, regressions } = answer;
  const hasBaseline = hasRequests(answer.baseline);
  const row = (title: string, metric: keyof typeof deltas, tell: (value: number) => string): string =>
    `${title} ${tell(answer.current[metric])}${hasBaseline ? ` against ${tell(answer.baseline[metric])} (${signed(deltas[metric].percent)} %)` : ''}`;
  const rows = [
    row('Average latency', 'avgLatencyMs', ms), row('p95 latency', 'p95LatencyMs', ms), row('error rate', 'errorRate', percent),
    row('throughput', 'throughputRps', (value) => `${value} requests a second`), row('Apdex', 'apdex', String),
  ];
  const worse = regressions.map(({ serviceName, metric, currentValue, baselineValue, changePercent }) => `${serviceName}: ${TITLES[metric] ?? metric} ${currentValue} against ${baselineValue} (${signed(changePercent)} %)`);
  const verdict = !hasBaseline ? '\nThere were no requests before.' : worse.length === 0 ? '\nNo service got clearly worse.' : `\nWhat got clearly worse:${listed(worse)}`;
  const [first] = regressions;
  return {
    text: `${capital(duringRange(now, inquiry.nowMs).trim())}, compared with ${rangeInWords(before, inquiry.nowMs)}:${listed(rows)}${verdict}`,
    followUps: [...(first === undefined ? [] : [`Why is ${first.serviceName} slow?`]), 'What changed in the last hour?', 'Is anything broken?'],
  };
}

/** Against a window without any, all has changed by 100 %. The rate is rounded: few requests a day are none a second. */
function hasRequests({ throughputRps, p95LatencyMs }: { readonly throughputRps: number; readonly p95LatencyMs: number }): boolean {
  return throughputRps > 0 || p95LatencyMs > 0;
}

import { getAlertSummary, getPressurePoints } from '../../tools/diagnostic-tools.js';
import type { PressurePoint } from '../../../diagnostics/diagnostic-results.js';
import type { IsoTimestamped } from '../../tools/result-serialization.js';
import { formatAlert } from '../answers/answer-sentences.js';
import type { QueryContext } from '../query-context.js';
import type { Intent } from './intent.js';
import { formatCount, formatList, formatName, formatPercent, joinWithAnd } from '../answers/answer-formatting.js';
import type { TimeInterval, TimeReference } from '../understanding/slots.js';
import { singularize } from '../lexicon/word-matching.js';
import { splitIdentifier } from '../lexicon/tokenizer.js';
import { formatIsoClock, describeWindow, describeWindowEnd, toWindowArguments } from '../time/window-resolver.js';

export const pressureIntent: Intent = {
  name: 'pressure',
  cues: { pressure: 4.5, metrics: 1.5, resourceState: 5 },
  forms: ['Is anything under pressure?', 'Which connection pools are saturated?'],
  async answer(context, { services, excluded = [], time, limit, resourceType, namedBy = [] }) {
    const all = await loadPressurePoints(context, time);
    const found = all.filter(
      ({ serviceName, resource, type }) =>
        (resourceType === undefined || type === resourceType.type) &&
        !excluded.includes(serviceName) &&
        namedBy.every((word) =>
          splitIdentifier(`${resource} ${serviceName}`).some((part) => singularize(part) === singularize(word)),
        ) &&
        (services.length === 0 ||
          services.includes(serviceName) ||
          services.some((name) => isResourceOf(resource, name))),
    );
    const line = (point: PressurePointResult): string => formatPressurePoint(point, context.nowMs);
    const end = isPastRange(time, context.nowMs)
      ? `at ${MOMENTS} moments${describeWindow(time, context.nowMs)}`
      : describeWindowEnd(time, context.nowMs);
    const what = `${namedBy.map((word) => `${word} `).join('')}${resourceType?.title ?? 'resource'}`;
    const of = services.length === 0 ? '' : ` of ${joinWithAnd(services)}`;
    if (found.length === 0)
      return {
        text: `No ${what}${of} ${end === 'now' ? 'is' : 'was'} close to its limit ${end}.${all.length === 0 ? '' : ` Elsewhere:${formatList(all.map(line), limit)}`}${await describePressureAlerts(context, services, time)}`,
        followUps: ['Is anything broken?', 'Which endpoints are slowest?', 'Are there any alerts?'],
      };
    const [{ serviceName }] = found;
    const rest = all.length > found.length ? `\n${formatCount(all.length - found.length, 'resource')} elsewhere.` : '';
    return {
      text: `${formatCount(found.length, 'resource')}${of} under pressure ${end}:${formatList(found.map(line), limit)}${rest}`,
      followUps: [`How is ${serviceName} doing?`, `Why is ${serviceName} slow?`, `What does ${serviceName} depend on?`],
    };
  },
};

/** Moments of a past range at which pressure is looked up. */
const MOMENTS = 4;

function isPastRange(time: TimeReference | undefined, nowMs: number): time is TimeInterval {
  return time?.kind === 'range' && time.toMs < nowMs;
}

/** Pressure is known for a moment: a past range is looked up at several, and each resource is told at its worst. */
async function loadPressurePoints(
  context: QueryContext,
  time: TimeReference | undefined,
): Promise<readonly PressurePointResult[]> {
  if (!isPastRange(time, context.nowMs))
    return (await context.callTool(getPressurePoints, toWindowArguments(time))).answer;
  const worst = new Map<string, PressurePointResult>();
  for (let at = 1; at <= MOMENTS; at++) {
    const atMs = time.fromMs + ((time.toMs - time.fromMs) * at) / MOMENTS;
    const { answer } = await context.callTool(
      getPressurePoints,
      toWindowArguments({ kind: 'moment', atMs, side: 'at' }),
    );
    for (const point of answer) {
      const key = `${point.serviceName}\n${point.type}\n${point.resource}`;
      if ((worst.get(key)?.utilization ?? -1) < point.utilization) worst.set(key, point);
    }
  }
  return [...worst.values()].sort((a, b) => b.utilization - a.utilization);
}

type PressurePointResult = IsoTimestamped<PressurePoint>;

/** Pressure is measured at moments; alerts show what happened between them. */
async function describePressureAlerts(
  context: QueryContext,
  services: readonly string[],
  time: TimeReference | undefined,
): Promise<string> {
  if (time?.kind !== 'range' || context.sourcesLeft === 0) return '';
  const alerts = (await context.callTool(getAlertSummary, toWindowArguments(time))).answer.filter(
    ({ condition, serviceName }) =>
      condition.startsWith('pressure ') && (services.length === 0 || services.includes(serviceName)),
  );
  return alerts.length === 0
    ? ''
    : `\nAlerts of pressure${describeWindow(time, context.nowMs)}:${formatList(alerts.map((alert) => formatAlert(alert, context.nowMs)))}`;
}

function formatPressurePoint(
  { type, serviceName, resource, utilization, capacity, queueDepth, severity, detectedAt }: PressurePointResult,
  nowMs: number,
): string {
  const of = capacity === 0 ? '' : ` of ${capacity}`;
  const queue = queueDepth === 0 ? '' : `, ${queueDepth} waiting`;
  return `${serviceName}, ${type} ${formatName(resource)}: ${formatPercent(utilization)}${of} used${queue} (${severity}, since ${formatIsoClock(detectedAt, nowMs)})`;
}

/** "The orders pool" matches the pool of connections to orders-db. */
function isResourceOf(resource: string, name: string): boolean {
  const [parts, others] = [splitIdentifier(resource), splitIdentifier(name)];
  return resource === name || parts.every((part) => others.includes(part));
}

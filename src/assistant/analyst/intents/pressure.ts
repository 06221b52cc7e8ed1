import { getPressurePoints } from '../../tools/get-pressure-points.js';
import type { PressurePoint } from '../../../diagnostics/answers.js';
import type { Presented } from '../../tools/presented.js';
import { alertLine } from '../alert-line.js';
import type { Inquiry } from '../inquiry.js';
import type { Intent } from '../intent.js';
import { quotedName } from '../quoted-names.js';
import type { SpokenTime } from '../slots.js';
import { getAlertSummary } from '../../tools/get-alert-summary.js';
import { partsOf } from '../tokens.js';
import { clockOf, during, endInWords, windowOf } from '../when.js';
import { and, counted, listed, percent } from '../wording.js';

export const pressure: Intent = {
  name: 'pressure',
  cues: { pressure: 4.5, metrics: 1.5, resourceState: 5 },
  forms: ['Is anything under pressure?', 'Which connection pools are saturated?'],
  async answer(inquiry, { services, time, limit, resourceType }) {
    const all = (await inquiry.ask(getPressurePoints, windowOf(time))).answer;
    const found = all.filter(({ serviceName, resource, type }) => (resourceType === undefined || type === resourceType.type) && (services.length === 0 || services.includes(serviceName) || services.some((name) => isOf(resource, name))));
    const line = (point: Found): string => lineOf(point, inquiry.nowMs);
    const end = endInWords(time, inquiry.nowMs);
    const what = resourceType?.title ?? 'resource';
    const of = services.length === 0 ? '' : ` of ${and(services)}`;
    if (found.length === 0) return { text: `No ${what}${of} ${end === 'now' ? 'is' : 'was'} close to its limit ${end}.${all.length === 0 ? '' : ` Elsewhere:${listed(all.map(line), limit)}`}${await alertsOf(inquiry, services, time)}`, followUps: ['Is anything broken?', 'Which endpoints are slowest?', 'Are there any alerts?'] };
    const [{ serviceName }] = found;
    const rest = all.length > found.length ? `\n${counted(all.length - found.length, 'resource')} elsewhere.` : '';
    return { text: `${counted(found.length, 'resource')}${of} under pressure ${end}:${listed(found.map(line), limit)}${rest}`, followUps: [`How is ${serviceName} doing?`, `Why is ${serviceName} slow?`, `What does ${serviceName} depend on?`] };
  },
};

type Found = Presented<PressurePoint>;

/** Pressure is told of the end of a window: what was over by then is known by its alerts. */
async function alertsOf(inquiry: Inquiry, services: readonly string[], time: SpokenTime | undefined): Promise<string> {
  if (time?.kind !== 'range' || inquiry.left === 0) return '';
  const alerts = (await inquiry.ask(getAlertSummary, windowOf(time))).answer.filter(({ condition, serviceName }) => condition.startsWith('pressure ') && (services.length === 0 || services.includes(serviceName)));
  return alerts.length === 0 ? '' : `\nAlerts of pressure${during(time, inquiry.nowMs)}:${listed(alerts.map((alert) => alertLine(alert, time, inquiry.nowMs)))}`;
}

function lineOf({ type, serviceName, resource, utilization, capacity, queueDepth, severity, detectedAt }: Found, nowMs: number): string {
  const of = capacity === 0 ? '' : ` of ${capacity}`;
  const queue = queueDepth === 0 ? '' : `, ${queueDepth} waiting`;
  return `${serviceName}, ${type} ${quotedName(resource)}: ${percent(utilization)}${of} used${queue} (${severity}, since ${clockOf(detectedAt, nowMs)})`;
}

/** "The orders pool" is said of what leads to orders-db. */
function isOf(resource: string, name: string): boolean {
  const [parts, others] = [partsOf(resource), partsOf(name)];
  return resource === name || parts.every((part) => others.includes(part));
}

import { getPressurePoints } from '../../tools/get-pressure-points.js';
import type { PressurePoint } from '../../../diagnostics/answers.js';
import type { Presented } from '../../tools/presented.js';
import type { Intent } from '../intent.js';
import { quotedName } from '../quoted-names.js';
import { partsOf } from '../tokens.js';
import { clockOf, during, windowOf } from '../when.js';
import { and, counted, listed, percent } from '../wording.js';

export const pressure: Intent = {
  name: 'pressure',
  cues: { pressure: 4.5, metrics: 1.5 },
  forms: ['Is anything under pressure?', 'Which connection pools are saturated?'],
  async answer(inquiry, { services, time, limit }) {
    const all = (await inquiry.ask(getPressurePoints, windowOf(time))).answer;
    const found = all.filter(({ serviceName, resource }) => services.length === 0 || services.includes(serviceName) || services.some((name) => isOf(resource, name)));
    const line = (point: Found): string => lineOf(point, inquiry.nowMs);
    const window = during(time, inquiry.nowMs);
    const of = services.length === 0 ? '' : ` of ${and(services)}`;
    if (found.length === 0) return { text: `No resource${of} was close to its limit${window}.${all.length === 0 ? '' : ` Elsewhere:${listed(all.map(line), limit)}`}`, followUps: ['Is anything broken?', 'Which endpoints are slowest?', 'Are there any alerts?'] };
    const [{ serviceName }] = found;
    const rest = all.length > found.length ? `\n${counted(all.length - found.length, 'resource')} elsewhere.` : '';
    return { text: `${counted(found.length, 'resource')}${of} under pressure${window}:${listed(found.map(line), limit)}${rest}`, followUps: [`How is ${serviceName} doing?`, `Why is ${serviceName} slow?`, `What does ${serviceName} depend on?`] };
  },
};

type Found = Presented<PressurePoint>;

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

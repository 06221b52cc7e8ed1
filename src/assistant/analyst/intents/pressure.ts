import { getPressurePoints } from '../../tools/get-pressure-points.js';
import type { Intent } from '../intent.js';
import { quotedName } from '../quoted-names.js';
import { clockOf, during, windowOf } from '../when.js';
import { and, counted, listed, percent } from '../wording.js';

export const pressure: Intent = {
  name: 'pressure',
  cues: { pressure: 4.5, metrics: 1.5 },
  forms: ['Is anything under pressure?', 'Which connection pools are saturated?'],
  async answer(inquiry, { services, time, limit }) {
    const all = (await inquiry.ask(getPressurePoints, windowOf(time))).answer;
    const found = all.filter(({ serviceName, resource }) => services.length === 0 || services.includes(serviceName) || services.includes(resource));
    const window = during(time, inquiry.nowMs);
    const of = services.length === 0 ? '' : ` of ${and(services)}`;
    const others = all.length > found.length ? ` ${counted(all.length - found.length, 'resource')} elsewhere ${all.length - found.length === 1 ? 'is' : 'are'}.` : '';
    if (found.length === 0) return { text: `No resource${of} was close to its limit${window}.${others}`, followUps: ['Is anything broken?', 'Which endpoints are slowest?', 'Are there any alerts?'] };
    const lines = found.map(({ type, serviceName, resource, utilization, capacity, queueDepth, severity, detectedAt }) => {
      const of = capacity === 0 ? '' : ` of ${capacity}`;
      const queue = queueDepth === 0 ? '' : `, ${queueDepth} waiting`;
      return `${serviceName}, ${type} ${quotedName(resource)}: ${percent(utilization)}${of} used${queue} (${severity}, since ${clockOf(detectedAt, inquiry.nowMs)})`;
    });
    const [{ serviceName }] = found;
    return { text: `${counted(found.length, 'resource')}${of} under pressure${window}:${listed(lines, limit)}${others === '' ? '' : `\n${others.trim()}`}`, followUps: [`How is ${serviceName} doing?`, `Why is ${serviceName} slow?`, `What does ${serviceName} depend on?`] };
  },
};

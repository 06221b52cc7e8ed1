import { getIncidentTimeline } from '../../tools/get-incident-timeline.js';
import { concerns, diagnosesOf } from '../findings.js';
import type { Inquiry } from '../inquiry.js';
import type { Intent } from '../intent.js';
import { diagnosisInShort, plain } from '../sentences.js';
import type { Slots } from '../slots.js';
import { clockOf, during, duringHistory, historyOf } from '../when.js';
import { and, counted, listed } from '../wording.js';

const USUAL_ITEMS = 10;

export const timeline: Intent = {
  name: 'timeline',
  cues: { timeline: 4 },
  forms: ['What happened in the last hour?', 'What happened at 14:00?', 'What happened to {service} yesterday?'],
  async answer(inquiry, { services, time, limit = USUAL_ITEMS }) {
    const { answer } = await inquiry.ask(getIncidentTimeline, historyOf(time, inquiry.nowMs));
    const found = answer.filter(({ serviceName }) => services.length === 0 || services.includes(serviceName));
    const of = services.length === 0 ? '' : ` for ${and(services)}`;
    const window = duringHistory(time, inquiry.nowMs);
    if (found.length === 0) {
      const elsewhere = answer.length === 0 ? '' : `; ${counted(answer.length, 'event')} elsewhere`;
      return { text: `No events${of}${window}: no deployment, anomaly or alert${elsewhere}.${await causeOf(inquiry, { services, time })}`, followUps: ['What happened in the last 24 hours?', 'Is anything broken?'] };
    }
    // What is grave must not be cut off by what is not.
    const shown = found.length <= limit ? found : [...found].sort((a, b) => gravity(b.severity) - gravity(a.severity)).slice(0, limit).sort((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp));
    const lines = shown.map(({ timestamp, type, description, severity, serviceName }) => `${clockOf(timestamp, inquiry.nowMs)} ${type} (${severity})${serviceName === '' ? '' : ` ${serviceName}`}: ${plain(description)}`);
    const about = services[0] ?? found.find(({ severity, serviceName }) => severity === 'critical' && serviceName !== '')?.serviceName;
    return {
      text: `${counted(found.length, 'event')}${of}${window}:${listed(lines, limit, found.length)}`,
      followUps: [...(about === undefined ? [] : [`Why is ${about} slow?`, `What changed in ${about}?`]), 'Is anything broken?', 'Are there any alerts?'],
    };
  },
};

/** Trouble that is young enough, or quiet enough, to be no event yet. */
async function causeOf(inquiry: Inquiry, slots: Pick<Slots, 'services' | 'time'>): Promise<string> {
  if (inquiry.left === 0) return '';
  const found = (await diagnosesOf(inquiry, slots)).find((each) => slots.services.length === 0 || slots.services.some((name) => concerns(each, name)));
  return found === undefined ? '' : `\nThe diagnosis${during(slots.time, inquiry.nowMs)}: ${diagnosisInShort(found, inquiry.nowMs)}.`;
}

function gravity(severity: string): number {
  return ['info', 'warning', 'critical'].indexOf(severity);
}

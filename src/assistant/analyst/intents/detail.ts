import { detailOf, endpointLine } from '../endpoints.js';
import { dependencyFigures } from '../findings.js';
import type { Intent } from '../intent.js';
import { dependencySentence } from '../sentences.js';
import { during } from '../when.js';
import { counted, listed, ms, percent, quote } from '../wording.js';
import { health } from './health.js';

export const detail: Intent = {
  name: 'detail',
  cues: { detail: 3, endpoints: 2.5, nameOnly: 3, named: 1, help: 1.2 },
  forms: ['Tell me more about {service}', 'Which endpoints does {service} have?'],
  async answer(inquiry, slots) {
    const [name] = slots.services;
    if (name === undefined) return health.answer(inquiry, slots);
    const window = during(slots.time, inquiry.nowMs);
    if (inquiry.vocabulary.dependencies.includes(name)) {
      return { text: dependencySentence(await dependencyFigures(inquiry, name, slots), window), followUps: [`Which services depend on ${name}?`, `Is ${name} slow?`] };
    }
    const found = await detailOf(inquiry, name, slots);
    if (found === undefined) return { text: `${name} has no figures${window}.`, followUps: ['Which services are there?', 'Is anything broken?'] };
    const { status, errorRate, apdex, requestCount, endpoints, topErrors, dependencies } = found;
    const parts = [
      `${name} is ${status}${window}: error rate ${percent(errorRate)}, Apdex ${apdex}, ${counted(requestCount, 'request')}.`,
      endpoints.length === 0 ? '' : `Endpoints:${listed(endpoints.map(endpointLine), slots.limit)}`,
      topErrors.length === 0 ? '' : `Exceptions:${listed(topErrors.map(({ exceptionType, message, count }) => `${exceptionType}${message === '' ? '' : ` ${quote(message)}`}: ${counted(count, 'time')}`), 3)}`,
      dependencies.length === 0 ? '' : `Depends on:${listed(dependencies.map((each) => `${each.name} (${each.status}): error rate ${percent(each.errorRate)}, ${ms(each.avgLatencyMs)} on average`))}`,
    ];
    return { text: parts.filter((part) => part !== '').join('\n'), followUps: [`Why is ${name} slow?`, `Show me failed traces of ${name}`, `What changed in ${name}?`, `Which services call ${name}?`] };
  },
};

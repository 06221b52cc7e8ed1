import { getServiceMap } from '../tools/get-service-map.js';
import { detailOf } from './endpoints.js';
import { healthOf } from './findings.js';
import type { Inquiry } from './inquiry.js';
import type { Draft } from './intent.js';
import type { Slots } from './slots.js';
import { dependencySentence } from './sentences.js';
import { during, windowOf } from './when.js';
import { and, capital, listed, ms, serviceFigures } from './wording.js';

const MOST_SERVICES = 10;

/** Several services in one window. */
export async function sideBySide(inquiry: Inquiry, slots: Slots): Promise<Draft> {
  if (slots.services.every((name) => inquiry.vocabulary.dependencies.includes(name))) return ofDependencies(inquiry, slots);
  const services = await healthOf(inquiry, slots);
  const medians = slots.measure === 'p50' ? await mediansOf(inquiry, slots) : new Map<string, string>();
  const lines = slots.services.map((name) => {
    const service = services.find(({ serviceName }) => serviceName === name);
    return `${name}: ${service === undefined ? 'no figures' : `${service.status}, ${serviceFigures(service)}`}${medians.get(name) ?? ''}`;
  });
  const [name, other] = slots.services;
  return { text: `${capital(and(slots.services))}${during(slots.time, inquiry.nowMs)}:${listed(lines, MOST_SERVICES)}`, followUps: [`How is ${name} doing?`, `How is ${other} doing?`, `Does ${name} depend on ${other}?`] };
}

/** By service, as far as energy pays for looking at each: health has no median. */
async function mediansOf(inquiry: Inquiry, slots: Slots): Promise<ReadonlyMap<string, string>> {
  const medians = new Map<string, string>();
  for (const name of slots.services) {
    const detail = inquiry.left === 0 ? undefined : await detailOf(inquiry, name, slots);
    if (detail !== undefined) medians.set(name, `, p50 ${ms(detail.p50LatencyMs)}`);
  }
  return medians;
}

/** What sends no telemetry of its own, as its callers see it. */
async function ofDependencies(inquiry: Inquiry, { services, time }: Slots): Promise<Draft> {
  const { edges } = (await inquiry.ask(getServiceMap, windowOf(time))).answer;
  const told = services.map((name) => dependencySentence({ name, callers: edges.filter(({ target }) => target === name) }, during(time, inquiry.nowMs)));
  return { text: told.join('\n'), followUps: services.slice(0, 2).map((name) => `Which services depend on ${name}?`) };
}

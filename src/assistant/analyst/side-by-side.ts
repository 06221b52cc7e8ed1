import { healthOf } from './findings.js';
import type { Inquiry } from './inquiry.js';
import type { Draft } from './intent.js';
import type { Slots } from './slots.js';
import { during } from './when.js';
import { and, capital, listed, serviceFigures } from './wording.js';

const MOST_SERVICES = 10;

/** Several services in one window. */
export async function sideBySide(inquiry: Inquiry, slots: Slots): Promise<Draft> {
  const services = await healthOf(inquiry, slots);
  const lines = slots.services.map((name) => {
    const service = services.find(({ serviceName }) => serviceName === name);
    return `${name}: ${service === undefined ? 'no figures' : `${service.status}, ${serviceFigures(service)}`}`;
  });
  const [name, other] = slots.services;
  return { text: `${capital(and(slots.services))}${during(slots.time, inquiry.nowMs)}:${listed(lines, MOST_SERVICES)}`, followUps: [`How is ${name} doing?`, `How is ${other} doing?`, `Does ${name} depend on ${other}?`] };
}

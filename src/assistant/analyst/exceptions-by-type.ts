import type { ServiceDetail } from '../../diagnostics/answers.js';
import { detailOf } from './endpoints.js';
import { healthOf } from './findings.js';
import type { Inquiry } from './inquiry.js';
import type { Draft } from './intent.js';
import { ranked } from './rankings.js';
import type { Slots } from './slots.js';
import { during } from './when.js';
import { and, counted, listed, percent, quote } from './wording.js';

type TopError = ServiceDetail['topErrors'][number];

/** Where exceptions of one type were recorded, in the services that failed most, and how often: details of services name the most frequent ones. */
export async function exceptionsByType(inquiry: Inquiry, slots: Slots, type: string): Promise<Draft> {
  const window = during(slots.time, inquiry.nowMs);
  const names = slots.services.length > 0 ? slots.services : ranked(await healthOf(inquiry, slots), 'errors').filter(({ errorRate }) => errorRate > 0).map(({ serviceName }) => serviceName);
  const looked: string[] = [];
  const found: { readonly name: string; readonly error: TopError }[] = [];
  for (const name of names) {
    if (inquiry.left === 0) break;
    looked.push(name);
    found.push(...((await detailOf(inquiry, name, slots))?.topErrors ?? []).filter((error) => isOfType(error, type)).map((error) => ({ name, error })));
  }
  if (names.length > 0 && looked.length === 0) return { text: `${quote(type)}: the energy that is left does not pay for looking at the exceptions of ${and(names)}.`, followUps: ['How much energy is left?'] };
  // Searches of traces take no exception.
  const when = slots.edge === undefined ? '' : `\nWhen the ${slots.edge} of them was I cannot tell: traces are not searched by exception.`;
  const where = names.length === 0 ? 'no request failed' : `not among the most frequent exceptions of ${and(looked)}`;
  const [first] = found;
  if (first === undefined) return { text: `${quote(type)} was not seen${window}: ${where}.`, followUps: ['Which service has the most errors?', `Search logs containing "${type}"`] };
  return { text: `${quote(type)}${window}:${listed(found.map(({ name, error }) => `${name}: ${inWords(error)}`))}${when}`, followUps: [`Show me failed traces of ${first.name}`, `Why is ${first.name} failing?`, 'Which service has the most errors?'] };
}

function isOfType({ exceptionType }: TopError, type: string): boolean {
  return exceptionType.toLowerCase().includes(type.toLowerCase());
}

function inWords({ exceptionType, message, count, percentage }: TopError): string {
  return `${exceptionType}${message === '' ? '' : ` ${quote(message)}`}: ${counted(count, 'time')}, ${percent(percentage)} of its exceptions`;
}

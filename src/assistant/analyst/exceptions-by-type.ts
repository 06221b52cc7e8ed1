import type { ServiceDetail } from '../../diagnostics/answers.js';
import { edgesOfExceptions } from './edge-of-exceptions.js';
import { detailOf } from './endpoints.js';
import { healthOf } from './findings.js';
import type { Inquiry } from './inquiry.js';
import type { Draft } from './intent.js';
import { ranked } from './rankings.js';
import type { Slots } from './slots.js';
import { chartRange, during, lastMinutes } from './when.js';
import { and, counted, listed, percent, quote } from './wording.js';

const DAY_MINUTES = 24 * 60;
/** Services of which a second window is looked at. */
const MOST_LOOKED_AT = 3;

type TopError = ServiceDetail['topErrors'][number];

interface Seen {
  readonly name: string;
  readonly error: TopError;
}

/**
 * Where exceptions of one type were recorded, in the services that failed most, and how often: details of services name the
 * most frequent ones. Without a time, a day is looked at for the first and the last of them, and for what was not seen lately.
 * Who asks for these gets them of the first service in which the exception was found: each look costs energy.
 */
export async function exceptionsByType(inquiry: Inquiry, asked: Slots, type: string): Promise<Draft> {
  const day = { ...asked, time: { ...lastMinutes(DAY_MINUTES, inquiry.nowMs), last: '24 hours' } };
  const isOfDay = asked.time === undefined && asked.edge !== undefined;
  const first = await seen(inquiry, isOfDay ? day : asked, type, { isOneEnough: asked.edge !== undefined });
  const isWider = asked.time === undefined && !isOfDay && first.found.length === 0 && inquiry.left > 1;
  const [slots, { found, looked, names }] = isWider ? [day, await seen(inquiry, day, type, { most: MOST_LOOKED_AT })] : [isOfDay ? day : asked, first];
  const window = during(slots.time, inquiry.nowMs);
  if (names.length > 0 && looked.length === 0) return { text: `${quote(type)}: the energy that is left does not pay for looking at the exceptions of ${and(names)}.`, followUps: ['How much energy is left?'] };
  const [most] = found;
  if (most === undefined) return { text: `${quote(type)} was not seen${during(isOfDay ? day.time : asked.time, inquiry.nowMs)}: ${whereOf(first)}.${isWider ? ` Nor was it${window}: ${whereOf({ names, looked })}.` : ''}`, followUps: ['Which service has the most errors?', `Search logs containing "${type}"`] };
  const when = await edgesOf(inquiry, slots, most);
  const before = isWider ? `None${during(undefined, inquiry.nowMs)}. ` : '';
  return { text: `${before}${quote(type)}${window}:${listed(found.map(({ name, error }) => `${name}: ${inWords(error)}`))}${when}`, followUps: [`Show me failed traces of ${most.name}`, `Why is ${most.name} failing?`, 'Which service has the most errors?'] };
}

function whereOf({ names, looked }: { readonly names: readonly string[]; readonly looked: readonly string[] }): string {
  return names.length === 0 ? 'no request failed' : `not among the most frequent exceptions of ${and(looked)}`;
}

interface Extent {
  /** Services that are looked at. */
  readonly most?: number;
  readonly isOneEnough?: boolean;
}

async function seen(inquiry: Inquiry, slots: Slots, type: string, { most = Infinity, isOneEnough = false }: Extent): Promise<{ readonly found: readonly Seen[]; readonly looked: readonly string[]; readonly names: readonly string[] }> {
  const names = slots.services.length > 0 ? slots.services : ranked(await healthOf(inquiry, slots), 'errors').filter(({ errorRate }) => errorRate > 0).map(({ serviceName }) => serviceName);
  const looked: string[] = [];
  const found: Seen[] = [];
  for (const name of names) {
    if (inquiry.left === 0 || looked.length >= most || (isOneEnough && found.length > 0)) break;
    looked.push(name);
    found.push(...((await detailOf(inquiry, name, slots))?.topErrors ?? []).filter((error) => isOfType(error, type)).map((error) => ({ name, error })));
  }
  return { found, looked, names };
}

function edgesOf(inquiry: Inquiry, { edge, isBothEdges, time }: Slots, { name: serviceName, error: { exceptionType, count } }: Seen): Promise<string> | string {
  if (edge === undefined) return '';
  const range = chartRange(time, inquiry.nowMs);
  return edgesOfExceptions(inquiry, { serviceName, type: exceptionType, count, range }, isBothEdges === true ? ['first', 'last'] : [edge]);
}

function isOfType({ exceptionType }: TopError, type: string): boolean {
  return exceptionType.toLowerCase().includes(type.toLowerCase());
}

function inWords({ exceptionType, message, count, percentage }: TopError): string {
  return `${exceptionType}${message === '' ? '' : ` ${quote(message)}`}: ${counted(count, 'time')}, ${percent(percentage)} of its exceptions`;
}

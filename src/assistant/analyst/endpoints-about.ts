import { getSlowestEndpoints } from '../tools/get-slowest-endpoints.js';
import { detailOf } from './endpoints.js';
import { OutOfSources, type Inquiry } from './inquiry.js';
import type { Draft } from './intent.js';
import { quotedName } from './quoted-names.js';
import type { Slots } from './slots.js';
import { isAbout } from './things.js';
import { during, windowOf } from './when.js';
import { and, quote, some } from './wording.js';

export interface Endpoint {
  readonly serviceName: string;
  readonly operation: string;
  readonly requestCount: number;
  /** Percent. */
  readonly errorRate: number;
}

export interface EndpointsFound {
  /** The busiest first. */
  readonly endpoints: readonly Endpoint[];
  /** There may be more: of all services below the slowest, of named ones where energy did not pay for looking at each. */
  readonly isCut: boolean;
}

/** So many endpoints are ranked over all services: where there are fewer, these are all. */
export const RANKED = 20;

/** Endpoints that the operation or the thing of a question means: of its services, else of all. Rejects with OutOfSources where nothing can be looked at. */
export async function endpointsAbout(inquiry: Inquiry, slots: Slots): Promise<EndpointsFound> {
  const { services, operation, thing } = slots;
  const isMeant = (each: Pick<Endpoint, 'operation'>): boolean => (operation !== undefined ? each.operation === operation : thing === undefined || isAbout(thing, each.operation));
  if (services.length === 0) {
    const ranked = (await inquiry.ask(getSlowestEndpoints, windowOf(slots.time))).answer;
    return { endpoints: busiestFirst(ranked.filter(isMeant)), isCut: ranked.length >= RANKED };
  }
  if (inquiry.left === 0) throw new OutOfSources('No service may be looked at any more');
  const asked = services.slice(0, inquiry.left);
  const found: Endpoint[] = [];
  for (const serviceName of asked) found.push(...((await detailOf(inquiry, serviceName, slots))?.endpoints ?? []).filter(isMeant).map((each) => ({ ...each, serviceName })));
  return { endpoints: busiestFirst(found), isCut: asked.length < services.length };
}

/** What was not found is said: an answer about everything would be another one. `isCut`: that not everything was looked at, too. */
export function noEndpoint({ vocabulary, nowMs }: Inquiry, { services, operation, thing, time }: Slots, isCut: boolean): Draft {
  const followUps = ['Which service has the most errors?', 'Which endpoints are slowest?', 'Show me failed traces'];
  const window = during(time, nowMs);
  const of = services.length === 0 ? '' : ` of ${and(services)}`;
  const unpaid = `The energy that is left does not pay for looking at all of ${and(services)}. Where I looked, there were no requests`;
  if (operation === undefined && thing === undefined) return { text: isCut ? `${unpaid}${window}.` : `${and(services)} had no requests${window}.`, followUps };
  const near = operation === undefined ? vocabulary.operations.filter((each) => isAbout(thing!, each)) : [operation];
  if (near.length === 0) return { text: `I know no service and no operation for ${quote(thing ?? '')}.`, followUps };
  const named = some(near.map(quotedName));
  if (services.length > 0) return { text: `${isCut ? `${unpaid} to ${named}` : `There were no requests to ${named}${of}`}${window}.`, followUps };
  return { text: `${named} ${near.length === 1 ? 'is' : 'are'} not among the ${RANKED} slowest endpoints${window}. Name the service, and I look there.`, followUps };
}

/** The slots with the endpoint that their thing means, the busiest of several; `draft` where there is none. */
export async function withEndpoint(inquiry: Inquiry, slots: Slots): Promise<{ readonly slots: Slots; readonly draft?: Draft }> {
  if (slots.thing === undefined || slots.operation !== undefined) return { slots };
  const { endpoints: [busiest], isCut } = await endpointsAbout(inquiry, slots);
  if (busiest === undefined) return { slots, draft: noEndpoint(inquiry, slots, isCut) };
  return { slots: { ...slots, services: [busiest.serviceName], operation: busiest.operation } };
}

function busiestFirst(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  return [...endpoints].sort((a, b) => b.requestCount - a.requestCount);
}

import type { ServiceDetail } from '../../../diagnostics/diagnostic-results.js';
import { hasCode } from '../../../errors.js';
import { getServiceDetail, getSlowestEndpoints } from '../../tools/diagnostic-tools.js';
import { type QueryContext, SourceBudgetExhausted } from '../query-context.js';
import type { Slots } from '../understanding/slots.js';
import { describeWindow, toWindowArguments } from '../time/window-resolver.js';
import { formatCount, formatMs, formatName, formatPercent, joinSome, joinWithAnd, quote } from './answer-formatting.js';
import type { Draft } from '../intents/intent.js';
import { isOperationAbout } from '../entities/business-entity-extractor.js';

type EndpointDetail = ServiceDetail['endpoints'][number];

/** Undefined where the service was never seen, or not before the moment in question. */
export async function loadServiceDetail(
  inquiry: QueryContext,
  serviceName: string,
  { time }: Pick<Slots, 'time'>,
): Promise<ServiceDetail | undefined> {
  try {
    return (await inquiry.callTool(getServiceDetail, { serviceName, ...toWindowArguments(time) })).answer;
  } catch (error) {
    if (hasCode(error, 'not-found')) return undefined;
    throw error;
  }
}

export function formatEndpoint({
  operation,
  requestCount,
  errorRate,
  avgLatencyMs,
  p95LatencyMs,
}: Omit<EndpointDetail, 'p50LatencyMs'>): string {
  return `${operation}: ${formatMs(avgLatencyMs)} on average, p95 ${formatMs(p95LatencyMs)}, error rate ${formatPercent(errorRate)}, ${formatCount(requestCount, 'request')}`;
}

/** Of a service or an endpoint, over the window as a whole. */
export function describeMedian({ p50LatencyMs }: Pick<EndpointDetail, 'p50LatencyMs'>): string {
  return ` Its median (p50) is ${formatMs(p50LatencyMs)}.`;
}

/** The figures of one operation, of the service that was named, else of those that are slowest with it. */
export async function describeOperation(inquiry: QueryContext, operation: string, slots: Slots): Promise<string> {
  const [name] = slots.services;
  const window = describeWindow(slots.time, inquiry.nowMs);
  if (name !== undefined) {
    const endpoint = await loadEndpoint(inquiry, name, operation, slots);
    return endpoint === undefined
      ? `${operation} of ${name} had no requests${window}.`
      : `${name}${window}, ${formatEndpoint(endpoint)}.${slots.measure === 'p50' ? describeMedian(endpoint) : ''}`;
  }
  const found = (await inquiry.callTool(getSlowestEndpoints, toWindowArguments(slots.time))).answer.filter(
    (each) => each.operation === operation,
  );
  if (found.length === 0)
    return `${operation} is not among the slowest endpoints${window}. Name its service, and I look there.`;
  const medians = slots.measure === 'p50' ? await describeMedians(inquiry, found, slots) : new Map<string, string>();
  return found
    .map(
      (each) =>
        `${each.serviceName}${window}, ${formatEndpoint(each)}, p99 ${formatMs(each.p99LatencyMs)}.${medians.get(each.serviceName) ?? ''}`,
    )
    .join('\n');
}

/** By service, as far as energy pays for looking at each: rankings have no median. */
async function describeMedians(
  inquiry: QueryContext,
  endpoints: readonly { readonly serviceName: string; readonly operation: string }[],
  slots: Slots,
): Promise<ReadonlyMap<string, string>> {
  const medians = new Map<string, string>();
  for (const { serviceName, operation } of endpoints) {
    const endpoint = inquiry.left === 0 ? undefined : await loadEndpoint(inquiry, serviceName, operation, slots);
    if (endpoint !== undefined) medians.set(serviceName, describeMedian(endpoint));
  }
  return medians;
}

async function loadEndpoint(
  inquiry: QueryContext,
  serviceName: string,
  operation: string,
  slots: Slots,
): Promise<EndpointDetail | undefined> {
  return (await loadServiceDetail(inquiry, serviceName, slots))?.endpoints.find((each) => each.operation === operation);
}

export interface EndpointFigures {
  readonly serviceName: string;
  readonly operation: string;
  readonly requestCount: number;
  /** Percent. */
  readonly errorRate: number;
}

interface FoundEndpoints {
  /** The busiest first. */
  readonly endpoints: readonly EndpointFigures[];
  /** There may be more: of all services below the slowest, of named ones where energy did not pay for looking at each. */
  readonly isCut: boolean;
}

/** So many endpoints are ranked over all services: where there are fewer, these are all. */
export const RANKED_ENDPOINTS = 20;

/** Endpoints that the operation or the thing of a question means: of its services, else of all. Rejects with OutOfSources where nothing can be looked at. */
export async function findEndpoints(inquiry: QueryContext, slots: Slots): Promise<FoundEndpoints> {
  const { services, operation, thing } = slots;
  const isMeant = (each: Pick<EndpointFigures, 'operation'>): boolean =>
    operation !== undefined
      ? each.operation === operation
      : thing === undefined || isOperationAbout(thing, each.operation);
  if (services.length === 0) {
    const ranked = (await inquiry.callTool(getSlowestEndpoints, toWindowArguments(slots.time))).answer;
    return { endpoints: sortByRequests(ranked.filter(isMeant)), isCut: ranked.length >= RANKED_ENDPOINTS };
  }
  if (inquiry.left === 0) throw new SourceBudgetExhausted('No service may be looked at any more');
  const asked = services.slice(0, inquiry.left);
  const found: EndpointFigures[] = [];
  for (const serviceName of asked)
    found.push(
      ...((await loadServiceDetail(inquiry, serviceName, slots))?.endpoints ?? [])
        .filter(isMeant)
        .map((each) => ({ ...each, serviceName })),
    );
  return { endpoints: sortByRequests(found), isCut: asked.length < services.length };
}

/** What was not found is said: an answer about everything would be another one. `isCut`: that not everything was looked at, too. */
export function createMissingEndpointDraft(
  { vocabulary, nowMs }: QueryContext,
  { services, operation, thing, time }: Slots,
  isCut: boolean,
): Draft {
  const followUps = ['Which service has the most errors?', 'Which endpoints are slowest?', 'Show me failed traces'];
  const window = describeWindow(time, nowMs);
  const of = services.length === 0 ? '' : ` of ${joinWithAnd(services)}`;
  const unpaid = `The energy that is left does not pay for looking at all of ${joinWithAnd(services)}. Where I looked, there were no requests`;
  if (operation === undefined && thing === undefined)
    return { text: isCut ? `${unpaid}${window}.` : `${joinWithAnd(services)} had no requests${window}.`, followUps };
  const near =
    operation === undefined ? vocabulary.operations.filter((each) => isOperationAbout(thing!, each)) : [operation];
  if (near.length === 0) return { text: `I know no service and no operation for ${quote(thing ?? '')}.`, followUps };
  const named = joinSome(near.map(formatName));
  if (services.length > 0)
    return {
      text: `${isCut ? `${unpaid} to ${named}` : `There were no requests to ${named}${of}`}${window}.`,
      followUps,
    };
  return {
    text: `${named} ${near.length === 1 ? 'is' : 'are'} not among the ${RANKED_ENDPOINTS} slowest endpoints${window}. Name the service, and I look there.`,
    followUps,
  };
}

/** The slots with the endpoint that their thing means, the busiest of several; `draft` where there is none. */
export async function resolveEndpoint(
  inquiry: QueryContext,
  slots: Slots,
): Promise<{ readonly slots: Slots; readonly draft?: Draft }> {
  if (slots.thing === undefined || slots.operation !== undefined) return { slots };
  const {
    endpoints: [busiest],
    isCut,
  } = await findEndpoints(inquiry, slots);
  if (busiest === undefined) return { slots, draft: createMissingEndpointDraft(inquiry, slots, isCut) };
  return { slots: { ...slots, services: [busiest.serviceName], operation: busiest.operation } };
}

function sortByRequests(endpoints: readonly EndpointFigures[]): readonly EndpointFigures[] {
  return [...endpoints].sort((a, b) => b.requestCount - a.requestCount);
}

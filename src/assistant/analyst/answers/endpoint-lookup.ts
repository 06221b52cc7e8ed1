import type { ServiceDetail } from '../../../diagnostics/diagnostic-results.js';
import { hasCode } from '../../../errors.js';
import { getServiceDetail, getSlowestEndpoints } from '../../tools/diagnostic-tools.js';
import type { IsoTimestamped } from '../../tools/result-serialization.js';
import { type QueryContext, SourceBudgetExhausted } from '../query-context.js';
import type { Slots } from '../understanding/slots.js';
import { describeWindow, toWindowArguments } from '../time/window-resolver.js';
import { formatCount, formatMs, formatName, formatPercent, joinSome, joinWithAnd, quote } from './answer-formatting.js';
import type { Draft } from '../intents/intent.js';
import { isOperationAbout } from '../entities/business-entity-extractor.js';

type EndpointDetail = ServiceDetail['endpoints'][number];

/** Undefined if the service was never seen, or not before the selected time. */
export async function loadServiceDetail(
  context: QueryContext,
  serviceName: string,
  { time }: Pick<Slots, 'time'>,
): Promise<IsoTimestamped<ServiceDetail> | undefined> {
  try {
    return (await context.callTool(getServiceDetail, { serviceName, ...toWindowArguments(time) })).answer;
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

/** For a service or an endpoint, over the whole window. */
export function describeMedian({ p50LatencyMs }: Pick<EndpointDetail, 'p50LatencyMs'>): string {
  return ` Its median (p50) is ${formatMs(p50LatencyMs)}.`;
}

/** Figures of one operation: of the named service, otherwise of the services where it is slowest. */
export async function describeOperation(context: QueryContext, operation: string, slots: Slots): Promise<string> {
  const [name] = slots.services;
  const window = describeWindow(slots.time, context.nowMs);
  if (name !== undefined) {
    const endpoint = await loadEndpoint(context, name, operation, slots);
    return endpoint === undefined
      ? `${operation} of ${name} had no requests${window}.`
      : `${name}${window}, ${formatEndpoint(endpoint)}.${slots.measure === 'p50' ? describeMedian(endpoint) : ''}`;
  }
  const found = (await context.callTool(getSlowestEndpoints, toWindowArguments(slots.time))).answer.filter(
    (each) => each.operation === operation,
  );
  if (found.length === 0)
    return `${operation} is not among the slowest endpoints${window}. Name its service, and I look there.`;
  const medians = slots.measure === 'p50' ? await describeMedians(context, found, slots) : new Map<string, string>();
  return found
    .map(
      (each) =>
        `${each.serviceName}${window}, ${formatEndpoint(each)}, p99 ${formatMs(each.p99LatencyMs)}.${medians.get(each.serviceName) ?? ''}`,
    )
    .join('\n');
}

/** Medians by service, which rankings lack; as far as energy permits. */
async function describeMedians(
  context: QueryContext,
  endpoints: readonly { readonly serviceName: string; readonly operation: string }[],
  slots: Slots,
): Promise<ReadonlyMap<string, string>> {
  const medians = new Map<string, string>();
  for (const { serviceName, operation } of endpoints) {
    const endpoint = context.sourcesLeft === 0 ? undefined : await loadEndpoint(context, serviceName, operation, slots);
    if (endpoint !== undefined) medians.set(serviceName, describeMedian(endpoint));
  }
  return medians;
}

async function loadEndpoint(
  context: QueryContext,
  serviceName: string,
  operation: string,
  slots: Slots,
): Promise<EndpointDetail | undefined> {
  return (await loadServiceDetail(context, serviceName, slots))?.endpoints.find((each) => each.operation === operation);
}

export interface EndpointFigures {
  readonly serviceName: string;
  readonly operation: string;
  readonly requestCount: number;
  /** Percent. */
  readonly errorRate: number;
}

interface FoundEndpoints {
  /** Sorted by request count, descending. */
  readonly endpoints: readonly EndpointFigures[];
  /**
   * There may be more endpoints: beyond the ranking of all services, or, for named services, because energy did not
   * permit to query each of them.
   */
  readonly isCut: boolean;
}

/** Maximum number of endpoints in the ranking of all services; a shorter ranking is complete. */
export const RANKED_ENDPOINTS = 20;

/**
 * Endpoints that match the operation or business entity of the question: in its services, otherwise in all services.
 * Rejects with SourceBudgetExhausted if no source can be queried.
 */
export async function findEndpoints(context: QueryContext, slots: Slots): Promise<FoundEndpoints> {
  const { services, operation, thing } = slots;
  const isMeant = (each: Pick<EndpointFigures, 'operation'>): boolean =>
    operation !== undefined
      ? each.operation === operation
      : thing === undefined || isOperationAbout(thing, each.operation);
  if (services.length === 0) {
    const ranked = (await context.callTool(getSlowestEndpoints, toWindowArguments(slots.time))).answer;
    return { endpoints: sortByRequests(ranked.filter(isMeant)), isCut: ranked.length >= RANKED_ENDPOINTS };
  }
  if (context.sourcesLeft === 0) throw new SourceBudgetExhausted('The source limit of this reply is reached');
  const queried = services.slice(0, context.sourcesLeft);
  const found: EndpointFigures[] = [];
  for (const serviceName of queried)
    found.push(
      ...((await loadServiceDetail(context, serviceName, slots))?.endpoints ?? [])
        .filter(isMeant)
        .map((each) => ({ ...each, serviceName })),
    );
  return { endpoints: sortByRequests(found), isCut: queried.length < services.length };
}

/** Says what was not found, instead of answering about everything. `isCut`: mentions that the search was incomplete. */
export function createMissingEndpointDraft(
  { vocabulary, nowMs }: QueryContext,
  { services, operation, thing, time }: Slots,
  isCut: boolean,
): Draft {
  const followUps = ['Which service has the most errors?', 'Which endpoints are slowest?', 'Show me failed traces'];
  const window = describeWindow(time, nowMs);
  const of = services.length === 0 ? '' : ` of ${joinWithAnd(services)}`;
  const energyNote = `Lookup limit for one answer reached: I did not check all of ${joinWithAnd(services)}. In those that I checked, there were no requests`;
  if (operation === undefined && thing === undefined)
    return {
      text: isCut ? `${energyNote}${window}.` : `${joinWithAnd(services)} had no requests${window}.`,
      followUps,
    };
  const near =
    operation === undefined ? vocabulary.operations.filter((each) => isOperationAbout(thing!, each)) : [operation];
  if (near.length === 0) return { text: `No service and no operation matches ${quote(thing ?? '')}.`, followUps };
  const named = joinSome(near.map(formatName));
  if (services.length > 0)
    return {
      text: `${isCut ? `${energyNote} to ${named}` : `There were no requests to ${named}${of}`}${window}.`,
      followUps,
    };
  return {
    text: `${named} ${near.length === 1 ? 'is' : 'are'} not among the ${RANKED_ENDPOINTS} slowest endpoints${window}. Name the service, and I look there.`,
    followUps,
  };
}

/**
 * Adds the endpoint that matches the business entity to the slots (the one with the most requests); returns a `draft`
 * if there is none.
 */
export async function resolveEndpoint(
  context: QueryContext,
  slots: Slots,
): Promise<{ readonly slots: Slots; readonly draft?: Draft }> {
  if (slots.thing === undefined || slots.operation !== undefined) return { slots };
  const {
    endpoints: [busiest],
    isCut,
  } = await findEndpoints(context, slots);
  if (busiest === undefined) return { slots, draft: createMissingEndpointDraft(context, slots, isCut) };
  return { slots: { ...slots, services: [busiest.serviceName], operation: busiest.operation } };
}

function sortByRequests(endpoints: readonly EndpointFigures[]): readonly EndpointFigures[] {
  return [...endpoints].sort((a, b) => b.requestCount - a.requestCount);
}

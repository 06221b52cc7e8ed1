import { resolveComparedWindows } from '../time/comparison-windows.js';
import {
  findEndpoints,
  createMissingEndpointDraft,
  RANKED_ENDPOINTS,
  type EndpointFigures,
} from '../answers/endpoint-lookup.js';
import { loadDependencyFigures, loadServiceHealth } from '../answers/grid-lookups.js';
import type { QueryContext } from '../query-context.js';
import type { Draft, Intent } from './intent.js';
import { capitalize, formatCount, formatList, formatName, formatPercent } from '../answers/answer-formatting.js';
import { describeDependency } from '../answers/answer-sentences.js';
import { isOperationAbout } from '../entities/business-entity-extractor.js';
import { singularize } from '../lexicon/word-matching.js';
import type { Slots } from '../understanding/slots.js';
import { describeWindow } from '../time/window-resolver.js';

/** Requests to one operation, or to a service as a whole. */
type RequestGroup = Omit<EndpointFigures, 'operation'> & Partial<Pick<EndpointFigures, 'operation'>>;

/** Error rates have two decimals, so up to this many requests the number of failures can be computed exactly. */
const MAX_EXACT_REQUESTS = 10_000;
const MAX_LISTED = 10;

/** How many requests of one kind failed or succeeded. */
export const outcomesIntent: Intent = {
  name: 'outcomes',
  cues: { outcomeCounted: 9 },
  // The counted nouns depend on the domain, so no phrasing fits all.
  forms: [],
  answer: (context, slots) =>
    slots.baseline === undefined ? answerOutcomes(context, slots) : compareOutcomes(context, slots),
};

/** Compares the outcomes of two windows. */
export async function compareOutcomes(context: QueryContext, slots: Slots): Promise<Draft> {
  const { current, baseline } = resolveComparedWindows(slots, context.nowMs);
  const now = await answerOutcomes(context, { ...slots, time: current });
  const before = await answerOutcomes(context, { ...slots, time: baseline });
  return before.text === now.text ? now : { ...now, text: `${now.text}\n${before.text}` };
}

/** For the requested operation, entity or services; never for everything. */
export async function answerOutcomes(context: QueryContext, slots: Slots): Promise<Draft> {
  const window = describeWindow(slots.time, context.nowMs);
  const [name] = slots.services;
  // "Orders" that a service handles, though a queue is called so too.
  const handled = name === undefined ? '' : singularize(name);
  if (
    name !== undefined &&
    context.vocabulary.dependencies.includes(name) &&
    context.vocabulary.operations.some((each) => isOperationAbout(handled, each))
  )
    return answerOutcomes(context, { ...slots, services: slots.services.slice(1), thing: handled });
  if (name !== undefined && context.vocabulary.dependencies.includes(name)) {
    return {
      text: describeDependency(await loadDependencyFigures(context, name, slots), window),
      followUps: [`Which services depend on ${name}?`, 'What is the root cause?'],
    };
  }
  const { found, isCut } = await loadRequestGroups(context, slots);
  const [first] = found;
  if (first === undefined) return createMissingEndpointDraft(context, slots, isCut);
  const lines = found.map((each) => describeOutcome(each, slots.status !== 'OK'));
  const rest = !isCut
    ? ''
    : slots.services.length === 0
      ? `\nI looked among the ${RANKED_ENDPOINTS} slowest endpoints; name a service, and I look at all of its own.`
      : '\nLookup limit for one answer reached: I did not check all of these services.';
  const { serviceName } = first;
  return {
    text: `${lines.length === 1 ? `${lines[0]}${window}.` : `${capitalize(window.trim())}:${formatList(lines, MAX_LISTED)}`}${rest}`,
    followUps: [
      `Show me ${slots.status === 'OK' ? 'successful' : 'failed'} traces of ${serviceName}`,
      `Which errors does ${serviceName} have?`,
      'Which service has the most errors?',
      'What is the root cause?',
    ],
  };
}

async function loadRequestGroups(
  context: QueryContext,
  slots: Slots,
): Promise<{ readonly found: readonly RequestGroup[]; readonly isCut: boolean }> {
  if (slots.operation === undefined && slots.thing === undefined) {
    const services = await loadServiceHealth(context, slots);
    return { found: services.filter(({ serviceName }) => slots.services.includes(serviceName)), isCut: false };
  }
  const { endpoints, isCut } = await findEndpoints(context, slots);
  return { found: endpoints, isCut };
}

/** Such as `6 of 60 requests to Charge of payment failed (error rate 10 %)`. */
function describeOutcome({ serviceName, operation, requestCount, errorRate }: RequestGroup, isFailed: boolean): string {
  const to = operation === undefined ? serviceName : `${formatName(operation)} of ${serviceName}`;
  if (requestCount === 0) return `No requests came to ${to}`;
  if (requestCount > MAX_EXACT_REQUESTS)
    return `${formatPercent(errorRate)} of ${formatCount(requestCount, 'request')} to ${to} failed`;
  const failed = Math.round((requestCount * errorRate) / 100);
  const [count, what] = isFailed ? [failed, 'failed'] : [requestCount - failed, 'went through'];
  return `${count} of ${formatCount(requestCount, 'request')} to ${to} ${what} (error rate ${formatPercent(errorRate)})`;
}

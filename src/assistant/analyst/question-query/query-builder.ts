import type { Slots } from '../understanding/slots.js';
import type { MarkedText } from './marked-text.js';
import {
  CALLEE_GROUP,
  CALLER_GROUP,
  type MeasureBound,
  type MeasureOrder,
  type QueryReading,
  type QuestionCondition,
  type QuestionMeasure,
  type QuestionQuery,
  type RecordSubject,
} from './question-query.js';
import { isAboutWholeTraces } from './query-validity.js';
import type { QuestionRequest } from './request-grammar.js';

interface BuildingInput extends Pick<Slots, 'time' | 'baseline'> {
  readonly request: QuestionRequest;
  readonly text: MarkedText;
  readonly limit: number | undefined;
}

const COUNT: QuestionMeasure = { fn: 'count' };
/** What is told of records that are compared without a figure that the question names. */
export const SUMMARY: readonly QuestionMeasure[] = [
  { fn: 'errorRate' },
  { fn: 'avg', field: 'duration' },
  { fn: 'p95', field: 'duration' },
];
const MAX_LISTED = 5;

/** Completes what the question asks; unread if it asks for something that a query does not have. */
export function buildQuery({ request: read, text, limit, time, baseline }: BuildingInput): QueryReading {
  const events = text.remaining('time');
  const request = withTraceStatus(withSteps(read));
  const event = events[0] === undefined || !request.isChange ? events[0] : { ...events[0], side: 'both' as const };
  const subject = chooseSubject(request);
  const isOverall =
    request.groupBy.length === 0 && request.stepSeconds === undefined && chooseGroups(request, subject).length === 0;
  const faults = [
    ...(isOverall ? findUnusedExtremes(request) : []),
    ...findFaults(request, subject, text, events.length + (time === undefined ? 0 : 1)),
    ...findUnownedFigures(read, request, limit),
    ...findMissingEvents(request),
  ];
  if (faults.length > 0) return { kind: 'unread', words: faults, values: [] };
  const isEdge = request.edge !== undefined && request.measures.length === 0 && request.order === undefined;
  // "When did the first error appear, and in which service?" is about one record.
  const groupBy = isEdge ? [] : chooseGroups(request, subject);
  const stepSeconds = request.stepSeconds;
  const isGrouped = groupBy.length > 0 || stepSeconds !== undefined;
  const measures = chooseMeasures(request, subject, isGrouped);
  const listing = isGrouped || request.shareOf !== undefined ? undefined : chooseListing(request, measures);
  const order = isGrouped ? chooseOrder(request, measures, subject) : undefined;
  const maximum = chooseLimit(request, limit, isGrouped, listing);
  const query: QuestionQuery = {
    subject,
    conditions: chooseConditions(request),
    measures: listing === undefined || measures.length > 0 ? withCount(measures) : [],
    groupBy,
    having: isGrouped ? request.having : [],
    ...(request.shareOf !== undefined && { share: request.conditions.slice(request.shareOf) }),
    ...(request.touched !== undefined && { touched: request.touched }),
    ...(request.besideRest !== undefined && { besideRest: request.besideRest }),
    ...(stepSeconds !== undefined && { stepSeconds }),
    ...(order !== undefined && { order }),
    ...(listing !== undefined && { listing }),
    ...(maximum !== undefined && { limit: maximum }),
    ...((event ?? time) !== undefined && { time: event ?? time }),
    ...(baseline !== undefined && { baseline }),
  };
  return { kind: 'query', query, ...(request.guessed !== undefined && { guessed: request.guessed }) };
}

/** All conditions, or those of the whole of a share. What has no flag is neither a hit nor a miss. */
function chooseConditions({ conditions, shareOf }: QuestionRequest): readonly QuestionCondition[] {
  if (shareOf === undefined) return conditions;
  const whole = conditions.slice(0, shareOf);
  const known = new Set(whole.flatMap((each) => (each.kind === 'exists' ? [each.field] : [])));
  const flags = new Set(conditions.slice(shareOf).flatMap(listFlags));
  return [
    ...whole,
    ...[...flags].filter((field) => !known.has(field)).map((field) => ({ kind: 'exists', field }) as const),
  ];
}

function listFlags(condition: QuestionCondition): readonly string[] {
  switch (condition.kind) {
    case 'in':
      return condition.values.every((value) => /^(?:true|false)$/.test(value)) ? [condition.field] : [];
    case 'not':
      return listFlags(condition.term);
    case 'any':
    case 'all':
      return condition.terms.flatMap(listFlags);
    default:
      return [];
  }
}

/** What the question says but no query applies, as words. */
function findFaults(
  { loose, having, groupBy, stepSeconds, shareOf, conditions, touched, isChange, measures }: QuestionRequest,
  subject: RecordSubject,
  text: MarkedText,
  times: number,
): readonly string[] {
  const isGrouped = groupBy.length > 0 || stepSeconds !== undefined;
  const hasEvent = text.remaining('time').length > 0;
  const faults: string[] = [];
  faults.push(...loose);
  faults.push(...text.remaining('bound').flatMap(({ bounds }) => bounds.map(({ amount }) => String(amount))));
  faults.push(...text.remaining('quoted').map((quoted) => `"${quoted}"`));
  if (times > 1) faults.push('two times');
  if (isChange && !hasEvent) faults.push('change');
  if (having.length > 0 && !isGrouped) faults.push(...having.map(({ value }) => String(value)));
  if (shareOf !== undefined && shareOf >= conditions.length) faults.push('percentage');
  // A share is one figure of all records, or of each group.
  if (shareOf !== undefined && (stepSeconds !== undefined || measures.some(({ fn }) => fn !== 'count')))
    faults.push('percentage');
  faults.push(...findUnjoinedExceptions(conditions));
  if (touched !== undefined && subject !== 'traces') faults.push('both');
  // What a trace lacks is in none of its spans.
  if (subject === 'traces' && conditions.some((each) => each.kind === 'not' && !isAboutWholeTraces([each])))
    faults.push('without');
  if (groupBy.length > 4) faults.push('more than four groups');
  if (
    subject === 'logs' &&
    conditions.some((each) =>
      uses(each, (field) => field === 'duration' || field === 'kind' || field === 'status' || field === 'operation'),
    )
  )
    faults.push('duration, status or operation of log entries');
  if (subject !== 'logs' && conditions.some((each) => hasText(each))) faults.push('words in the text');
  if (subject === 'logs' && conditions.some(hasCallee)) faults.push('dependency');
  return faults;
}

/** Among one figure there is no highest. */
function findUnusedExtremes({ order, isTop, edge }: QuestionRequest): readonly string[] {
  if (edge !== undefined) return [];
  if (order !== undefined) return [order.descending ? 'highest' : 'lowest'];
  return isTop === undefined ? [] : [isTop];
}

/** Words for a figure of the number of records, which no query has: "minimum requests per second by region". */
function findUnownedFigures(
  { measures: asked }: QuestionRequest,
  { measures, stepSeconds, groupBy, conditions, order, isTop }: QuestionRequest,
  limit: number | undefined,
): readonly string[] {
  const isOfNumber = asked.some(({ fn, bare }) => bare === undefined && isNumber(fn));
  const bare = isOfNumber ? measures.flatMap((each) => each.bare ?? []) : [];
  const isMean = stepSeconds !== undefined && asked.some((each) => each.isMean === true);
  const isLimited = limit !== undefined && stepSeconds !== undefined && groupBy.length > 0;
  // Groups without such a record have no row.
  const [ranked = COUNT] = order === undefined ? measures : [order.measure];
  const isFewest =
    (order === undefined ? isTop === 'lowest' : !order.descending) &&
    (ranked.fn === 'count' || ranked.fn === 'rate') &&
    stepSeconds === undefined &&
    conditions.some((each) => each.kind !== 'in' || !groupBy.includes(each.field));
  return [
    ...bare,
    ...(isMean ? ['average'] : []),
    ...(isLimited ? [String(limit)] : []),
    ...(isFewest ? [order === undefined ? 'lowest' : 'fewest'] : []),
  ];
}

function isNumber(fn: QuestionMeasure['fn']): boolean {
  return ['count', 'rate', 'failures', 'failureRate', 'countDistinct'].includes(fn);
}

/** "Requests that had no timeout": the exception may be one of another span of the request. */
function findMissingEvents({ subject, conditions }: QuestionRequest): readonly string[] {
  return subject === 'requests' || subject === 'traces' ? conditions.flatMap((each) => listMissingEvents(each)) : [];
}

function listMissingEvents(condition: QuestionCondition, isNegated = false): readonly string[] {
  switch (condition.kind) {
    case 'in':
      return isNegated && condition.field.startsWith('event.') ? [`no ${condition.values.join(' or ')}`] : [];
    case 'not':
      return listMissingEvents(condition.term, !isNegated);
    case 'any':
    case 'all':
      return condition.terms.flatMap((term) => listMissingEvents(term, isNegated));
    default:
      return [];
  }
}

/** Hardly a record has exceptions of two types: that these are alternatives, a question must say. */
function findUnjoinedExceptions(conditions: readonly QuestionCondition[]): readonly string[] {
  const types = conditions.flatMap((each) =>
    each.kind === 'in' && each.field === 'event.exception.type' ? [each.values.join(' or ')] : [],
  );
  return types.length > 1 ? types : [];
}

function chooseSubject({ subject, conditions, groupBy }: QuestionRequest): RecordSubject {
  if (subject === 'logs' || subject === 'traces') return subject;
  if (conditions.some(hasCallee) || groupBy.includes(CALLEE_GROUP) || groupBy.includes(CALLER_GROUP)) return 'calls';
  if (
    groupBy.includes('severity') ||
    conditions.some((each) => uses(each, (field) => field === 'severity')) ||
    conditions.some(hasText)
  )
    return 'logs';
  if (conditions.some((each) => uses(each, (field) => field === 'kind'))) return 'spans';
  // Exceptions are events of any span.
  const isEvent = (field: string): boolean => field.startsWith('event.');
  if (groupBy.some(isEvent) || conditions.some((each) => uses(each, isEvent))) return 'spans';
  // "calls" without a callee are requests.
  return subject === 'spans' ? 'spans' : 'requests';
}

/**
 * "Requests per minute" is a rate, "errors per minute" and "p95 per minute" are figures of each minute, as is the highest
 * rate. "Errors per second" and "errors a minute on average" are one figure.
 */
function withSteps(request: QuestionRequest): QuestionRequest {
  const { measures, stepSeconds, isTop, order } = request;
  const rates = measures.filter(({ fn }) => fn === 'rate');
  if (rates.length === 0 || stepSeconds !== undefined) return request;
  const isPerMinute = rates.some(({ isPerMinute: isRate }) => isRate === true);
  const others = measures.filter(({ fn }) => fn !== 'rate' && fn !== 'count');
  const isExtreme =
    isTop !== undefined || (order !== undefined && isRateLike(order.measure)) || others.some(isExtremeOfRate);
  if (
    isExtreme &&
    request.groupBy.length === 0 &&
    others.every((each) => isExtremeOfRate(each) || each.fn === 'failures')
  ) {
    const steps = others.some(({ fn }) => fn === 'failures') ? [FAILURES] : isPerMinute ? [COUNT] : rates.slice(0, 1);
    const isLowest = isTop === 'lowest' || others.some(({ fn }) => fn === 'min');
    return { ...request, measures: steps, stepSeconds: 60, order: { measure: steps[0], descending: !isLowest } };
  }
  if (others.length === 0) return request;
  if (others.every(({ fn }) => fn === 'failures') && (!isPerMinute || rates.some(({ isMean }) => isMean === true)))
    return { ...request, measures: [FAILURES, { fn: 'failureRate', isPerMinute }] };
  return isPerMinute ? { ...request, measures: others, stepSeconds: 60 } : request;
}

const FAILURES: QuestionMeasure = { fn: 'failures' };

/** "Maximum" beside a rate is that of the rate. */
function isExtremeOfRate({ fn, field }: QuestionMeasure): boolean {
  return (fn === 'max' || fn === 'min') && field === 'duration';
}

function isRateLike({ fn }: QuestionMeasure): boolean {
  return fn === 'rate' || fn === 'count' || fn === 'failures';
}

/** A trace has errors or not: "how many traces have errors" counts the failed ones. */
function withTraceStatus(request: QuestionRequest): QuestionRequest {
  if (request.subject !== 'traces' || !request.measures.some(({ fn }) => fn === 'failures')) return request;
  return {
    ...request,
    measures: request.measures.map((measure) => (measure.fn === 'failures' ? COUNT : measure)),
    conditions: [...request.conditions, { kind: 'in', field: 'status', values: ['ERROR'] }],
  };
}

function chooseGroups(
  { groupBy, isComparison, conditions, measures }: QuestionRequest,
  subject: RecordSubject,
): readonly string[] {
  const groups =
    subject === 'logs' ? groupBy.map((field) => (field === 'event.exception.message' ? 'body' : field)) : groupBy;
  if (groups.length > 0 || !isComparison) return withService(groups, conditions, subject);
  const compared = conditions.find((each) => each.kind === 'in' && each.values.length > 1);
  if (compared?.kind !== 'in') return groups;
  return measures.length > 0 || compared.field !== 'service' ? [compared.field] : groups;
}

/** An endpoint is known by its service too, unless the question names one. */
function withService(
  groups: readonly string[],
  conditions: readonly QuestionCondition[],
  subject: RecordSubject,
): readonly string[] {
  const isOne = conditions.some((each) => each.kind === 'in' && each.field === 'service' && each.values.length === 1);
  return groups.includes('operation') && !groups.includes('service') && !isOne && subject !== 'logs'
    ? ['service', ...groups]
    : groups;
}

function chooseMeasures(
  request: QuestionRequest,
  subject: RecordSubject,
  isGrouped: boolean,
): readonly QuestionMeasure[] {
  const asked = unique([
    ...request.measures,
    ...request.having.map(({ measure }) => measure),
    ...(request.order === undefined ? [] : [request.order.measure]),
  ]);
  if (subject === 'logs') return asked.filter(({ field }) => field !== 'duration');
  const slow: QuestionMeasure =
    subject === 'calls' ? { fn: 'avg', field: 'duration' } : { fn: 'p95', field: 'duration' };
  if (request.isChange) return unique([...asked, ...SUMMARY]);
  if (asked.length > 0) return isGrouped && request.extreme !== undefined ? unique([...asked, slow]) : asked;
  if (isGrouped && request.extreme !== undefined) return unique([{ fn: 'avg', field: 'duration' }, slow]);
  if (isGrouped && request.isTop === undefined && request.order === undefined && request.isComparison) return SUMMARY;
  return asked;
}

function chooseListing(
  { edge, extreme, isListed, measures }: QuestionRequest,
  chosen: readonly QuestionMeasure[],
): QuestionQuery['listing'] {
  if (extreme !== undefined) return { by: 'duration', descending: extreme === 'slowest' };
  if (edge !== undefined) return { by: 'time', descending: edge === 'last' };
  return chosen.length === 0 && (isListed || measures.length === 0) ? { by: 'time', descending: true } : undefined;
}

function chooseOrder(
  { order, extreme, isTop, having }: QuestionRequest,
  measures: readonly QuestionMeasure[],
  subject: RecordSubject,
): MeasureOrder | undefined {
  if (order !== undefined) return order;
  if (extreme !== undefined)
    return {
      measure: measures.find(({ fn, field }) => fn.startsWith('p') && field === 'duration') ??
        measures.find(({ field }) => field === 'duration') ?? {
          fn: subject === 'calls' ? 'avg' : 'p95',
          field: 'duration',
        },
      descending: extreme === 'slowest',
    };
  const [first = COUNT] = having.length > 0 ? having.map(({ measure }: MeasureBound) => measure) : measures;
  return { measure: first, descending: isTop !== 'lowest' };
}

function chooseLimit(
  { edge, extreme }: QuestionRequest,
  limit: number | undefined,
  isGrouped: boolean,
  listing: QuestionQuery['listing'],
): number | undefined {
  if (limit !== undefined) return limit;
  if (isGrouped) return undefined;
  if (listing === undefined) return undefined;
  return edge === 'first' || edge === 'last' || extreme !== undefined ? 1 : MAX_LISTED;
}

function withCount(measures: readonly QuestionMeasure[]): readonly QuestionMeasure[] {
  return measures.some(({ fn, field }) => fn === 'count' && field === undefined) ? measures : [COUNT, ...measures];
}

function unique(measures: readonly QuestionMeasure[]): readonly QuestionMeasure[] {
  return [...new Map(measures.map((measure) => [measureKey(measure), measure])).values()];
}

export function measureKey({ fn, field = '', isPerMinute = false }: QuestionMeasure): string {
  return `${fn}(${field})${isPerMinute ? '/min' : ''}`;
}

function uses(condition: QuestionCondition, test: (field: string) => boolean): boolean {
  switch (condition.kind) {
    case 'in':
    case 'compare':
      return test(condition.field);
    case 'not':
      return uses(condition.term, test);
    case 'any':
    case 'all':
      return condition.terms.some((term) => uses(term, test));
    default:
      return false;
  }
}

function hasText(condition: QuestionCondition): boolean {
  if (condition.kind === 'not') return hasText(condition.term);
  return (
    condition.kind === 'text' ||
    ((condition.kind === 'any' || condition.kind === 'all') && condition.terms.some(hasText))
  );
}

function hasCallee(condition: QuestionCondition): boolean {
  if (condition.kind === 'not') return hasCallee(condition.term);
  return (
    condition.kind === 'callee' ||
    ((condition.kind === 'any' || condition.kind === 'all') && condition.terms.some(hasCallee))
  );
}

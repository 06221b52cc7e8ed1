import type { EntityVocabulary } from '../entities/entity-vocabulary.js';
import { isOperationAbout } from '../entities/business-entity-extractor.js';
import { isFunctionWord } from '../lexicon/function-words.js';
import { singularize } from '../lexicon/word-matching.js';
import type { IntentName } from '../intents/intent.js';
import type { Slots } from '../understanding/slots.js';
import { isFollowUp } from '../understanding/references.js';
import type { Understanding } from '../understanding/question-understanding.js';
import { findUnknownOfMap } from './call-answers.js';
import { isAboutWholeTraces } from './query-validity.js';
import type { QuestionCondition, QuestionQuery } from './question-query.js';

/** Intents that tell figures and records, which a query tells as well. The others explain something. */
const FIGURE_INTENTS: ReadonlySet<IntentName> = new Set([
  'health',
  'latency',
  'errors',
  'outcomes',
  'traffic',
  'traces',
  'logs',
  'slowest',
  'detail',
  'services',
  'dependencies',
  'comparison',
  'trends',
  'changes',
  'remedy',
] as const);

/** Intents that explain: figures are no answer, unless a group is asked for ("which tenant causes most errors"). */
const EXPLANATIONS: ReadonlySet<IntentName> = new Set(['why', 'onset', 'impact', 'remedy', 'certainty'] as const);

/** True if the query answers the question, and not the intent that was understood, if any. */
export function isQueryPreferred(
  understood: Understanding,
  query: QuestionQuery,
  vocabulary: EntityVocabulary,
): boolean {
  if (findUnknownOfMap(query, vocabulary).length > 0) return false;
  if ('intent' in understood && understood.intent !== undefined && EXPLANATIONS.has(understood.intent))
    return asksForGroup(query) || asksForFigure(understood, query);
  switch (understood.kind) {
    case 'understood':
      if (isBusinessOutcome(understood, query, vocabulary)) return false;
      if (understood.intent === 'metrics') return asksFigureOfMetric(query);
      // Databases and queues have no traces and logs of their own.
      if (
        understood.intent === 'traces' &&
        understood.slots.services.some((name) => vocabulary.dependencies.includes(name))
      )
        return asksSomething(query);
      if (FIGURE_INTENTS.has(understood.intent) && namesMore(understood.slots, query)) return true;
      if (FIGURE_INTENTS.has(understood.intent) && isAboutHandled(understood, query, vocabulary)) return true;
      return FIGURE_INTENTS.has(understood.intent) && (needsQuery(query) || isOtherRecord(understood.intent, query));
    case 'impossible':
      // "DELETE requests", "logs that mention invalid credentials": all words of it were read.
      return ['deed', 'secret', 'elsewhere'].includes(understood.what) && asksSomething(query);
    case 'unapplied':
    case 'ambiguous':
    case 'unknownName':
    case 'unknown':
      return asksSomething(query);
    default:
      return false;
  }
}

/** True if a query may answer the question, so that it is worth looking up what its words mean. */
export function mayPreferQuery(understood: Understanding): boolean {
  return (
    understood.kind !== 'understood' ||
    understood.intent === 'metrics' ||
    FIGURE_INTENTS.has(understood.intent) ||
    EXPLANATIONS.has(understood.intent)
  );
}

/** A chart tells the last, lowest and highest values of each series; anything else is a query. */
function asksFigureOfMetric({ subject, measures, groupBy, stepSeconds, isLatest }: QuestionQuery): boolean {
  if (isLatest === true) return false;
  const isDefault =
    measures.length === 3 && ['count', 'avg', 'max'].every((fn) => measures.some((each) => each.fn === fn));
  return subject === 'metrics' && (!isDefault || groupBy.length > 0 || stepSeconds !== undefined);
}

/** A figure of one operation, or a list of requests, is no ranking of endpoints. */
function isOtherRecord(
  intent: IntentName,
  { conditions, measures, groupBy, listing, limit, time }: QuestionQuery,
): boolean {
  const isNamed = conditions.some((each) => each.kind === 'in' && each.field === 'operation');
  if (groupBy.length > 0) return false;
  if (isFigureOfMoment(time, measures) && ['errors', 'latency', 'traffic'].includes(intent))
    return conditions.length > 0;
  const isServiceNamed = conditions.some((each) => each.kind === 'in' && each.field === 'service');
  // "The 3 slowest GET /products requests" are records, not figures of the operation.
  if (intent === 'latency' && isNamed && listing?.by === 'duration' && measures.length === 0) return true;
  if (intent === 'latency' && isNamed && !isServiceNamed && measures.length > 0)
    return measures.every(({ fn }) => fn !== 'p50');
  if (intent !== 'slowest') return false;
  return (
    (isNamed && (measures.length > 1 || listing?.by === 'duration')) ||
    (listing?.by === 'duration' && limit !== undefined && limit > 1)
  );
}

/** "How many orders failed" is about the requests that handle orders, not about a queue of this name. */
function isBusinessOutcome(
  { intent, slots }: Extract<Understanding, { kind: 'understood' }>,
  { conditions, groupBy, stepSeconds }: QuestionQuery,
  { operations }: Pick<EntityVocabulary, 'operations'>,
): boolean {
  const isHandled = (name: string): boolean => operations.some((each) => isOperationAbout(singularize(name), each));
  const isNamed =
    (slots.thing !== undefined || conditions.some((each) => each.kind === 'callee' && isHandled(each.name))) &&
    groupBy.length === 0 &&
    stepSeconds === undefined;
  return intent === 'outcomes' && isNamed && conditions.every((each) => isPlain(each) || getField(each) === 'callee');
}

/** "Orders" that requests are about, where the intent took a queue of this name. */
function isAboutHandled(
  { intent, slots: { services } }: Extract<Understanding, { kind: 'understood' }>,
  { conditions }: QuestionQuery,
  { dependencies }: Pick<EntityVocabulary, 'dependencies'>,
): boolean {
  return (
    intent !== 'outcomes' &&
    services.some((name) => dependencies.includes(name)) &&
    conditions.some((each) => each.kind === 'in' && each.field === 'operation') &&
    conditions.every((each) => each.kind !== 'callee')
  );
}

/** "At 18:27" is that minute; the answer tells the minutes before it too. */
function isFigureOfMoment(time: QuestionQuery['time'], measures: QuestionQuery['measures']): boolean {
  return time?.kind === 'moment' && time.side === 'at' && measures.length > 0;
}

/** The intent has overlooked a service or an operation: a service may be called `search`. */
function namesMore({ services, excluded = [], operation, edge }: Slots, { conditions }: QuestionQuery): boolean {
  const known = new Set([...services, ...excluded, ...(operation === undefined ? [] : [operation])]);
  return (
    edge === undefined &&
    conditions.some(
      (each) =>
        each.kind === 'in' &&
        each.field === 'service' &&
        !each.values.every((value) => known.has(value) || isFunctionWord(value)),
    )
  );
}

/** One group of several is asked for, by something that only a query knows. */
function asksForGroup({ groupBy, order, measures }: QuestionQuery): boolean {
  return (
    groupBy.some((field) => field !== 'service' && field !== 'operation') && order !== undefined && measures.length > 1
  );
}

/** "What share comes from …", "when was the last …" explain nothing, whatever other words say. */
function asksForFigure(understood: Understanding, query: QuestionQuery): boolean {
  const isOnset = 'intent' in understood && understood.intent === 'onset';
  const isOne = isOnset && isOneRecord(query) && query.conditions.length > 0;
  // What a diagnosis tells is how a problem began.
  if (understood.kind === 'understood') return isOne && query.listing?.descending === true;
  return query.share !== undefined || isOne;
}

/** The first or last of the records. */
function isOneRecord({ listing, limit }: QuestionQuery): boolean {
  return listing?.by === 'time' && limit === 1;
}

/** Endpoints by a figure that the question names; the slowest ones are ranked by their p99 elsewhere. */
function ranksEndpoints({ groupBy, measures, order }: QuestionQuery): boolean {
  const isSlowest = measures.some(({ fn }) => fn === 'avg') && measures.some(({ fn }) => fn === 'p95');
  return groupBy.includes('operation') && order !== undefined && measures.length > 0 && !isSlowest;
}

function asksSomething({ conditions, measures, groupBy, touched }: QuestionQuery): boolean {
  return conditions.length > 0 || groupBy.length > 0 || touched !== undefined || measures.length > 1;
}

/** Intents know services, operations, one status, severity and words, and the figures of a service. */
function needsQuery(query: QuestionQuery): boolean {
  const { subject, conditions, measures, groupBy, having, share, touched, stepSeconds, time, listing, baseline } =
    query;
  if (baseline !== undefined && measures.length === 0) return false;
  // The comparison of two windows has averages and error rates only.
  if (baseline !== undefined && measures.some(({ fn }) => /^(?:p\d|max|min|sum|countD)/.test(fn))) return true;
  if (time?.kind === 'event' && time.service === undefined && time.side === 'both' && measures.length < 4) return false;
  if (hasIntentBounds(query)) return false;
  if (
    query.isContinued === true ||
    share !== undefined ||
    query.besideRest !== undefined ||
    ranksEndpoints(query) ||
    touched !== undefined ||
    stepSeconds !== undefined ||
    having.length > 0
  )
    return true;
  if (conditions.some((each) => !isPlain(each))) return true;
  if (time?.kind === 'event') return measures.length > 0;
  if (time?.kind === 'deployment' && measures.length > 0 && baseline === undefined) return true;
  if (subject === 'logs' && groupBy.length > 0) return true;
  if (subject === 'calls') return measures.length > 0 || groupBy.length > 0;
  if (subject === 'spans') return measures.length > 0 || groupBy.length > 0;
  if (groupBy.some((field) => field !== 'service' && field !== 'operation')) return true;
  if (measures.filter(({ fn }) => fn !== 'count').length > 1 && groupBy.length === 0 && !isLatency(query)) return true;
  if (measures.some(({ fn }) => ['p75', 'p90', 'max', 'min', 'sum', 'countDistinct'].includes(fn))) return true;
  if (measures.some(({ fn }) => fn === 'rate' || fn === 'failureRate')) return true;
  const bounds = conditions.filter((each) => each.kind === 'compare');
  if (bounds.length > 0 && subject !== 'traces') return true;
  if (subject === 'traces') return bounds.length > 0 && isAboutWholeTraces(conditions) && conditions.length > 1;
  return listing?.by === 'time' && !listing.descending && subject === 'logs';
}

/** The ranking of services has bounds of the error rate. */
function hasIntentBounds({ having, groupBy, conditions }: QuestionQuery): boolean {
  return (
    having.length > 0 &&
    conditions.length === 0 &&
    groupBy.join() === 'service' &&
    having.every(({ measure: { fn }, value }) => fn === 'errorRate' || (fn === 'failures' && value === 0))
  );
}

/** "latency" alone is the average and the p95. */
function isLatency({ measures }: QuestionQuery): boolean {
  return measures.length === 3 && measures.some(({ fn }) => fn === 'avg') && measures.some(({ fn }) => fn === 'p95');
}

const PLAIN_FIELDS = new Set(['service', 'operation', 'status', 'severity']);

function isPlain(condition: QuestionCondition): boolean {
  if (condition.kind === 'in') return PLAIN_FIELDS.has(condition.field);
  return condition.kind === 'compare'
    ? condition.field === 'duration'
    : condition.kind === 'callee' || condition.kind === 'text';
}

/** "excluding frontend", "by host": parts of a question that complete the one before. */
const CONTINUES =
  /^\W*(?:and|only|just|but|same|similar|similarly|likewise|what\s+about|how\s+about|excluding|except|without|not|now|then|by|per|for|how\s+many\s+of|of\s+those|of\s+them|those|them|its)\b/i;

/** Asks for what was asked before. */
const SAME = /^\W*(?:(?:and|now|then|but)\s+)*(?:(?:the\s+)?same|similar(?:ly)?|likewise)\b/i;

/** True for "and for gold only?", which says nothing without the question before. */
export function continuesQuestion(text: string): boolean {
  return CONTINUES.test(text);
}

/** The query of a question, completed from the one before where it continues that. */
export function continueQuery(
  text: string,
  words: number,
  query: QuestionQuery,
  previous: QuestionQuery | undefined,
): QuestionQuery | undefined {
  if (!CONTINUES.test(text) && !isFollowUp(text, words)) return query;
  // Without the question before, its conditions are not known.
  if (previous === undefined) return asksByItself(query) && !SAME.test(text) ? query : undefined;
  // What records are grouped by, a metric has not.
  if (SAME.test(text) && (previous.subject === 'metrics') !== (query.subject === 'metrics')) return undefined;
  const { firstListed } = previous;
  if (firstListed !== undefined && /\b(?:its|it|that\s+one|that\s+(?:endpoint|service|host|operation))\b/i.test(text)) {
    const { firstListed: _old, order: _order, groupBy: _groups, having: _having, ...own } = previous;
    return {
      ...own,
      ...query,
      conditions: [...previous.conditions, ...firstListed, ...query.conditions],
      isContinued: true,
      ...(query.time === undefined && previous.time !== undefined && { time: previous.time }),
    };
  }
  const replaced = new Set(query.conditions.map(getField));
  // "Which of them took longest?" lists other records than those that were counted.
  const asksAnew = query.measures.length > 0 || query.listing?.by === 'duration' || isOneRecord(query);
  const groupBy = query.groupBy.length > 0 ? query.groupBy : asksAnew ? [] : previous.groupBy;
  const {
    firstListed: _first,
    isContinued: _continued,
    listing: _listing,
    order: _order,
    time: _time,
    stepSeconds: _step,
    limit: _limit,
    ...rest
  } = previous;
  const shape = asksAnew || query.groupBy.length > 0 ? query : previous;
  return {
    ...rest,
    subject: query.subject === 'requests' ? previous.subject : query.subject,
    conditions: [
      ...previous.conditions.filter(
        (each) => each.kind === 'not' || !replaced.has(getField(each)) || each.kind === 'text',
      ),
      ...query.conditions,
    ],
    measures: asksAnew ? query.measures : previous.measures,
    groupBy,
    having: [...(groupBy.length > 0 ? previous.having : []), ...query.having],
    ...(shape.listing !== undefined && { listing: shape.listing }),
    ...(shape.order !== undefined && groupBy.length > 0 && { order: shape.order }),
    ...(shape.stepSeconds !== undefined && { stepSeconds: shape.stepSeconds }),
    ...(shape.limit !== undefined && { limit: shape.limit }),
    // "Only the failed ones" are the slowest of these, which the intent has forgotten.
    ...(!asksAnew && previous.listing?.by === 'duration' && { isContinued: true }),
    ...((query.time ?? previous.time) !== undefined && { time: query.time ?? previous.time }),
  };
}

/** Names what is asked for, and not only a condition. */
function asksByItself({ measures, groupBy, subject }: QuestionQuery): boolean {
  return measures.length > 0 || groupBy.length > 0 || subject === 'logs' || subject === 'traces';
}

function getField(condition: QuestionCondition): string {
  if (condition.kind === 'in' || condition.kind === 'compare') return condition.field;
  return condition.kind === 'not' ? `not ${getField(condition.term)}` : condition.kind;
}

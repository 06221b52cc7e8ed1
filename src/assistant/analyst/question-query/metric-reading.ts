import type { EntityVocabulary, NamedMetric } from '../entities/entity-vocabulary.js';
import { blankOut, splitIdentifier, tokenize, type WordToken } from '../lexicon/tokenizer.js';
import { singularize } from '../lexicon/word-matching.js';
import type { MarkedText, NumberBound } from './marked-text.js';
import type { MeasureBound, QueryReading, QuestionMeasure, QuestionQuery } from './question-query.js';
import type { QuestionRequest } from './request-grammar.js';
import type { Slots } from '../understanding/slots.js';

/** Asks for one value: the oldest that is kept, or the newest. */
export const OF_ONE_VALUE = /\b(?:first|earliest|oldest|initial|last|latest|newest|(?:most\s+)?recent|final)\b/i;

/** A metric that a question names by words of its name, and the question without them. */
export interface MetricMention {
  readonly metric: NamedMetric;
  readonly rest: string;
  /** Number of words of its name that the question has. */
  readonly words: number;
}

/** Parts of names that say how something is measured, not what. */
const NO_SUBJECT = /^(?:p\d+|total|bucket|sum)$/;
/** What spans tell better. */
const OF_REQUESTS = /^(?:http|rpc)\./;
/** Words that name something else alone: a request, an error. */
const COMMON =
  /^(?:request|server|client|http|rpc|db|database|error|duration|time|count|size|message|process|service|system|name|type|usage|use|max|min|limit|used|state|connection)$/;

/** Asks for the value, whatever it is a value of. */
const HOW_MUCH =
  /\bhow\s+(?:deep|big|large|full|empty|high|low|long|much|many|fast|heavy|hot|warm|cold|loud|old|charged)\b/i;

/** The metric of which the question has most words; undefined if none, or if several fit as well. */
export function findMetric(question: string, { metrics = [] }: EntityVocabulary): MetricMention | undefined {
  const tokens = tokenize(question);
  const all = metrics.filter(({ name }) => !OF_REQUESTS.test(name)).map((metric) => matchMetric(metric, tokens));
  const best = Math.max(0, ...all.map(({ words }) => words.length));
  const [found, ...others] = all.filter(({ words }) => words.length === best);
  if (best === 0 || others.length > 0 || (best === 1 && !isDistinctive(found.words[0], metrics))) return undefined;
  const rest = found.used
    .filter((token) => !isGroup(question, token, found.metric))
    .reduce((text, { from, to }) => blankOut(text, from, to), question);
  return {
    metric: found.metric,
    words: best,
    rest: rest
      .replace(HOW_MUCH, (words) => (/many/i.test(words) ? words : 'what'))
      .replace(/\b(?:at\s+(?:the\s+)?)?most\b(?!\s+(?:recent\b|\d))|\bpeak(?:ed|s)?\b/i, 'highest')
      .replace(/\bfewest\b|(?<!\bat\s+)\bleast\b/i, 'lowest'),
  };
}

/** "Which robot has the lowest battery": the word asks for the attribute, though the name of the metric has it too. */
function isGroup(question: string, { word, from }: WordToken, { attributeKeys }: NamedMetric): boolean {
  return (
    /\b(?:which|what|per|by|each|every)\s+(?:the\s+)?$/i.test(question.slice(0, from)) &&
    attributeKeys.some((key) => splitIdentifier(key).includes(singularize(word)))
  );
}

interface MatchedMetric {
  readonly metric: NamedMetric;
  readonly words: readonly string[];
  readonly used: readonly WordToken[];
}

/** "Event loop" is `eventloop`. */
function matchMetric(metric: NamedMetric, tokens: readonly WordToken[]): MatchedMetric {
  const words = [...new Set(splitIdentifier(metric.name).map(singularize))];
  const found = words.flatMap((word) => {
    const at = tokens.findIndex((token) => singularize(token.word) === word);
    if (at >= 0) return [{ word, used: [tokens[at]] }];
    const pair = tokens.findIndex(
      (token, index) => token.word + singularize(tokens[index + 1]?.word ?? '') === word && index + 1 < tokens.length,
    );
    return pair < 0 ? [] : [{ word, used: [tokens[pair], tokens[pair + 1]] }];
  });
  return {
    metric,
    words: found.map(({ word }) => word).filter((word) => !NO_SUBJECT.test(word)),
    used: found.flatMap(({ used }) => used),
  };
}

function isDistinctive(word: string, metrics: readonly NamedMetric[]): boolean {
  return (
    !COMMON.test(word) &&
    metrics.filter(({ name }) => splitIdentifier(name).map(singularize).includes(word)).length === 1
  );
}

const FIELDS: Readonly<Record<string, string>> = { 'service.instance.id': 'instance' };
/** Of a counter the increase is summed up; points of others tell a state, which does not add up. */
const VALUE_FUNCTIONS = new Set<QuestionMeasure['fn']>(['avg', 'max', 'min']);

/** Asks for the value of this moment. */
const OF_NOW = /\b(?:right\s+now|now|currently|current|at\s+the\s+moment|at\s+present)\b/i;

/** Asks for a sum of what a metric counts, for one of its values, or for their distribution. */
export const OF_ALL_VALUES =
  /\b(?:in\s+total|totals?|sum(?:med)?|altogether|in\s+all|overall|combined|cumulative(?:ly)?|distribution|how\s+many|(?:number|count|amount)\s+of)\b/i;

interface MetricAsked extends Pick<Slots, 'time' | 'baseline'> {
  readonly text: MarkedText;
  /** The question without the name of the metric. */
  readonly question: string;
  /** The same without times. */
  readonly asked: string;
  readonly limit: number | undefined;
}

/** The query of a metric; unread if the question asks something of it that a metric does not have. */
export function buildMetricQuery(
  request: QuestionRequest,
  metric: NamedMetric,
  { text, question, asked, limit, time, baseline }: MetricAsked,
): QueryReading {
  const { name, unit, attributeKeys } = metric;
  const isCounter = metric.type === 'sum' && metric.monotonic === true;
  const toField = (field: string): string => FIELDS[field] ?? field;
  const loose = request.loose.map(toField);
  // Values of one attribute are told one by one: "battery of r1 vs r3".
  const compared = request.conditions.flatMap((each) =>
    each.kind === 'in' && each.values.length > 1 ? [toField(each.field)] : [],
  );
  const bounds = text.remaining('bound');
  const having = isCounter ? undefined : readValueBounds(bounds, unit, question);
  const now = OF_NOW.exec(question)?.[0];
  const isNow = !isCounter && now !== undefined && request.measures.length === 0 && bounds.length === 0;
  const named = [...new Set([...request.groupBy.map(toField), ...loose, ...compared])];
  // Each series has a value of its own.
  const own = ['instance', ...attributeKeys].filter((key) => !isFixed(request.conditions, toField, key)).slice(0, 3);
  const groupBy = named.length === 0 && (isNow || (having ?? []).length > 0) ? own : named;
  const known = new Set(['service', 'instance', ...attributeKeys]);
  const faults = [
    ...findUnknownParts(request),
    ...(isCounter ? findUnknownOfCounter(request) : []),
    // Quotations and events are no part of it.
    ...(having === undefined ? bounds.flatMap((each) => each.bounds.map(({ amount }) => String(amount))) : []),
    // Bounds and averages are those of a time.
    ...(now !== undefined && !isNow && !isCounter ? [now] : []),
    ...findWords(asked).filter((word) => !isCounter || !OF_SUM.test(word)),
    ...text.remaining('quoted'),
    ...text.remaining('time').map(({ side }) => side),
    ...groupBy.filter((field) => !known.has(field)),
    ...request.conditions.flatMap((each) => (each.kind === 'in' && known.has(toField(each.field)) ? [] : [each.kind])),
  ];
  if (faults.length > 0) return { kind: 'unread', words: faults, values: [] };
  const chosen: readonly QuestionMeasure[] = isCounter
    ? [{ fn: 'sum' }]
    : isNow
      ? [{ fn: 'max', field: 'last' }]
      : [
          ...new Map(
            [...(having ?? []).map(({ measure }) => measure), ...chooseValueMeasures(request)].map((each) => [
              each.fn,
              each,
            ]),
          ).values(),
        ];
  const measures = chosen.map((measure) => ({ ...measure, field: measure.field ?? 'value', unit }));
  const query: QuestionQuery = {
    subject: 'metrics',
    conditions: [
      { kind: 'in', field: 'metric', values: [name] },
      ...request.conditions.map((each) => (each.kind === 'in' ? { ...each, field: toField(each.field) } : each)),
    ],
    measures: [{ fn: 'count' }, ...measures],
    groupBy,
    having: having ?? [],
    ...((request.stepSeconds !== undefined || isNow) && { stepSeconds: Math.max(60, request.stepSeconds ?? 0) }),
    ...(isNow && { isLatest: true as const }),
    ...(groupBy.length > 0 && { order: { measure: measures[0], descending: request.isTop !== 'lowest' } }),
    ...(limit !== undefined && { limit }),
    ...(time !== undefined && { time }),
    ...(baseline !== undefined && { baseline }),
  };
  return { kind: 'query', query };
}

/** True if the conditions leave one value of the attribute. */
function isFixed(conditions: QuestionRequest['conditions'], toField: (field: string) => string, key: string): boolean {
  return conditions.some((each) => each.kind === 'in' && toField(each.field) === key && each.values.length === 1);
}

/** One value is enough: "has it ever been below 10". */
const ONCE = /\b(?:ever|gone?|goes|went|going|drop\w*|fall\w*|fell|sink\w*|sank|dip\w*)\b/i;
const NEGATED = /\b(?:never|always|not|stay\w*|remain\w*|kept|keep)\b/i;

/**
 * "Has the CPU gone over 90 %": the extreme value of each series is compared; "at most" bounds the highest one.
 * Undefined if the number is of another unit than the metric, or if the question does not say whether one value or all
 * are meant. A share is a percentage of 1.
 */
function readValueBounds(
  bounds: readonly NumberBound[],
  unit: string,
  question: string,
): readonly MeasureBound[] | undefined {
  const found = bounds.map(({ bounds: own, unit: written, noun }) => {
    const scale =
      written === '' || (written === '%' && unit === '%') ? 1 : written === '%' && unit === '1' ? 0.01 : undefined;
    if (scale === undefined || noun !== undefined || !own.every(({ sign }) => isOfOneEnd(sign, question)))
      return undefined;
    return own.map(({ sign, amount }): MeasureBound => ({
      measure: { fn: sign === '<' ? 'min' : 'max', field: 'value', unit },
      sign,
      value: Number((amount * scale).toPrecision(12)),
    }));
  });
  return found.some((each) => each === undefined) ? undefined : found.flatMap((each) => each ?? []);
}

/** True if it is plain which end of the values the bound is for: all are "at most", one is "over", one has "gone below". */
function isOfOneEnd(sign: MeasureBound['sign'], question: string): boolean {
  const isNegated = NEGATED.test(question);
  if (sign === '<') return ONCE.test(question) && !isNegated;
  if (sign === '<=') return !ONCE.test(question) && !/\b(?:never|or\s+(?:less|lower|below))\b/i.test(question);
  if (sign === '>=') return !isNegated && !/\bat\s+least\b/i.test(question);
  return !isNegated;
}

/** Percentiles and rates are those of spans; a metric has values. */
function findUnknownParts(request: QuestionRequest): readonly string[] {
  const { measures, having, shareOf, touched, besideRest, isChange, order, extreme } = request;
  return [
    ...measures.filter(({ fn }) => fn !== 'count' && !VALUE_FUNCTIONS.has(fn)).map(({ fn }) => fn),
    ...having.map(({ value }) => String(value)),
    ...(shareOf === undefined ? [] : ['percentage']),
    ...(touched === undefined ? [] : ['both']),
    ...(besideRest === undefined ? [] : ['other']),
    ...(isChange ? ['change'] : []),
    ...(order === undefined || VALUE_FUNCTIONS.has(order.measure.fn) || order.measure.fn === 'count' ? [] : ['order']),
    ...(extreme === undefined ? [] : [extreme]),
  ];
}

/** What asks for all that was counted. */
const OF_SUM =
  /^(?:in\s+total|totals?|sum(?:med)?|altogether|in\s+all|overall|combined|how\s+many|(?:number|count|amount)\s+of)$/i;

/** A counter has no mean or extreme value that anybody asks about. */
function findUnknownOfCounter({ measures, isTop, groupBy }: QuestionRequest): readonly string[] {
  return [
    ...measures.filter(({ fn }) => VALUE_FUNCTIONS.has(fn)).map(({ fn }) => fn),
    ...(isTop === undefined || groupBy.length > 0 ? [] : [isTop]),
  ];
}

function findWords(asked: string): readonly string[] {
  return [OF_ALL_VALUES, OF_ONE_VALUE].flatMap((pattern) => pattern.exec(asked)?.[0] ?? []);
}

function chooseValueMeasures({ measures, isTop }: QuestionRequest): readonly QuestionMeasure[] {
  const asked = measures.filter(({ fn }) => VALUE_FUNCTIONS.has(fn)).map(({ fn }): QuestionMeasure => ({ fn }));
  const extreme: readonly QuestionMeasure[] = isTop === undefined ? [] : [{ fn: isTop === 'lowest' ? 'min' : 'max' }];
  const all = [...new Map([...extreme, ...asked].map((measure) => [measure.fn, measure])).values()];
  return all.length > 0 ? all : [{ fn: 'avg' }, { fn: 'max' }];
}

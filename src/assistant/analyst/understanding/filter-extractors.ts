import { isStopWord, type TextRange, tokenize, type WordToken } from '../lexicon/tokenizer.js';
import { type Concept, CONCEPT_LEXICON } from '../lexicon/concept-lexicon.js';
import { singularize } from '../lexicon/word-matching.js';
import type { SpanStatus } from '../../../queries/telemetry/telemetry-query-types.js';
import type { Cue } from '../intents/intent.js';
import type { Occurrence, ResourceType } from './slots.js';

const FIRST = 'first|earliest|oldest|initial';
const LAST = 'last|latest|newest|(?:most\\s+)?recent|final';

/** Allows one word in between, such as a name, but none that makes it a time: "the last hour". */
const WORD_BETWEEN =
  '(?:(?!\\d|few\\b|couple\\b|(?:hour|minute|min|second|sec|day|week|month|night|year)s?\\b)[\\w-]+\\s+)?';

const ONE_FAILURE =
  '(?:errors?|failures?|exceptions?|crash|timeout|(?:failed|failing)\\s+(?:request|call|trace|transaction|order|checkout|payment|charge)|[\\w]+(?:exception|error))\\b(?!\\s+(?:rates?|logs?|count|message|entry|entries|line))';
const FIRST_FAILURE = new RegExp(`\\b(?:${FIRST})\\s+${WORD_BETWEEN}${ONE_FAILURE}`, 'i');

/** "The last errors" are several. */
const LAST_FAILURE = new RegExp(`\\b(?:${LAST})\\s+${WORD_BETWEEN}(?!errors|failures|exceptions)${ONE_FAILURE}`, 'i');

/** "When did payment last fail": not followed by an object that failed. */
const FAILS =
  '(?:fail(?:ed)?|err(?:ed)?|errored|crash(?:ed)?|br(?:eak|oke)|timed? out|(?:throw|threw)(?:\\s+(?:an?|any)\\s+\\w+)?)(?=\\s*(?:$|[?!.,;])|\\s+(?:in|on|at|for|and|or|since|today|yesterday|before|after|between|this|during)\\b)';

const FIRST_FAILED = new RegExp(
  `\\bfirst\\s+${FAILS}|\\b(?:fail|failed|break|broke|crash|crashed)\\b(?:\\s+\\w+){0,2}?\\s+for\\s+the\\s+first\\s+time\\b`,
  'i',
);
const LAST_FAILED = new RegExp(`\\blast\\s+${FAILS}`, 'i');

/** Whether the first or last failure is requested: "the first error today". Undefined for other questions. */
export function extractFailureOccurrence(text: string): Occurrence | undefined {
  return FIRST_FAILURE.test(text) || FIRST_FAILED.test(text)
    ? 'first'
    : LAST_FAILURE.test(text) || LAST_FAILED.test(text)
      ? 'last'
      : undefined;
}

const FIRST_OF_ALL = new RegExp(`\\b(?:${FIRST})\\b`, 'i');
const OCCURRENCE_WORD = new RegExp(`^(?:${FIRST}|${LAST})$`, 'i');

/** True for `first`, `latest` and the like. */
export function isOccurrenceWord(word: string): boolean {
  return OCCURRENCE_WORD.test(word);
}

const LAST_OF_ALL = new RegExp(`\\b(?:${LAST})\\b(?!\\s+\\d)`, 'i');

/** The same for subjects that the question names elsewhere; the text must not contain times. */
export function extractOccurrence(text: string): Occurrence | undefined {
  return FIRST_OF_ALL.test(text) ? 'first' : LAST_OF_ALL.test(text) ? 'last' : undefined;
}

/** Types of pressure points with common names. */
const RESOURCE_TYPES: readonly (readonly [RegExp, type: string, title: string])[] = [
  [/\b(?:queues?|queue(?:ing|d)|backlog)\b/i, 'queue', 'queue'],
  [/\bthreads?\b/i, 'thread_pool', 'thread pool'],
  [/\b(?:connections?|pools?)\b/i, 'connection_pool', 'connection pool'],
  [/\bcpu\b|\bprocessors?\b/i, 'cpu', 'CPU'],
  [/\bmemory\b|\bheap\b|\bram\b|\boom\b/i, 'memory', 'memory'],
  [/\bevent\s?loop\b/i, 'event_loop', 'event loop'],
];

/** The type of resource that a text mentions; undefined if none or several. */
export function extractResourceType(text: string): ResourceType | undefined {
  const [found, other] = RESOURCE_TYPES.filter(([pattern]) => pattern.test(text));
  return found === undefined || other !== undefined ? undefined : { type: found[1], title: found[2] };
}

const DEPENDENCY_VERBS = new Set([
  'call',
  'calls',
  'called',
  'calling',
  'use',
  'uses',
  'using',
  'used',
  'depend',
  'depends',
  'depending',
  'dependent',
  'rely',
  'relies',
  'talk',
  'talks',
  'talking',
  'need',
  'needs',
  'connect',
  'connects',
  'connected',
  'consume',
  'consumes',
]);
const PRONOUNS = new Set(['it', 'this', 'that', 'them', 'they']);
const CALLER_WORDS = new Set([
  'upstream',
  'upstreams',
  'callers',
  'caller',
  'dependents',
  'consumers',
  'blast',
  'down',
  'fails',
  'breaks',
  'dies',
]);
const CALLEE_WORDS = new Set(['downstream', 'downstreams', 'callees', 'dependency', 'dependencies', 'behind']);

/** Direction of a dependency question: a name before the verb is the caller, a name after it the callee. */
export function extractDirection(
  tokens: readonly WordToken[],
  names: ReadonlySet<number>,
): 'callers' | 'callees' | undefined {
  if (tokens.some(({ word }) => CALLER_WORDS.has(word))) return 'callers';
  const verb = tokens.findIndex(({ word }) => DEPENDENCY_VERBS.has(word));
  const subject = tokens.findIndex(({ word }, at) => names.has(at) || PRONOUNS.has(word));
  if (verb >= 0 && subject >= 0 && !isPassive(tokens)) return subject < verb ? 'callees' : 'callers';
  if (verb >= 0 && subject >= 0) return subject < verb ? 'callers' : 'callees';
  return tokens.some(({ word }) => CALLEE_WORDS.has(word)) ? 'callees' : undefined;
}

/** "Which services are called by checkout", "is redis used by anyone". */
function isPassive(tokens: readonly WordToken[]): boolean {
  return tokens.some(({ word }, at) => /^(called|used|needed|consumed)$/.test(word) && tokens[at + 1]?.word === 'by');
}

/** Words that ask for metrics in general. */
const GENERAL_METRIC_WORDS = new Set([
  'metric',
  'metrics',
  'chart',
  'charts',
  'dashboard',
  'dashboards',
  'gauge',
  'gauges',
  'counter',
  'counters',
  'plot',
  'histogram',
  'graph',
  'graphs',
  'usage',
  'consumption',
]);

const MEASURABLE_CONCEPTS: readonly Concept[] = ['metrics', 'latency', 'errors', 'requests', 'logs', 'pressure'];
const MEASURABLE_WORDS = new Set<string>(
  MEASURABLE_CONCEPTS.flatMap((concept) => [...CONCEPT_LEXICON[concept]].flatMap((phrase) => phrase.split(' '))).filter(
    (word) => !isStopWord(word),
  ),
);

/** Words that describe the requested chart: measurable concepts, and words without another meaning. */
export function extractChartWords(tokens: readonly WordToken[], names: ReadonlySet<number>): string[] {
  const lexiconWords = new Set<string>(Object.values(CONCEPT_LEXICON).flatMap((phrases) => [...phrases]));
  return tokens
    .filter(
      ({ word }, at) =>
        !names.has(at) &&
        !GENERAL_METRIC_WORDS.has(word) &&
        (MEASURABLE_WORDS.has(word) || (!isStopWord(word) && !lexiconWords.has(word))),
    )
    .map(({ word }) => word);
}

/** "How many orders could not be placed according to the logs": the counted subject is in between. */
const COUNTED_PHRASE = /\b(?:how\s+(?:many|often|much)(?:\s+times)?|number\s+of|count(?:\s+of)?)\b(.*)$/i;

const LOG_REFERENCE =
  /[,(]?\s*\b(?:(?:acc(?:\.|ording)?\s+to|going\s+by|by|in|from|per)\s+(?:(?:the|its|our)\s+)?(?:\w+\s+)?log\w*|(?:do|did)\s+(?:the\s+)?logs?\b).*$/i;

/** Counting log entries themselves, of one level or all. */
const LOG_ENTRY_WORDS = new Set([
  'log',
  'entry',
  'line',
  'message',
  'record',
  'error',
  'warning',
  'warn',
  'info',
  'fatal',
  'debug',
  'critical',
  'there',
]);

/** Auxiliary words, which differ between question and log entry: "were mailed", "is mailed". */
const AUXILIARY_WORDS = new Set([
  'a',
  'an',
  'the',
  'of',
  'our',
  'all',
  'be',
  'is',
  'are',
  'was',
  'were',
  'been',
  'being',
  'has',
  'have',
  'had',
  'do',
  'does',
  'did',
  'got',
  'get',
  'times',
  'time',
  'it',
  'there',
  'we',
  'that',
  'which',
  'say',
  'said',
  'please',
]);

/** Prepositions left over from extracted times. */
const TIME_PREPOSITIONS = new Set([
  'in',
  'since',
  'during',
  'within',
  'over',
  'for',
  'on',
  'at',
  'from',
  'between',
  'before',
  'after',
  'until',
  'till',
]);

/** Words that a log entry must contain to be counted, as search text; undefined if no such count is requested. */
export function extractCountedWords(rest: string): string | undefined {
  const isByLogs = LOG_REFERENCE.test(rest);
  const phrase = COUNTED_PHRASE.exec(isByLogs ? rest.replace(LOG_REFERENCE, '') : rest)?.[1];
  if (!isByLogs || phrase === undefined) return undefined;
  const words = tokenize(phrase)
    .map(({ word }) => word)
    .filter((word) => !AUXILIARY_WORDS.has(word));
  while (TIME_PREPOSITIONS.has(words.at(-1) ?? '')) words.pop();
  if (words.length === 0 || words.some((word) => LOG_ENTRY_WORDS.has(singularize(word)))) return undefined;
  return words.map((word, at) => (at === 0 && singularize(word) !== word ? `${singularize(word)}*` : word)).join(' ');
}

const NEGATION = String.raw`\b(?:not|never|cannot|unable|no\s+longer|(?:do|does|did|is|are|was|were|has|have|had|ca|could|wo|would)n'?t)`;

/**
 * Words that may stand between a negation and its verb: "were not yet sent successfully". "Was not retried and
 * failed" is a failure.
 */
const NEGATION_GAP = String.raw`(?:\s+(?:yet|ever|even|once|all|any|an?|to|be|been|being|get|got|getting|have|had|able|manage|managed|seem|(?!only\b)[a-z]+ly)\b){0,4}`;

const SUCCESS = CONCEPT_LEXICON.succeeded.map((phrase) => phrase.replaceAll(' ', String.raw`\s+`)).join('|');
const FAILURE = String.raw`(?:(?:end|ended|return|returned|throw|thrown|report|reported)\s+(?:up\s+)?(?:in\s+|with\s+)?(?:an?\s+|any\s+)?)?(?:fail(?:s|ed|ing|ures?)?|error(?:s|ed|ing)?|crash(?:ed)?|break|broke)`;
const NO_FAILURE = new RegExp(
  String.raw`${NEGATION}${NEGATION_GAP}\s+${FAILURE}\b|\b(?:without|with\s+no)\s+(?:an?\s+|any\s+)?(?:errors?|failures?|exceptions?)\b|\b(?:error|failure)[\s-]free\b|\bnon[\s-]fail(?:ed|ing)\b`,
  'gi',
);
const NO_SUCCESS = new RegExp(
  String.raw`${NEGATION}${NEGATION_GAP}\s+(?:(?:[a-z]+\s+)?successfully|${SUCCESS})\b`,
  'i',
);

/** "That did not fail", "without errors". */
export function findNegatedFailures(text: string): readonly TextRange[] {
  return [...text.matchAll(NO_FAILURE)].map(({ 0: { length }, index }) => ({ from: index, to: index + length }));
}

/** The requested outcome; undefined if not stated. "Never went through" is a failure, "did not fail" a success. */
export function extractOutcome(text: string, present: ReadonlySet<Concept | Cue>): SpanStatus | undefined {
  if (findNegatedFailures(text).length > 0) return 'OK';
  if (present.has('succeeded') && !present.has('failed')) return NO_SUCCESS.test(text) ? 'ERROR' : 'OK';
  return present.has('failed') || present.has('errors') || present.has('broken') ? 'ERROR' : undefined;
}

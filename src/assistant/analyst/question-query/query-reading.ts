import type { EntityVocabulary, NamedMetric } from '../entities/entity-vocabulary.js';
import { GROUPABLE_NOUNS, isFunctionWord, isMeaningful } from '../lexicon/function-words.js';
import { isMisspelling, isWordOfAnyName, singularize } from '../lexicon/word-matching.js';
import { extractTimes } from '../time/time-extractor.js';
import { isTooLong } from '../understanding/question-length.js';
import { readExceptionWords } from './exception-words.js';
import { readEventTime } from './event-time.js';
import { findKnownKey, listKeyWords, readAttributeKeys, readFieldWords } from './field-words.js';
import {
  readHttpMethods,
  readLimit,
  readNumberBounds,
  readPercentiles,
  readQuotations,
  readSizeBounds,
  readSqlVerbs,
  readStatusCodes,
  readStatusReasons,
  readValues,
} from './literal-reader.js';
import { readLogPhrases } from './log-phrases.js';
import { ANY_MARK, MarkedText } from './marked-text.js';
import { readFlags, readMissing } from './condition-grammar.js';
import { buildMetricQuery, findMetric } from './metric-reading.js';
import { readBoundsOfThings, readCountedThings, readMagnitudes } from './magnitude-words.js';
import { readExactNames, readPartialNames } from './name-reader.js';
import { buildQuery } from './query-builder.js';
import type { FoundValue, QueryReading } from './question-query.js';
import { GRAMMAR_WORDS, readRequest } from './request-grammar.js';

export interface QueryReadingInput {
  readonly text: string;
  readonly vocabulary: EntityVocabulary;
  readonly nowMs: number;
  /** Keys of attributes that hold a value, by the value as the question writes it. */
  readonly values: ReadonlyMap<string, FoundValue>;
  /** Types of exceptions that the Grid has. */
  readonly exceptions?: readonly string[];
  /** Attributes that are true or false. */
  readonly flags?: ReadonlySet<string>;
  /** Values of the attributes of the metric that the question names, by the value as the question writes it. */
  readonly pointValues?: ReadonlyMap<string, FoundValue>;
  /** Whether one word may stand for an operation: "logins" for `POST /login`; by default it may. */
  readonly guessesOperations?: boolean;
}

const NO_FLAGS: ReadonlySet<string> = new Set();

/**
 * Reads a question as a query. Each step replaces what it reads by a mark; a word that no step has read and that is no
 * function word makes the reading fail, so that nothing that restricts the question is ignored.
 */
export function readQuery(input: QueryReadingInput): QueryReading {
  const read = readQueryOf(input);
  const mention = findMetric(input.text, input.vocabulary);
  if (mention === undefined) return read;
  // One word of an operation is less than two of a metric: "how many parcels were sorted".
  const isGuess = read.kind === 'query' && read.guessed !== undefined && mention.words > 1;
  if (read.kind === 'query' && !isGuess) return read;
  const values = new Map([...input.values, ...(input.pointValues ?? [])]);
  const ofMetric = readQueryOf({ ...input, values, text: mention.rest }, mention.metric);
  if (ofMetric.kind === 'query') return ofMetric;
  if (isGuess) return { kind: 'unread', words: ofMetric.words, values: ofMetric.values };
  // What is missing is best said of the metric; its name may be a value too.
  return read.kind === 'unread' && mention.words > 1 ? { ...read, words: ofMetric.words } : read;
}

function readQueryOf(
  {
    text: question,
    vocabulary,
    nowMs,
    values,
    exceptions = [],
    flags = NO_FLAGS,
    guessesOperations = true,
  }: QueryReadingInput,
  metric?: NamedMetric,
): QueryReading {
  if (isTooLong(question)) return { kind: 'unread', words: [], values: [] };
  const text = new MarkedText(normalize(question));
  const keys = [
    ...new Set([...vocabulary.attributes.traces, ...vocabulary.attributes.logs, ...(metric?.attributeKeys ?? [])]),
  ];
  readQuotations(text);
  readExceptionWords(text, exceptions);
  readExactNames(text, vocabulary);
  readAttributeKeys(text, keys);
  text.text = correctWords(text.text, vocabulary, listKeyWords(keys));
  readMagnitudes(text, keys);
  readEventTime(text);
  readHttpMethods(text, findKnownKey(keys, 'http.request.method', 'http.method'));
  readStatusCodes(text, findKnownKey(keys, 'http.response.status_code', 'http.status_code'));
  readStatusReasons(text, findKnownKey(keys, 'http.response.status_code', 'http.status_code'));
  readSqlVerbs(text, findKnownKey(keys, 'db.operation.name', 'db.operation'));
  readPercentiles(text);
  readNumberBounds(text);
  readCountedThings(text, keys);
  readBoundsOfThings(text, keys);
  readValues(text);
  const limit = readLimit(text);
  const { time, baseline, rest, normalized } = extractTimes(text.text, nowMs);
  text.text = separateTimes(normalized.text, rest).toLowerCase();
  readLogPhrases(text);
  readFieldWords(text, selectKeys(text.text, vocabulary, keys));
  readSizeBounds(text, {
    request: findKnownKey(keys, 'http.request.body.size'),
    response: findKnownKey(keys, 'http.response.body.size'),
  });
  const fields = [...new Set(text.remaining('field'))];
  readFlags(text, flags);
  readMissing(text);
  const request = readRequest(text, vocabulary, values, {
    readNames: () => readPartialNames(text, vocabulary),
    // A metric has no operations.
    guessesOperations: guessesOperations && metric === undefined,
  });
  const unread = findUnreadWords(text.text);
  const pending = text.remaining('value');
  if (unread.length > 0 || pending.length > 0 || text.faults.length > 0)
    return {
      kind: 'unread',
      words: [...new Set([...text.faults, ...pending, ...unread])],
      values: [...pending, ...unread].map((word) => findSpelling(question, word)),
      fields,
    };
  const built =
    metric === undefined
      ? buildQuery({ request, text, limit, time, baseline })
      : buildMetricQuery(request, metric, { text, question, asked: rest, limit, time, baseline });
  return built.kind === 'unread' ? { ...built, fields } : built;
}

/** A word for an attribute that only log entries have means it in questions about these: "orders" are no `order.id`. */
function selectKeys(
  text: string,
  { attributes: { traces, logs } }: EntityVocabulary,
  keys: readonly string[],
): readonly string[] {
  const isLog = /\b(?:log\w*|entr(?:y|ies)|lines?|messages?)\b/.test(text);
  return isLog ? keys : keys.filter((key) => traces.includes(key) || !logs.includes(key));
}

const NUMBER_WORDS = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
/** "Longer than two seconds". */
const NUMBER_WORD = new RegExp(
  String.raw`\b(?:${NUMBER_WORDS.join('|')})(?=\s+(?:m?s|milliseconds?|seconds?|secs?|percent|kb|mb)\b)`,
  'gi',
);

/** "More than one version". "One second" and "one of" are no bounds. */
const WORD_BOUND =
  /\b((?:more|fewer|less)\s+than|at\s+least|at\s+most)\s+(one|two|three|four|five|six|seven|eight|nine|ten)\b(?!\s+of\b)/gi;

/** "The highest number of requests in one minute" is about each minute, not about the last one. */
const EXTREME_IN_ONE =
  /(?<extreme>\b(?:highest|lowest|largest|biggest|greatest|smallest|max(?:imum)?|min(?:imum)?|most|fewest|peak)\b)(?<between>[^,?.]{0,80}?)\s(?:with)?in\s+(?:any\s+)?(?:an?|one)\s+(?:single\s+)?(?<unit>minute|hour)\b/gi;

function normalize(question: string): string {
  return (
    question
      .normalize('NFKC')
      .replace(/[‘’]/g, "'")
      .replace(/[\uE000-\uF8FF]/g, ' ')
      .replace(/\s+/g, ' ') // long runs of spaces would make patterns slow
      .replace(/\s*(?:→|->|=>)\s*/g, ' to ')
      .replace(NUMBER_WORD, (word) => String(NUMBER_WORDS.indexOf(word.toLowerCase()) + 2))
      .replace(
        WORD_BOUND,
        (_, sign: string, word: string) => `${sign} ${['one', ...NUMBER_WORDS].indexOf(word.toLowerCase()) + 1}`,
      )
      // "Were there more than 100 failed charges?": the number answers it.
      .replace(/^\W*(?:were|are|was|is)\s+there\s+(?:more|fewer|less)\s+than\s+[\d,]+\s+(?=[a-z])/i, 'how many ')
      .replace(/\bwich\b/gi, 'which')
      .replace(EXTREME_IN_ONE, '$<extreme>$<between> per $<unit>')
      .replace(/^\W*(?:similar(?:ly)?|likewise)\s*,?\s+(?:but\s+)?(?=(?:by|per|for)\b)/i, 'same ')
      .replace(/(?<![\w.])(?:nb|nr|num|#)\.?\s+of\b/gi, 'number of')
      .replace(/\b(did|do|does|is|are|was|were|has|have|had|could|would)n'?t\b/gi, '$1 not')
      .replace(/\b(what|how|who|where|when|it|that|there)'s\b/gi, '$1 is')
      .replace(/(?<=\w)\s*[?!;]+(?=\s|$)/g, ' , ')
  );
}

const TIME_GAP = ' \uEFFE ';
/** Words that relate a time to the question; the time that was read has taken them into account. */
const RELATED =
  /(?:\b(?:since|after|before|until|till|from|between|at|around|by|in|during|for|within|over|and|to|the|vs\.?|versus|with|than|against|compared)\s+)*\uEFFE(?:\s*(?:and|to|-|–|till|until|vs\.?|versus)\s*\uEFFE)*/g;

/** Where a time stood there is a comma, so that words of both sides do not join. */
function separateTimes(text: string, rest: string): string {
  const separated = rest.replace(/ {2,}/g, (blanks, at: number) =>
    text.slice(at, at + blanks.length).trim() === '' ? blanks : TIME_GAP,
  );
  return separated.replace(RELATED, ' , ').replaceAll(TIME_GAP, ' , ');
}

/** The word as the question writes it: values are stored in one spelling. */
function findSpelling(question: string, word: string): string {
  const at = question.toLowerCase().indexOf(word.toLowerCase());
  return at < 0 ? word : question.slice(at, at + word.length);
}

/** Misspelled words of the grammar, except those that are names, or parts of names, or function words. */
function correctWords(
  text: string,
  { services, dependencies, operations, metrics = [], attributes }: EntityVocabulary,
  keyWords: readonly string[],
): string {
  const names = [...services, ...dependencies].map((name) => name.toLowerCase());
  // "Scans" are no spans where `POST /scans` is an operation.
  const others = [...operations, ...metrics.map(({ name }) => name), ...attributes.traces];
  return text.replace(/(?<![\w.-])[a-z]{5,}(?![\w.-])/g, (word) => {
    if (
      isFunctionWord(word) ||
      GRAMMAR_WORDS.has(word) ||
      GRAMMAR_WORDS.has(singularize(word)) ||
      names.some((name) => name.includes(word.slice(0, -1))) ||
      isWordOfAnyName(singularize(word), others)
    )
      return word;
    const meant = [...GRAMMAR_WORDS].find((known) => isMisspelling(word, known));
    if (meant !== undefined) return meant;
    // "Regoin": a word of one attribute, and of no other.
    const [key, ...moreKeys] = keyWords.filter((known) => isMisspelling(word, known));
    return key === undefined || moreKeys.length > 0 ? word : key;
  });
}

/** A group that no step has read: "by site" where no attribute is called so. */
const UNREAD_GROUP = new RegExp(
  String.raw`\b(?:by|per|each|every|and)\s+(?:the\s+|its\s+|their\s+)?(?<noun>${GROUPABLE_NOUNS})\b`,
  'g',
);

function findUnreadWords(text: string): readonly string[] {
  const groups = [...text.matchAll(UNREAD_GROUP)].map(({ groups: found }) => `by ${found?.noun ?? ''}`);
  return [...groups, ...findWords(text)];
}

function findWords(text: string): readonly string[] {
  return [...text.replace(new RegExp(ANY_MARK, 'g'), ' ').matchAll(/[\p{L}\p{N}][\p{L}\p{N}.:/_'%-]*/gu)]
    .map(([word]) => word.replace(/[.:]+$/, ''))
    .filter((word) => isMeaningful(word.replace(/'/g, '')))
    .map((word) => word.replace(/-+$/, ''));
}

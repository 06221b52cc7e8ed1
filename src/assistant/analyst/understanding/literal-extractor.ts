import type { SeverityLevel } from '../../../queries/telemetry/telemetry-query-types.js';
import type { Measure, Slots } from './slots.js';
import { blankOut } from '../lexicon/tokenizer.js';
import { type Bounds, extractBounds } from './bound-extractor.js';

/** How many items a question wants to see: "top 3 services", "the newest 5 traces", "10 slowest endpoints". */
export interface ListLength {
  /** From 1 to 20: longer lists are not useful as an answer. */
  readonly limit: number;
  /** The items as they are written, if they are requests: "last 100 requests". */
  readonly requests?: string;
  /** The text with the number replaced by blanks. */
  readonly rest: string;
}

const MAX_ITEMS = 20;
/** A number is no length of a list where it belongs to a time, a figure, a name or a class of status codes. */
const NUMBER = String.raw`(?<digits>[1-9]\d{0,2})\b(?!\s*(?:min|h\b|hours?|days?|s\b|sec|m\b|d\b|weeks?|months?|ms|milli|%|per\s?cent|:|\.\d|am\b|pm\b|-|\/|xx|before\b|after\b))`;
const HEAD = 'top|first|latest|newest|last|any|show(?: me)?|list|the|max(?:imum)?(?: of)?|limit(?:ed)?(?: to)?';
/** These ask for a list only where a noun for records follows. */
const OTHER_HEAD =
  'most recent|give(?: me)?|find(?: me)?|display|get(?: me)?|fetch|pull up|see|want|need|which|what|another|next|worst|slowest|biggest';
/** "Show at most 5 traces" wants a list, "are there at most 5 traces" does not. */
const IMPERATIVE = String.raw`(?:show|list|give|find|display|get|fetch|pull\s+up)(?:\s+me)?(?:\s+(?:the|only|just|exactly|about|around|at\s+most|up\s+to|no\s+more\s+than))+`;
const RECORDS =
  '(?:(?:failed|failing|slow|successful|error|warning|critical|recent|log|other|more)\\s+)*(?:errors?|traces?|spans?|logs?|lines?|entry|entries|messages|alerts?|endpoints?|operations?|services?|changes|deployments|exceptions|requests?|calls?)\\b';
/** Comparisons and statements before a number: "more than the 5 alerts", "which services have 3 alerts". */
const STATEMENT =
  /\b(?:than|least|over|above|under|below|exactly|equals?|(?<!\b(?:i|we|me|us)\s+)(?:have|has|had))\s+(?:the\s+)?$/i;
const PATTERNS: readonly RegExp[] = [
  new RegExp(String.raw`\b${IMPERATIVE}\s+${NUMBER}`, 'i'),
  new RegExp(String.raw`\b(?<!\bat\s+)(?:${HEAD})\s+${NUMBER}`, 'i'),
  new RegExp(String.raw`\b${NUMBER}\s+(?:slowest|newest|latest|worst|most|biggest|busiest|fastest|last|recent)\b`, 'i'),
  new RegExp(String.raw`\b(?:${OTHER_HEAD})\s+${NUMBER}\s+${RECORDS}`, 'i'),
  new RegExp(String.raw`^\W*(?:(?:and|only|just|please|now|then)\s+)*${NUMBER}\s+${RECORDS}`, 'i'),
];
/** Status codes: "the 500 errors", "404 responses". */
const STATUS_CODE = /^[45]\d\d$/;
const LISTED_RECORDS =
  /^\s+(?:(?:failed|failing|slow|successful|slowest|newest|latest|recent|error|log)\s+)*(?:traces?|spans?|logs?|lines?|entries|messages|alerts?|endpoints?|services?|changes)\b/i;
const REQUESTS =
  /^\s+(?:(?!(?:of|in|for|from|by|with|that|and|or|services?|endpoints?|traces?|spans?)\b)[\w-]+\s+){0,2}(?:requests?|calls?|invocations?|transactions?)\b/i;

/** Undefined if the question asks for no length of a list. */
export function extractListLength(text: string): ListLength | undefined {
  for (const pattern of PATTERNS) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const digits = match.groups?.digits ?? '';
    const from = match.index + match[0].indexOf(digits);
    const after = text.slice(from + digits.length);
    if (!isLength(text, match.index, digits, after)) continue;
    const requests = REQUESTS.exec(after)?.[0];
    return {
      limit: Math.min(MAX_ITEMS, Number(digits)),
      ...(requests !== undefined && { requests: digits + requests }),
      rest: blankOut(text, from, from + digits.length),
    };
  }
  return undefined;
}

function isLength(text: string, from: number, digits: string, after: string): boolean {
  return !STATEMENT.test(text.slice(0, from)) && (!STATUS_CODE.test(digits) || LISTED_RECORDS.test(after));
}

/** Numbers, ids and quotes in a question. `rest` is the text with them replaced by blanks, of the same length. */
export interface Literals {
  readonly slots: Pick<Slots, 'words' | 'traceId' | 'spanId' | 'version' | 'limit'> &
    Omit<Bounds, 'unsupported' | 'rest'>;
  /** Figures that no answer takes into account, as they are written. */
  readonly unsupported: readonly string[];
  /** The requests that a list is asked of, as they are written: only searches of traces list requests. */
  readonly listedRequests?: string;
  readonly rest: string;
}

/** A tolerated duration, not a time range. */
const TOLERATED = /\b(?:within|in)\s+(?:a|one|half a|\d+)\s*(?:ms|milliseconds?|s|secs?|seconds?)\b/i;
/** "Show me a trace" asks for a single one. */
const ONE =
  /\b(?:show|give|find|get|pull|need|want|see)\b(?:\s+\w+){0,2}?\s+(?:one|an?)\s+(?:(?:failed|failing|slow|sample|example|recent|typical|single)\s+)*(?:traces?|requests?|log line|log entry)\b/i;
/** Not a date such as `20.11.2026`. */
const VERSION = /\bv?(?!\d{1,2}\.\d{1,2}\.(?:19|20)\d\d\b)(\d+\.\d+\.\d+[\w.-]*)(?<![.-])/i;
/** Percentiles that no answer has. */
const PERCENTILE = /\bp\s?(\d{1,3}(?:\.\d+)?)\b|\b(\d{1,3}(?:\.\d+)?)(?:st|nd|rd|th)\s+percentile\b/gi;
const KNOWN_PERCENTILES: readonly string[] = ['50', '95', '99'];
const TRACE_ID = /\b[0-9a-f]{32}\b/i;
const SPAN_ID = /\b[0-9a-f]{16}\b/i;
const QUOTED = /["“”«»]([^"“”«»]{1,200})["“”«»]|(?<!\w)'([^']{1,200})'(?!\w)/;

export function extractLiterals(text: string): Literals {
  let rest = text;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    const match = pattern.exec(rest) ?? undefined;
    if (match !== undefined) rest = blankOut(rest, match.index, match.index + match[0].length);
    return match;
  };
  const tolerated = take(TOLERATED)?.[0];
  const quoted = take(QUOTED);
  const traceId = take(TRACE_ID)?.[0].toLowerCase();
  const spanId = take(SPAN_ID)?.[0].toLowerCase();
  const version = take(VERSION)?.[1];
  const { unsupported: unsupportedBounds, rest: unbounded, ...bounds } = extractBounds(rest);
  const percentiles = [...unbounded.matchAll(PERCENTILE)].filter(([, p, th]) => !KNOWN_PERCENTILES.includes(p ?? th));
  const { limit, requests, rest: left } = extractLimit(unbounded);
  return {
    slots: {
      ...bounds,
      ...(quoted !== undefined && { words: quoted[1] ?? quoted[2] }),
      ...(version !== undefined && { version }),
      ...(traceId !== undefined && { traceId }),
      ...(spanId !== undefined && { spanId }),
      ...(limit !== undefined && { limit }),
    },
    unsupported: [
      ...(tolerated === undefined ? [] : [tolerated]),
      ...unsupportedBounds,
      ...percentiles.map(([written]) => written),
    ],
    ...(requests !== undefined && { listedRequests: requests }),
    rest: left,
  };
}

function extractLimit(text: string): Partial<ListLength> & Pick<ListLength, 'rest'> {
  return extractListLength(text) ?? { ...(ONE.test(text) && { limit: 1 }), rest: text };
}

const SEVERITIES: readonly (readonly [RegExp, SeverityLevel])[] = [
  [/\b(fatal|critical)s?\b/i, 'Fatal'],
  [/\berrors?\b/i, 'Error'],
  [/\bwarn(?:ing)?s?\b/i, 'Warning'],
  [/\binfo(?:rmation)?\b/i, 'Information'],
  [/\bdebug\b/i, 'Debug'],
];

/** The log level that a text mentions; the most severe of several. */
export function extractSeverity(text: string): SeverityLevel | undefined {
  return SEVERITIES.find(([pattern]) => pattern.test(text))?.[1];
}

const MEASURES: readonly (readonly [RegExp, Measure])[] = [
  [/\bp\s?50\b|\bmedian\b|\b50th\b/i, 'p50'],
  [/\bp\s?95\b|\b95th\b/i, 'p95'],
  [/\bp\s?99\b|\b99th\b/i, 'p99'],
  [/\bapdex\b/i, 'apdex'],
  [/\berr(?:or)?[\s-]?rates?\b|\bfailure rates?\b/i, 'errorRate'],
  [
    /\brequest[\s-]?rates?\b|\b(?:rps|qps|tps)\b|\b(?:requests?|calls?|req)\s*(?:\/|per|an?|each|every)\s*(?:s|sec|second|min|minute|m)\b|\bthroughput\b/i,
    'requestRate',
  ],
  [/\b(traffic|(?<!\b(?:slow|slower|slowest|longest)\s+)requests?|load|busy|busiest|volume)\b/i, 'requests'],
  [/\b(average|avg|mean)\b/i, 'average'],
];

export function extractMeasure(text: string): Measure | undefined {
  return findMeasure(text)?.measure;
}

/** The measure that a text asks for, and how the text says it. */
export function findMeasure(text: string): { readonly measure: Measure; readonly written: string } | undefined {
  for (const [pattern, measure] of MEASURES) {
    const match = pattern.exec(text);
    if (match !== null) return { measure, written: match[0] };
  }
  return undefined;
}

const SEARCH_PHRASE =
  /\b(?:grep(?:\s+for)?|search(?:ing)?(?:\s+(?:in\s+)?(?:the\s+)?logs?)?\s+for|look(?:ing)?\s+for|containing|contain|contains|mentioning|mention|mentions|matching|including|with the words?|that say|saying|(?<!\b(?:what|how)\s+)about|for the (?:word|phrase|text))\s+(?:the\s+(?:word|words|phrase|text)\s+)?(.+)$/i;

/** Words at the end of a request that do not belong to the search text: "containing refused in the logs". */
const CLOSING_WORDS = /^(?:in|from|of|on|for|during|over|within|since|service|logs?|please|the)$/i;

function trimPunctuation(text: string): string {
  return text.replace(/[?.!,\s]+$/, '');
}

/** The first word is kept in any case: "containing on" searches for "on". */
function dropClosingWords(words: readonly string[]): readonly string[] {
  let end = words.length;
  while (end > 1 && CLOSING_WORDS.test(trimPunctuation(words[end - 1]))) end--;
  return words.slice(0, end);
}

/** Search text for log entries: everything after `containing` or similar. */
export function extractSearchWords(text: string): { readonly words: string; readonly from: number } | undefined {
  const match = SEARCH_PHRASE.exec(text);
  if (match === null) return undefined;
  const searchWords = trimPunctuation(match[1]).split(/\s+/);
  const words = trimPunctuation(dropClosingWords(searchWords).join(' '))
    .replace(/^(?:(?:the|an?)(?: |$))+/i, '')
    .trim();
  return words === '' ? undefined : { words, from: match.index + match[0].indexOf(match[1]) };
}

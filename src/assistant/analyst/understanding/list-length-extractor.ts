import { blankOut } from '../lexicon/tokenizer.js';

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
const HEAD = 'top|first|latest|newest|last|any|show(?: me)?|list|the';
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

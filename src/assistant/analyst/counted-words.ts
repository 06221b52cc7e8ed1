import { singular } from './closeness.js';
import { tokensOf } from './tokens.js';

/** "How many orders could not be placed according to the logs": what is counted stands between the two. */
const COUNTED = /\b(?:how\s+(?:many|often|much)(?:\s+times)?|number\s+of|count(?:\s+of)?)\b(.*)$/i;
const BY_THE_LOGS = /[,(]?\s*\b(?:(?:acc(?:\.|ording)?\s+to|going\s+by|by|in|from|per)\s+(?:(?:the|its|our)\s+)?(?:\w+\s+)?log\w*|(?:do|did)\s+(?:the\s+)?logs?\b).*$/i;
/** Entries themselves are counted, of a level or of all. */
const ENTRIES = new Set(['log', 'entry', 'line', 'message', 'record', 'error', 'warning', 'warn', 'info', 'fatal', 'debug', 'critical', 'there']);
/** Questions and entries say them in other forms, or not at all: "were mailed", "is mailed". */
const AUXILIARY = new Set(['a', 'an', 'the', 'of', 'our', 'all', 'be', 'is', 'are', 'was', 'were', 'been', 'being', 'has', 'have', 'had', 'do', 'does', 'did', 'got', 'get', 'times', 'time', 'it', 'there', 'we', 'that', 'which', 'say', 'said', 'please']);

/** What stood before a time that was taken out. */
const BEFORE_TIMES = new Set(['in', 'since', 'during', 'within', 'over', 'for', 'on', 'at', 'from', 'between', 'before', 'after', 'until', 'till']);

/** Words that an entry of the log must contain to be counted, for a search of texts; undefined where no such thing is counted. */
export function countedWords(rest: string): string | undefined {
  const isByLogs = BY_THE_LOGS.test(rest);
  const counted = COUNTED.exec(isByLogs ? rest.replace(BY_THE_LOGS, '') : rest)?.[1];
  if (!isByLogs || counted === undefined) return undefined;
  const words = tokensOf(counted).map(({ word }) => word).filter((word) => !AUXILIARY.has(word));
  while (BEFORE_TIMES.has(words.at(-1) ?? '')) words.pop();
  if (words.length === 0 || words.some((word) => ENTRIES.has(singular(word)))) return undefined;
  return words.map((word, at) => (at === 0 && singular(word) !== word ? `${singular(word)}*` : word)).join(' ');
}

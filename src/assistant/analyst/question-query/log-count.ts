import type { Draft } from '../intents/intent.js';
import { isGrouping, isMeaningful, isNegation } from '../lexicon/function-words.js';
import { tokenize } from '../lexicon/tokenizer.js';
import { singularize } from '../lexicon/word-matching.js';
import type { QueryContext } from '../query-context.js';
import { queryTelemetry } from '../../tools/query-tools.js';
import { extractTimes } from '../time/time-extractor.js';
import { toRangeArguments } from '../time/window-resolver.js';
import { joinWithAnd, quote } from '../answers/answer-formatting.js';
import { resolveWindows } from './query-windows.js';

const COUNTED = /^\W*(?:and\s+|so\s+)?(?:how\s+(?:many|often)|what\s+is\s+the\s+number\s+of)\b/i;
const MAX_WORDS = 3;
/** Between words these ask for something else than the entries that have all of them. */
const RELATING = new Set(
  'and or but either both more less most least fewer after before since until till than under over between while during without within along ago recently lately often again also too only from to through via by matter part own'.split(
    ' ',
  ),
);

/**
 * "How many orders were placed?": counts the log entries that have all the words, where nothing else knows them. No
 * answer if there are none, because then the logs do not write it so.
 */
export async function countLogEntries(context: QueryContext, text: string): Promise<Draft | undefined> {
  if (!COUNTED.test(text)) return undefined;
  const { time, rest } = extractTimes(text.replace(COUNTED, ' '), context.nowMs);
  const words = tokenize(rest).map(({ word }) => word);
  if (words.some((word) => RELATING.has(word) || isNegation(word) || isGrouping(word))) return undefined;
  const content = words.filter(isMeaningful);
  if (content.length === 0 || content.length > MAX_WORDS || content.some((word) => !/^[a-z]{3,}$/.test(word)))
    return undefined;
  const windows = await resolveWindows(context, {
    subject: 'logs',
    conditions: [],
    measures: [],
    groupBy: [],
    having: [],
    ...(time !== undefined && { time }),
  });
  if (typeof windows === 'string') return undefined;
  const { window } = windows;
  const data = await context.callTool(queryTelemetry, {
    signal: 'logs',
    where: content.map((word) => (singularize(word) === word ? word : `${singularize(word)}*`)).join(' and '),
    select: [{ fn: 'count', as: 'count' }],
    ...toRangeArguments(window),
  });
  const count = 'rows' in data ? data.rows[0]?.[0] : undefined;
  if (typeof count !== 'number' || count === 0) return undefined;
  return {
    text: `I know this only from the text of log entries: ${count} of them contain ${joinWithAnd(content.map(quote))} ${window.words}.`,
    followUps: [`Show me logs containing "${content.join(' ')}"`, 'Is anything broken?'],
  };
}

import { randomUUID } from 'node:crypto';
import { splitIdentifier } from '../lexicon/tokenizer.js';
import type { ToolContext } from '../../tool.js';
import { toQueryRange } from '../../tools/window-arguments.js';
import { lastMinutes, toRangeArguments } from '../time/window-resolver.js';
import { isFunctionWord } from '../lexicon/function-words.js';
import { singularize } from '../lexicon/word-matching.js';
import { isStatusReason } from './literal-reader.js';
import type { MarkedText } from './marked-text.js';
import { GRAMMAR_WORDS } from './request-grammar.js';
import { orNothing } from './value-lookup.js';

const LOOKUP_MINUTES = 24 * 60;
const MAX_GROUPS = 100;

/** Words by which people name exceptions, and names of types as they are written. */
const FAILURE =
  /^(?:time-?outs?|errors?|exceptions?|faults?|fail\w*|offline|missing|overflows?|deadlocks?|refus\w+|denied|lost|expired|reject\w+|invalid|unavailable)$|(?:error|exception|timeout)s?$/i;
/** How any failure is called, whatever its type. */
const OF_FAILURE =
  /^(?:fail(?:s|ed|ing|ures?)?|err(?:ors?|ored|oneous)|unsuccessful|exceptions?|faults?|requests?|calls?|bad|slow|fatal|warn(?:ing)?s?)$/;
const WRITTEN = /\p{Ll}\p{Lu}/u;

/** True if a word may be of an exception, so that it is worth reading those of the last day. */
export function mayNameException(words: readonly string[]): boolean {
  return words.some((word) => WRITTEN.test(word) || FAILURE.test(word));
}

/** Types of the exceptions of the last day, the most frequent first; none if that takes too long. */
export async function findExceptionTypes({ queries, gridId, nowMs }: ToolContext): Promise<readonly string[]> {
  const range = toQueryRange(toRangeArguments(lastMinutes(LOOKUP_MINUTES, nowMs)), nowMs);
  const query = { gridId, range, orderBy: 'count', page: 1, pageSize: MAX_GROUPS } as const;
  const found = await orNothing(queries.telemetry.findErrorGroups(query, randomUUID()));
  return [...new Set((found?.groups ?? []).map(({ type }) => type))].filter((type) => type !== '');
}

const ENDING = /^(?:error|exception)$/;

/** "Pool timeouts", "scanner offline": exceptions by the words of their type, where no other type has the same words. */
export function readExceptionWords(text: MarkedText, types: readonly string[]): void {
  for (const { words, found } of groupByWords(types)) {
    const [type, ...others] = found;
    const condition = { kind: 'in', field: 'event.exception.type', values: [type, ...others] } as const;
    const spoken = isOfGrammar(words) ? [] : [words.join(String.raw`[\s-]+`)];
    const written = found.filter((name) => !isOfGrammar([name.toLowerCase()])).map(escapePattern);
    if (spoken.length + written.length === 0) continue;
    text.take(
      new RegExp(
        String.raw`(?<![\w.-])(?:${[...written, ...spoken].join('|')})s?(?:[\s-]+(?:errors?|exceptions?))?(?![\w-])`,
        'gi',
      ),
      () => text.mark('condition', condition),
    );
  }
}

/** `Error`, `FailedRequest`, `BadRequestError`: the words mean any failure, or a status. */
function isOfGrammar(words: readonly string[]): boolean {
  return (
    words.every((word) => GRAMMAR_WORDS.has(word) || GRAMMAR_WORDS.has(singularize(word)) || isFunctionWord(word)) ||
    words.every((word) => OF_FAILURE.test(word)) ||
    isStatusReason(words.join(' '))
  );
}

/** Types that people call the same, those of most words first; a single word is no name of its own. */
function groupByWords(
  types: readonly string[],
): readonly { readonly words: readonly string[]; readonly found: readonly string[] }[] {
  const groups = new Map<string, string[]>();
  for (const type of types) {
    const all = splitIdentifier(type.slice(type.lastIndexOf('.') + 1)).map((word) => word.toLowerCase());
    const own = ENDING.test(all.at(-1) ?? '') ? all.slice(0, -1) : all;
    const words = own.length > 1 ? own : all;
    const key = words.join(' ');
    if (words.every((word) => /^[a-z0-9]+$/.test(word))) groups.set(key, [...(groups.get(key) ?? []), type]);
  }
  return [...groups]
    .map(([key, found]) => ({ words: key.split(' '), found }))
    .sort((a, b) => b.words.length - a.words.length);
}

function escapePattern(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}

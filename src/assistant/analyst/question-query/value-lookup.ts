import { hasCode } from '../../../errors.js';
import type { TableAnswer } from '../../../queries/query/query-model.js';
import { queryTelemetry } from '../../tools/query-tools.js';
import { isWordOfAnyName, singularize } from '../lexicon/word-matching.js';
import { quote } from '../answers/answer-formatting.js';
import { lastMinutes, toRangeArguments } from '../time/window-resolver.js';
import type { ToolContext } from '../../tool.js';
import { writeWhere } from './query-writer.js';
import type { EntityVocabulary } from '../entities/entity-vocabulary.js';
import type { TimeRange } from '../../../queries/telemetry/telemetry-query-types.js';
import type { FoundValue } from './question-query.js';

/** How far back values are looked up. The index of attributes tells them, so that no span is read. */
const VALUE_HOURS = 6;
/** How far back values of metrics are looked up. */
export const LOOKUP_MINUTES = 60;
/** Attributes in all spellings that are looked up for one question. */
const MAX_SOUGHT = 20_000;
/** Texts, and what describes the sender: no values that somebody asks about by word. */
const NO_KEYS =
  /(?:stacktrace|\.name\.id|url\.full|url\.path|query\.text|user_agent)$|^telemetry\.|^process\.|^exception\./;

/**
 * Attributes that hold words of a question as their value: `host.name` for "node-2". Only used to understand the
 * question. A word keeps no meaning if another attribute holds it too, if it is stored in several spellings, or if that
 * cannot be told within the bounds; no span of the last hours is left out.
 */
export async function findValues(
  { queries, gridId, nowMs }: ToolContext,
  { attributes, operations }: EntityVocabulary,
  words: readonly string[],
): Promise<ReadonlyMap<string, FoundValue>> {
  const keys = attributes.traces.filter((key) => !NO_KEYS.test(key));
  const sought = words
    .filter((word) => isWrittenAsName(word) || !isWordOfAnyName(singularize(word.toLowerCase()), operations))
    .map((word) => ({ word, spellings: listSpellings(word) }));
  const texts = [...new Set(sought.flatMap(({ spellings }) => spellings))];
  if (texts.length === 0 || texts.length * keys.length > MAX_SOUGHT) return new Map();
  const held = await orNothing(
    queries.telemetry.findHeldAttributes({
      gridId,
      range: lookUpRange(nowMs),
      attributes: keys.flatMap((key) => texts.map((text) => ({ key, text }))),
    }),
  );
  return new Map(
    sought.flatMap(({ word, spellings }) => {
      const [holder, ...others] = (held ?? []).filter(({ text }) => spellings.includes(text));
      return holder === undefined || others.length > 0
        ? []
        : [[word, { field: holder.key, value: holder.text }] as const];
    }),
  );
}

const HOUR_MS = 3_600_000;
const US_PER_MS = 1_000;

/** Clocks of senders may be ahead. */
function lookUpRange(nowMs: number): TimeRange {
  return { fromUs: (nowMs - VALUE_HOURS * HOUR_MS) * US_PER_MS, toUs: (nowMs + HOUR_MS) * US_PER_MS };
}

/** `FeatureStoreTimeout`: no word of an operation. */
function isWrittenAsName(word: string): boolean {
  return /\p{Ll}\p{Lu}/u.test(word);
}

function listSpellings(word: string): readonly string[] {
  const lower = word.toLowerCase();
  const capitalized = `${lower.charAt(0).toUpperCase()}${lower.slice(1)}`;
  return [...new Set([word, singularize(word), lower, word.toUpperCase(), capitalized])];
}

/** What an answer says of words that were looked up. */
export function describeFoundValues(values: ReadonlyMap<string, FoundValue>): string {
  return [...values]
    .map(
      ([word, { field, value }]) =>
        `I take ${quote(word)} as ${field} = ${value}: in the spans of the last ${VALUE_HOURS} hours no other searched attribute has this value.`,
    )
    .join('\n');
}

/** Undefined if the Grid has too much telemetry to look a word up in time: the question is still answered, or refused. */
export async function lookUp(
  context: ToolContext,
  args: Parameters<typeof queryTelemetry.run>[1],
): Promise<TableAnswer | undefined> {
  const result = await orNothing(queryTelemetry.run(context, args));
  return result !== undefined && 'rows' in result.data ? result.data : undefined;
}

/** Undefined if the answer takes too long. */
export async function orNothing<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (hasCode(error, 'unavailable')) return undefined;
    throw error;
  }
}

const MAX_FLAGS = 3;

/** Those of the fields that hold `true` or `false`, and nothing else. */
export async function findFlags(context: ToolContext, fields: readonly string[]): Promise<ReadonlySet<string>> {
  const { queries, gridId, nowMs } = context;
  const keys = fields.filter((each) => each.includes('.') && !each.startsWith('event.')).slice(0, MAX_FLAGS);
  if (keys.length === 0) return new Set();
  const attributes = keys.flatMap((key) => ['true', 'false'].map((text) => ({ key, text })));
  const held = await orNothing(queries.telemetry.findHeldAttributes({ gridId, range: lookUpRange(nowMs), attributes }));
  const flags = [...new Set((held ?? []).map(({ key }) => key))];
  const isOther = await Promise.all(flags.map((key) => hasOtherValues(context, key)));
  return new Set(flags.filter((_, at) => isOther[at] === false));
}

/** Whether the attribute also has other values than `true` and `false`; undefined if that takes too long to tell. */
async function hasOtherValues(context: ToolContext, key: string): Promise<boolean | undefined> {
  const term = { kind: 'in', field: key, values: ['true', 'false'] } as const;
  const args = {
    signal: 'spans' as const,
    where: writeWhere(
      'spans',
      [
        { kind: 'exists', field: key },
        { kind: 'not', term },
      ],
      { keys: [key] },
    ),
    select: [{ fn: 'count' as const, as: 'count' }],
    ...toRangeArguments(lastMinutes(LOOKUP_MINUTES, context.nowMs)),
  };
  if (queryTelemetry.validate(args) !== undefined) return undefined;
  const [count] = (await lookUp(context, args))?.rows[0] ?? [];
  return count === undefined ? undefined : Number(count) > 0;
}

import { hasCode } from '../../../errors.js';
import type { TableAnswer } from '../../../queries/query/query-model.js';
import { queryTelemetry } from '../../tools/query-tools.js';
import { isWordOfAnyName, singularize } from '../lexicon/word-matching.js';
import { quote } from '../answers/answer-formatting.js';
import type { ToolContext } from '../../tool.js';
import type { EntityVocabulary } from '../entities/entity-vocabulary.js';
import { lastMinutes, toRangeArguments } from '../time/window-resolver.js';
import { writeField } from './query-writer.js';
import type { FoundValue } from './question-query.js';

/** How far back values are looked up, and in how many queries: bounds of the work for one question. */
export const LOOKUP_MINUTES = 60;
const MAX_QUERIES = 12;
const KEYS_OF_QUERY = 60;
const MAX_WHERE_LENGTH = 4_000;
/** Texts, and what describes the sender: no values that somebody asks about by word. */
const NO_KEYS =
  /(?:stacktrace|\.name\.id|url\.full|url\.path|query\.text|user_agent)$|^telemetry\.|^process\.|^exception\./;

const EXCEPTION_TYPE = 'event.exception.type';

/**
 * Attributes that hold words of a question as their value: `host.name` for "node-2". Only used to understand the
 * question. A word keeps no meaning if another attribute holds it too, if it is stored in several spellings, or if that
 * cannot be told within the bounds; no record of the last hour is left out.
 */
export async function findValues(
  context: ToolContext,
  { attributes, operations }: EntityVocabulary,
  words: readonly string[],
): Promise<ReadonlyMap<string, FoundValue>> {
  const keys = [...attributes.traces.filter((key) => !NO_KEYS.test(key)), EXCEPTION_TYPE];
  const found = new Map<string, FoundValue>();
  if (2 * words.length * Math.ceil(keys.length / KEYS_OF_QUERY) > MAX_QUERIES) return found;
  for (const word of words.filter(
    (each) => isWrittenAsName(each) || !isWordOfAnyName(singularize(each.toLowerCase()), operations),
  )) {
    const value = await findOnlyHolder(context, keys, word);
    if (value !== undefined) found.set(word, value);
  }
  return found;
}

/** `FeatureStoreTimeout`: no word of an operation. */
function isWrittenAsName(word: string): boolean {
  return /\p{Ll}\p{Lu}/u.test(word);
}

/** What an answer says of words that were looked up. */
export function describeFoundValues(values: ReadonlyMap<string, FoundValue>): string {
  return [...values]
    .map(
      ([word, { field, value }]) =>
        `I take ${quote(word)} as ${field} = ${value}: in the spans of the last hour no other searched attribute has this value.`,
    )
    .join('\n');
}

/** A condition for each attribute: the spellings that it is searched for. */
type Spellings = ReadonlyMap<string, readonly string[]>;

/** One record names an attribute that holds the word; a second look-up is for all others, and for other spellings. */
async function findOnlyHolder(
  context: ToolContext,
  keys: readonly string[],
  word: string,
): Promise<FoundValue | undefined> {
  const lower = word.toLowerCase();
  const spellings = [
    ...new Set([
      word,
      singularize(word),
      lower,
      word.toUpperCase(),
      `${lower.charAt(0).toUpperCase()}${lower.slice(1)}`,
    ]),
  ];
  const all = new Map(keys.map((key) => [key, spellings]));
  const holder = await findHolder(context, all);
  if (holder === undefined || holder === 'unknown') return undefined;
  const others = new Map(all).set(
    holder.field,
    spellings.filter((spelling) => spelling !== holder.value),
  );
  return (await findHolder(context, others)) === undefined ? holder : undefined;
}

/** An attribute of any record that has one of its spellings; `unknown` if that cannot be asked. */
async function findHolder(context: ToolContext, wanted: Spellings): Promise<FoundValue | 'unknown' | undefined> {
  const entries = [...wanted].filter(([, spellings]) => spellings.length > 0);
  for (const part of splitByLength(entries)) {
    const holder = await findHolderAmong(context, part);
    if (holder !== undefined) return holder;
  }
  return undefined;
}

/** Parts of which each fits into one query. */
function splitByLength(entries: readonly WantedKey[]): readonly (readonly WantedKey[])[] {
  const parts: WantedKey[][] = [];
  let left = 0;
  for (const entry of entries) {
    const length = writeSpellings(entry).length + ' or '.length;
    if (parts.length === 0 || length > left || parts[parts.length - 1].length === KEYS_OF_QUERY) {
      parts.push([]);
      left = MAX_WHERE_LENGTH;
    }
    parts[parts.length - 1].push(entry);
    left -= length;
  }
  return parts;
}

type WantedKey = readonly [key: string, spellings: readonly string[]];

function writeSpellings([key, spellings]: WantedKey): string {
  return `\`${key}\` in (${spellings.map((each) => JSON.stringify(each)).join(', ')})`;
}

async function findHolderAmong(
  context: ToolContext,
  wanted: readonly (readonly [string, readonly string[]])[],
): Promise<FoundValue | 'unknown' | undefined> {
  const where = wanted.map(writeSpellings).join(' or ');
  const args = {
    signal: 'spans' as const,
    where,
    limit: 1,
    ...toRangeArguments(lastMinutes(LOOKUP_MINUTES, context.nowMs)),
  };
  if (where.length > MAX_WHERE_LENGTH || queryTelemetry.validate(args) !== undefined) return 'unknown';
  const data = await lookUp(context, args);
  if (data === undefined) return 'unknown';
  const [row] = data.rows;
  if (row === undefined) return undefined;
  const names = data.columns.map(({ name }) => name);
  const held = readAttributes((column) => row[names.indexOf(column)]);
  const holder = wanted.find(([key, spellings]) => held.has(key) && spellings.includes(String(held.get(key))));
  return holder === undefined ? 'unknown' : { field: holder[0], value: String(held.get(holder[0])) };
}

/** Undefined if the Grid has too much telemetry to look a word up in time: the question is still answered, or refused. */
export async function lookUp(
  context: ToolContext,
  args: Parameters<typeof queryTelemetry.run>[1],
): Promise<TableAnswer | undefined> {
  try {
    const { data } = await queryTelemetry.run(context, args);
    return 'rows' in data ? data : undefined;
  } catch (error) {
    if (hasCode(error, 'unavailable')) return undefined;
    throw error;
  }
}

/** All attributes of a record, those of its events too. */
function readAttributes(cellOf: (column: string) => unknown): ReadonlyMap<string, unknown> {
  const events = cellOf('events');
  const types = (Array.isArray(events) ? (events as { readonly attributes?: Readonly<Record<string, unknown>> }[]) : [])
    .map(({ attributes }) => attributes?.['exception.type'])
    .filter((type) => type !== undefined);
  return new Map([
    ...['resource', 'attributes'].flatMap((column) =>
      Object.entries((cellOf(column) as object | null | undefined) ?? {}),
    ),
    ...types.map((type) => [EXCEPTION_TYPE, type] as const),
  ]);
}

const MAX_FLAGS = 3;

/** Those of the fields whose values are only true and false. */
export async function findFlags(context: ToolContext, fields: readonly string[]): Promise<ReadonlySet<string>> {
  const flags = new Set<string>();
  for (const field of fields.filter((each) => each.includes('.') && !each.startsWith('event.')).slice(0, MAX_FLAGS)) {
    const args = {
      signal: 'spans' as const,
      where: `exists(${writeField(field)})`,
      groupBy: [field],
      select: [{ fn: 'count' as const, as: 'count' }],
      limit: 3,
      ...toRangeArguments(lastMinutes(LOOKUP_MINUTES, context.nowMs)),
    };
    if (queryTelemetry.validate(args) !== undefined) continue;
    const values = (await lookUp(context, args))?.rows.map(([value]) => value) ?? [];
    if (values.length > 0 && values.every((value) => value === 'true' || value === 'false')) flags.add(field);
  }
  return flags;
}

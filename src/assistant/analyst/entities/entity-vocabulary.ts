import type { ListedMetric } from '../../../queries/charts/chart-query-types.js';
import type { ToolQueries } from '../../tool.js';
import { correctSpelling, isLexiconWord } from '../lexicon/concept-extractor.js';
import { isStopWord, type WordToken } from '../lexicon/tokenizer.js';
import { singularize } from '../lexicon/word-matching.js';

export type NamedMetric = Pick<ListedMetric, 'name' | 'unit' | 'attributeKeys'> &
  Partial<Pick<ListedMetric, 'type' | 'monotonic'>>;

/** Names that questions about a Grid may contain. */
export interface EntityVocabulary {
  /** Services with telemetry, ascending. */
  readonly services: readonly string[];
  /** Dependencies without telemetry of their own: databases, queues, third-party services. */
  readonly dependencies: readonly string[];
  readonly operations: readonly string[];
  /** OTLP metrics, and titles of the Grid's stored charts. */
  readonly measured: readonly string[];
  /** The OTLP metrics, with their units and the keys of their data points. */
  readonly metrics?: readonly NamedMetric[];
  /** Keys of attributes that searches find: of spans and their resources, and of log entries. */
  readonly attributes: { readonly traces: readonly string[]; readonly logs: readonly string[] };
}

/** Only used to understand the question: not a source of the answer, and costs no energy. */
export async function loadVocabulary(
  { telemetry, diagnostics, charts }: Pick<ToolQueries, 'telemetry' | 'diagnostics' | 'charts'>,
  gridId: string,
): Promise<EntityVocabulary> {
  const [spans, logs, map, own, { metrics }] = await Promise.all([
    telemetry.traceFilterOptions(gridId),
    telemetry.logFilterOptions(gridId),
    diagnostics.serviceMap(gridId, {}),
    charts.charts(gridId),
    charts.metrics(gridId),
  ]);
  const measured = [
    ...metrics.map(({ name }) => name),
    ...own.filter(({ builtIn }) => !builtIn).map(({ title }) => title),
  ];
  const services = new Set([...spans.serviceNames, ...logs.serviceNames, ...map.services.map(({ name }) => name)]);
  const dependencies = new Set(map.edges.map(({ target }) => target).filter((name) => !services.has(name)));
  // Placeholder for names beyond the limit.
  services.delete('__other__');
  return {
    services: [...services].sort(),
    dependencies: [...dependencies].sort(),
    operations: spans.operationNames,
    measured,
    metrics: metrics.map(({ name, unit, attributeKeys, type, monotonic }) => ({
      name,
      unit,
      attributeKeys,
      type,
      monotonic,
    })),
    attributes: { traces: spans.tagKeys, logs: logs.attributeKeys },
  };
}

/** Words after which a name is expected. */
const WORDS_BEFORE_NAMES = new Set(
  'of in for on from with about the compare by calls call calling uses using'.split(' '),
);

/** Words after which a name is the subject of the sentence, so it cannot be the last word. */
const WORDS_BEFORE_SUBJECTS = new Set('is are does did has was why and'.split(' '));

/** Endings of exception types, adjectives and adverbs, which are not names. */
const DESCRIPTIVE_ENDINGS = /(?:exceptions?|errors?|est|ed|ly|ive|able|ful|ous|ical)$/;

const MIN_ENTITY_LENGTH = 3;

/**
 * The first unknown word in a position where a name is expected; undefined if there is none. `isPartOfKnown` returns
 * whether a singular word is part of a known name.
 */
export function findUnknownEntity(
  tokens: readonly WordToken[],
  nameIndexes: ReadonlySet<number>,
  isPartOfKnown: (word: string) => boolean,
): string | undefined {
  return tokens.find(
    ({ word }, at) =>
      !nameIndexes.has(at) && isUnknownWord(word) && isNamePosition(tokens, at) && !isPartOfKnown(singularize(word)),
  )?.word;
}

function isUnknownWord(word: string): boolean {
  return (
    word.length >= MIN_ENTITY_LENGTH &&
    !/^\d/.test(word) &&
    !DESCRIPTIVE_ENDINGS.test(word) &&
    !isStopWord(word) &&
    !isLexiconWord(word) &&
    !isLexiconWord(correctSpelling(word))
  );
}

function isNamePosition(tokens: readonly WordToken[], at: number): boolean {
  const before = tokens[at - 1]?.word ?? '';
  if (tokens.length === 1 || tokens[at + 1]?.word === 'service' || WORDS_BEFORE_NAMES.has(before)) return true;
  return WORDS_BEFORE_SUBJECTS.has(before) && (at < tokens.length - 1 || (before === 'and' && at === 1));
}

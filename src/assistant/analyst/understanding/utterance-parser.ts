import { isWordOfAnyName, singularize } from '../lexicon/word-matching.js';
import { isStopWord } from '../lexicon/stop-words.js';
import { extractConcepts, isLexiconWord } from '../lexicon/concept-extractor.js';
import type { Cue } from '../intents/intent.js';
import type { Concept } from '../lexicon/concept-lexicon.js';
import { extractLiterals, extractMeasure } from './literal-extractor.js';
import { type ExtractedNames, extractServiceNames, joinCompoundNames } from '../entities/service-name-extractor.js';
import { extractOperations, findOperationByWord } from '../entities/operation-extractor.js';
import type { Slots } from './slots.js';
import { extractBusinessEntity, isOutcomeCounted } from '../entities/business-entity-extractor.js';
import { extractTimes } from '../time/time-extractor.js';
import { blankOut, tokenize, type WordToken } from '../lexicon/tokenizer.js';
import type { EntityVocabulary } from '../entities/entity-vocabulary.js';
import { extractFailureOccurrence, isFailureNegated } from './filter-extractors.js';

/** What a text says by itself. */
export interface Utterance {
  readonly slots: Slots;
  readonly names: ExtractedNames;
  readonly operations: readonly string[];
  readonly tokens: readonly WordToken[];
  readonly present: ReadonlySet<Concept | Cue>;
  /** It says what it wants to know, not only of what. */
  readonly saysWhat: boolean;
  readonly isNow: boolean;
  /** The text without figures, times and names. */
  readonly rest: string;
}

/** Questions are shorter; whatever is longer must not hold the thread that serves. */
const MAX_WORDS = 60;

const LEAST_WORDS = /\b(?:fastest|quickest|lowest|least|smallest|fewest|quietest|best)\b/i;

/** Figures first, then times, operations and names: each without what came before it. Concepts are what is left. */
export function parseUtterance(text: string, vocabulary: EntityVocabulary, nowMs: number): Utterance {
  const marks = extractLiterals(text);
  const { time, baseline, rest, isNow } = extractTimes(marks.rest, nowMs);
  const written = extractOperations(rest, vocabulary.operations);
  const plain = written.reduce((left, operation) => blankOutOperation(left, operation), rest);
  const tokens = joinCompoundNames(tokenize(plain).slice(0, MAX_WORDS), [
    ...vocabulary.services,
    ...vocabulary.dependencies,
  ]);
  const inNames = extractServiceNames(tokens, vocabulary.services, vocabulary.dependencies);
  const spoken = written.length === 0 ? findOperationByWord(tokens, inNames.taken, vocabulary.operations) : undefined;
  const operations = spoken === undefined ? written : [spoken.operation];
  const names = spoken === undefined ? inNames : { ...inNames, taken: new Set([...inNames.taken, spoken.at]) };
  const { rest: _rest, ...figures } = marks;
  const measure = extractMeasure(plain);
  const thing = extractBusinessEntity(tokens, names.taken, vocabulary.operations);
  const slots: Slots = {
    services: names.names,
    ...figures,
    ...(operations.length === 1 && { operation: operations[0] }),
    ...(time !== undefined && { time }),
    ...(baseline !== undefined && { baseline }),
    ...(measure !== undefined && { measure }),
    ...(LEAST_WORDS.test(plain) && { isReversed: true }),
    ...(thing?.noun !== undefined && { thing: thing.noun, ...(thing.isBeside === true && { isBeside: true }) }),
  };
  const concepts = extractConcepts(tokens.filter((_, at) => !names.taken.has(at)));
  const isMeasured = tokens.some(
    ({ word }, at) =>
      !names.taken.has(at) &&
      !isStopWord(word) &&
      !isLexiconWord(word) &&
      isWordOfAnyName(singularize(word), vocabulary.measured),
  );
  return {
    slots,
    names,
    operations,
    tokens,
    isNow,
    rest: blankOutNames(plain, tokens, names.taken),
    saysWhat: concepts.size > 0,
    present: new Set([
      ...concepts,
      ...extractCues(slots, text, concepts),
      ...(isMeasured ? ['measured' as const] : []),
      ...(thing?.isCounted === true && isOutcomeCounted(concepts) ? ['outcomeCounted' as const] : []),
      ...(thing?.isSlowest === true ? ['oneSlowest' as const] : []),
    ]),
  };
}

/** Blanks instead of names, with what joins them to the sentence. */
function blankOutNames(text: string, tokens: readonly WordToken[], taken: ReadonlySet<number>): string {
  return [...taken].reduce((left, at) => {
    const { from, to } = tokens[at];
    const joint = /\b(?:in|of|from|for|on|by)\s+(?:the\s+)?$/i.exec(left.slice(0, from));
    return blankOut(left, joint?.index ?? from, to);
  }, text);
}

function blankOutOperation(text: string, operation: string): string {
  const at = text.toLowerCase().indexOf(operation.toLowerCase());
  return at < 0 ? text : blankOut(text, at, at + operation.length);
}

/** A figure that changes is no change of a service. */
const FIGURE =
  'latency|latencies|error rates?|errors|traffic|throughput|load|apdex|response times?|performance|requests';

const FIGURE_CHANGES = new RegExp(
  `\\b(?:${FIGURE})\\b.*\\bchang(?:e|ed|es|ing)\\b|\\bchanges? (?:in|of) (?:the )?(?:${FIGURE})\\b`,
  'i',
);
const HYPOTHETICAL =
  /\b(?:if|when|were)\b.*\b(?:down|fails?|failed|breaks?|broke|dies|died|stops?|stopped|unavailable|away|offline|gone|restarted|disappears?)\b/i;
const DEFINITION =
  /\bwhat\s+(?:does|do)\b.*\bmeans?\b|\bmeaning of\b|\bdefin(?:e|ition)\b|\bstands? for\b|\bwhat(?:'s| is| are)\s+(?:an?\s+)?(?:apdex|p\d\d|percentiles?|span|trace|grid|energy|throughput|error rate|entry span|diagnosis|pressure point)s?\s*\??$|^\W*(?:(?:please|can you|could you)\s+)*explain\s+(?:to me\s+|me\s+)?(?:what\s+)?(?:an?\s+|the\s+)?(?:apdex|p\d\d|percentiles?|spans?|traces?|grids?|energy|throughput|error rate|entry spans?)(?:\s+is|\s+are)?\W*$/i;
const ONE_SLOWEST = /\b(?:slowest|longest)\s+(?:single\s+)?(?:request|call|transaction)\b/i;

/** "Any warnings firing", "critical alerts": a level of alerts, not of log entries. */
const ALERT_LEVEL =
  /\b(?:warnings?|criticals?)\b.*\b(?:alerts?|alarms?|firing|fire|fired|page[ds]?)\b|\b(?:alerts?|alarms?|firing)\b.*\b(?:warnings?|criticals?)\b/i;

/** Whether a resource suffices, rather than how much of it is used. */
const RESOURCE_STATE =
  /\b(?:memory|cpu|heap|disk|ram)\b.*\b(?:ok|okay|fine|healthy|enough|full|tight|problems?|issues?|limits?)\b|\b(?:enough|problems?|issues?)\b.*\b(?:memory|cpu|heap|disk|ram)\b/i;

/** What a service says of itself it writes into its log: "what did shipping write after the deployment". */
const ASKS_WHAT_IS_SAID =
  /\bwhat\s+(?:did|does|do|has|have|is|was|were)\b.*\b(?:write|wrote|written|writing|print|printed|printing|output)\b/i;

/** What a question has beside the concepts that its words stand for. */
function extractCues(slots: Slots, text: string, concepts: ReadonlySet<Concept>): Cue[] {
  const { services, baseline, operation, minDurationMs, maxDurationMs, traceId, spanId, words } = slots;
  const signs: readonly (readonly [Cue, boolean])[] = [
    ['named', services.length > 0],
    ['nameOnly', services.length === 1 && concepts.size === 0],
    ['two', services.length > 1],
    ['baseline', baseline !== undefined],
    ['operation', operation !== undefined],
    ['duration', (minDurationMs ?? maxDurationMs) !== undefined],
    ['traceId', traceId !== undefined],
    ['spanId', spanId !== undefined],
    ['hypothetical', HYPOTHETICAL.test(text)],
    ['figureChanges', FIGURE_CHANGES.test(text)],
    ['between', services.length > 1 && /\bbetween\b/i.test(text)],
    ['oneFailure', extractFailureOccurrence(text) !== undefined],
    ['oneSlowest', ONE_SLOWEST.test(text)],
    ['alertLevel', ALERT_LEVEL.test(text)],
    ['resourceState', RESOURCE_STATE.test(text)],
    ['metricSaid', /\bmetrics?\b/i.test(text)],
    ['noFailure', isFailureNegated(text)],
    ['asksWhatIsSaid', ASKS_WHAT_IS_SAID.test(text)],
    ['quoted', words !== undefined],
    ['version', /\bv?\d+\.\d+\.\d+\b/.test(text)],
    ['definition', services.length === 0 && DEFINITION.test(text)],
  ];
  return signs.filter(([, isSo]) => isSo).map(([sign]) => sign);
}

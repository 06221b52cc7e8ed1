import type { EntityVocabulary } from '../entities/entity-vocabulary.js';
import { isOperationAbout } from '../entities/business-entity-extractor.js';
import type { Intent } from '../intents/intent.js';
import type { WordToken } from '../lexicon/tokenizer.js';
import { singularize } from '../lexicon/word-matching.js';
import { type Condition, CONDITIONS, INTENT_COVERAGE } from './intent-coverage.js';
import { findMisreadParts } from './misread-parts.js';
import type { Slots } from './slots.js';
import { findUnusedWords } from './unused-words.js';
import type { Utterance } from './utterance-parser.js';

/**
 * Everything in a question that the answer of the intent would ignore, as the question says it: conditions that were
 * understood but that the intent does not apply, conditions that nothing can apply, and words that were not understood.
 */
export function findUnappliedParts(
  utterance: Utterance,
  intent: Pick<Intent, 'name' | 'cues'>,
  slots: Slots,
  vocabulary: EntityVocabulary,
): readonly string[] {
  const coverage = INTENT_COVERAGE[intent.name];
  if (coverage.isUnrestricted === true || isAskingForId(intent.name, slots)) return [];
  const conditions = CONDITIONS.filter(
    (condition) => isAsked(condition, utterance.slots, slots) && !isApplied(condition, intent.name, slots, vocabulary),
  ).map((condition) => describeCondition(condition, { ...slots, ...utterance.slots }));
  const isRequestListed = intent.name === 'traces' || intent.name === 'slowest';
  const requests = utterance.listedRequests === undefined || isRequestListed ? [] : [utterance.listedRequests];
  const unsupported = [...utterance.unsupported, ...requests, ...findMisreadParts(intent.name, utterance)];
  const services = utterance.slots.services.slice(coverage.maxServices ?? Infinity);
  const words = joinAdjacent(findUnusedWords(utterance, intent, slots, vocabulary), utterance.plain).filter(
    (word) => !unsupported.some((part) => part.includes(word)),
  );
  return [...new Set([...unsupported, ...conditions, ...services, ...words])];
}

/** Conditions of an earlier question that an answer may leave out. */
const FORGOTTEN: readonly Condition[] = ['time', 'baseline', 'limit'];

/** True if the question has the condition, or keeps it from an earlier one. */
function isAsked(condition: Condition, own: Slots, slots: Slots): boolean {
  return own[condition] !== undefined || (slots[condition] !== undefined && !FORGOTTEN.includes(condition));
}

/** Without an id the answer asks for one. */
function isAskingForId(name: Intent['name'], { traceId, spanId }: Slots): boolean {
  return name === 'trace' && (traceId ?? spanId) === undefined;
}

function isApplied(
  condition: Condition,
  name: Intent['name'],
  { status, edge, services, operation, thing, exception, isCounted, version, chartWords = [], tags = {} }: Slots,
  { attributes, dependencies, operations }: EntityVocabulary,
): boolean {
  if (!INTENT_COVERAGE[name].conditions.includes(condition)) return false;
  // The first or last failure, and successes, are found by searches of their own.
  if (name === 'traces' && (status === 'OK' || edge !== undefined)) return condition !== 'tags';
  // A list of changes has one version.
  if (name === 'changes' && condition === 'version' && tags['service.version'] !== undefined)
    return tags['service.version'] === version;
  if (name === 'changes' && condition === 'tags') return Object.keys(tags).every((key) => key === 'service.version');
  if (name === 'errors' && condition === 'status') return status === 'ERROR';
  // Only the ranking of services is filtered; a bound also applies to one service.
  if (name === 'errors' && (condition === 'excluded' || condition.endsWith('ErrorRate')))
    return (
      (operation ?? thing ?? exception ?? edge) === undefined &&
      (services.length === 0 ||
        (condition !== 'excluded' && services.length === 1 && !dependencies.includes(services[0])))
    );
  // "DNS errors of checkout": nothing counts kinds of errors.
  if (name === 'outcomes' && condition === 'thing' && services.length > 0)
    return thing !== undefined && operations.some((each) => isOperationAbout(thing, each));
  if (name === 'logs' && condition === 'excluded') return services.length === 0 && edge !== 'first';
  if (name === 'metrics' && condition === 'thing') return chartWords.some((word) => singularize(word) === thing);
  if (name === 'logs' && condition === 'thing') return isCounted === true;
  if (condition === 'tags')
    return Object.keys(tags).every((key) => attributes[name === 'logs' ? 'logs' : 'traces'].includes(key));
  return true;
}

function describeCondition(condition: Condition, slots: Slots): string {
  switch (condition) {
    case 'tags':
      return Object.entries(slots.tags ?? {})
        .map(([key, value]) => `${key} ${value}`)
        .join(' and ');
    case 'excluded':
      return `not ${slots.excluded?.join(' or ')}`;
    case 'minDurationMs':
      return `at least ${slots.minDurationMs} ms`;
    case 'maxDurationMs':
      return `at most ${slots.maxDurationMs} ms`;
    case 'minErrorRate':
      return `${slots.isMinErrorRateExcluded === true ? 'more than' : 'at least'} ${slots.minErrorRate} %`;
    case 'maxErrorRate':
      return `${slots.isMaxErrorRateExcluded === true ? 'less than' : 'at most'} ${slots.maxErrorRate} %`;
    case 'version':
      return `version ${slots.version}`;
    case 'status':
      return slots.status === 'ERROR' ? 'failed' : 'successful';
    case 'severity':
      return `level ${slots.severity}`;
    case 'otherAlertSeverity':
      return `not ${slots.otherAlertSeverity}`;
    case 'time':
      return 'the time';
    case 'baseline':
      return 'the comparison with another time';
    default:
      return String(slots[condition]);
  }
}

/** Words that stand side by side become one part, as they are written. */
function joinAdjacent(words: readonly WordToken[], text: string): readonly string[] {
  const parts: { from: number; to: number }[] = [];
  for (const { from, to } of words) {
    const last = parts.at(-1);
    if (last !== undefined && /^[\s-]*$/.test(text.slice(last.to, from))) last.to = to;
    else parts.push({ from, to });
  }
  return parts.map(({ from, to }) => text.slice(from, to).replace(/\s+/g, ' '));
}

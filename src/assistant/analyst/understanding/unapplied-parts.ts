import type { EntityVocabulary } from '../entities/entity-vocabulary.js';
import { isOperationAbout } from '../entities/business-entity-extractor.js';
import { INTENT_NAMES, type Intent, type IntentName } from '../intents/intent.js';
import type { WordToken } from '../lexicon/tokenizer.js';
import { GROUPABLE_NOUNS } from '../lexicon/function-words.js';
import { singularize } from '../lexicon/word-matching.js';
import { type Condition, CONDITIONS, INTENT_COVERAGE } from './intent-coverage.js';
import type { Measure, RecordState, Slots } from './slots.js';
import { findUnusedWords } from './unused-words.js';
import { findUnreadStates, STATE_NAMES } from './record-states.js';
import type { Utterance } from './utterance-parser.js';
import type { Concept } from '../lexicon/concept-lexicon.js';
import { OF_ALL_VALUES } from '../question-query/metric-reading.js';
import { findMeasure } from './literal-extractor.js';

/**
 * Parts of a question whose words an intent knows, but which ask for something else than its answer, as the text says
 * them: "error rate by version" does not ask for the list of changes.
 */
export function findMisreadParts(name: IntentName, utterance: Utterance): readonly string[] {
  return RULES.filter(({ intents }) => intents.includes(name)).flatMap(({ find }) => find(utterance));
}

interface Rule {
  readonly intents: readonly IntentName[];
  readonly find: (utterance: Utterance) => readonly string[];
}

const FIGURES: readonly IntentName[] = ['latency', 'errors', 'outcomes', 'traffic', 'comparison', 'trends', 'detail'];
const RECORDS: readonly IntentName[] = ['traces', 'logs'];
const EXPLANATIONS: readonly IntentName[] = ['why', 'onset', 'impact', 'remedy', 'certainty'];
/** These answer for each of the services, not for the calls between them. */
const CALLED: readonly IntentName[] = [...RECORDS, 'latency', 'errors', 'outcomes', 'traffic'];

const DETERMINER = String.raw`(?:of\s+)?(?:the\s+|my\s+|our\s+)?`;
const SERVICE = '(?:service|microservice|app|application|component|host|pod|instance)';
/** Asked for instead of records, but not the name of "the payment service traces": "which services have a latency over 2 s". */
const SERVICES_ASKED = new RegExp(
  String.raw`(?<!\b(?:of|in|from|across|for|by|on|over)\s+(?:the\s+)?)\b(?:(?:which|what)\s+${DETERMINER}(?:\w+\s+)?${SERVICE}s?|any\s+${SERVICE}|(?:how\s+many|any|all|list|show(?:\s+me)?)\s+${DETERMINER}(?:\w+\s+)?${SERVICE}s)\b(?!'?\s+(?:\w+\s+)?(?:traces?|spans?|requests?|transactions?|calls?|logs?)\b)`,
  'i',
);

const FIGURE_CONCEPTS: readonly Concept[] = ['errors', 'failed', 'latency', 'slow', 'slowest', 'requests'];
const FIGURE_NAME = String.raw`(?:latency|latencies|response\s+times?|durations?|error\s+rates?|errors?|failure\s+rates?|failures?|throughput|traffic|request\s+rates?|requests|apdex|median|p\d{2}|speed|performance)\b`;
/** The figure itself is asked for: "latency before the deployment". */
const FIGURE_ASKED = new RegExp(
  String.raw`^\W*(?:(?:and|what(?:'s|\s+is|\s+was|\s+were|\s+are)?|how\s+(?:is|was|are|were|many|much|high)|show|give|tell|list|me|the|a|our|average|mean|overall|total|current)\s+)*${FIGURE_NAME}`,
  'i',
);
/** Figures are asked for each version or instance. */
const BY_VERSION =
  /\b(?:by|per|which|what|each|every|across|between|(?:is|was|does|did|has)\s+(?:the\s+)?(?:new\s+|old\s+|latest\s+|current\s+)?)\s*(?:versions?|releases?|builds?|pods?|instances?|replicas?)\b/i;
/** What a change did: "which release broke payment". */
const CAUSED =
  /\b(?:ma[dk]e|makes|caus\w+|br[eo]\w*k\w*|introduc\w+|led|lead|leads|slow(?:ed|s|ing)|increas\w+|rais\w+|trigger\w*|responsible|blame|due|worse\w*|degrad\w+|start\w*)\b/i;

const EVENT = String.raw`(?:errors?|failures?|exceptions?|crash(?:es)?|incidents?|outages?|spikes?|problems?|issues?|slowdowns?|alerts?)`;
const BEFORE_EVENT = new RegExp(
  String.raw`\b(?:before|after|until|around|prior\s+to|preceding|following|leading\s+up\s+to)\s+(?:(?:the|an?|that|this|each|every|its|first|last|latest|next)\s+){0,2}(?:[\w-]+(?:'s)?\s+)?${EVENT}\b`,
  'gi',
);

/** The present state of alerts that fired in the past. */
const STATE_NOW =
  /\b(?:still|now|currently|(?:is|are)(?:\s+(?:not|still|now|yet))*)\s+(?:open|firing|active|unresolved|resolved|closed|cleared|over)\b/i;

const CLOSED_BY = /\bwho\s+(?:has\s+|have\s+)?(?:closed|resolved|ended|opened|reopened|merged|split)\b/i;

const WHO = /(?:^\W*|[,;.?]\s*|\b(?:and|so|but|or)\s+)who\b/i;
const RECORDS_COUNTED =
  /\bhow\s+many\s+(?:\w+\s+){0,2}?(?:requests?|calls?|traces?|spans?|responses?|users?|customers?)\b/i;

/** A silence covers any number of alerts. */
const SILENCED_COUNTED = /\bhow\s+many\s+(?:\w+\s+)?(?:alerts?|alarms?|rules?|services?)\b/i;
/** An alert is looked up in one state. */
const FIRING = '(?:firing|open|active|unresolved)';
const OVER = '(?:resolved|cleared|ended|closed)';
const BOTH_STATES = new RegExp(
  String.raw`\b(?:${FIRING}\s*(?:,|/|\b(?:and|or)\b)\s*${OVER}|${OVER}\s*(?:,|/|\b(?:and|or)\b)\s*${FIRING})\b`,
  'i',
);

/** The number of metrics, not of what they count. */
const LIST_OF_METRICS = /\b(?:metrics?|charts?|dashboards?|graphs?|series)\b/i;

const NO_PERCENTILES: readonly Measure[] = ['p50', 'p95', 'p99', 'apdex'];
const NO_MEASURES: readonly Measure[] = [...NO_PERCENTILES, 'average', 'errorRate', 'requestRate'];

/** A time around an event that has a length of its own: "within 5 minutes of the deployment". */
const WITHIN_OF =
  /\bwithin\s+(?:\w+\s+){1,3}(?:of|after|before)\s+(?:(?:the|an?|that|this|each|every|its|last|latest)\s+)*\w+/gi;
/** Explanations know since when something is wrong, not when it ended. */
const ENDED =
  /\b(?:and\s+)?(?:when\s+(?:did|has|have)\s+(?:it|they|that|this|the\s+\w+)\s+)(?:stop(?:ped)?|end(?:ed)?|cease[ds]?)\b/i;
const ENDPOINTS = /\b(?:endpoints?|operations?|routes?|urls|paths|handlers|apis)\b/i;

/** Groups by nouns that restrict nothing elsewhere: "log lines by level". */
const BY_NOUN = new RegExp(
  String.raw`\b(?:by|per|for\s+each|for\s+every)\s+(?:the\s+|log\s+|their\s+|its\s+)?(?:${GROUPABLE_NOUNS})\b`,
  'i',
);
const LISTS: readonly IntentName[] = ['slowest', 'alerts', 'changes', 'services', 'dependencies', 'pressure'];
/** A bound in words, which no filter of these reads: "more than one version". */
const WORD_BOUND =
  /\b(?:(?:more|fewer|less|other)\s+than|at\s+(?:least|most))\s+(?:one|two|three|four|five|six|seven|eight|nine|ten)\b(?!\s+(?:m?s|milliseconds?|seconds?|secs?|minutes?|hours?|days?)\b)/i;

const RULES: readonly Rule[] = [
  // Only the ranking of services has bounds.
  {
    intents: ['errors'],
    find: ({ plain, slots }) =>
      (slots.minErrorRate ?? slots.maxErrorRate) === undefined ? [] : findText(ENDPOINTS, plain),
  },
  {
    intents: [...EXPLANATIONS, ...RECORDS, ...FIGURES, 'changes', 'alerts', 'timeline'],
    find: ({ text }) => findText(WITHIN_OF, text),
  },
  { intents: ['onset', 'why'], find: ({ text }) => findText(ENDED, text) },
  { intents: ['traces'], find: ({ plain }) => findText(SERVICES_ASKED, plain) },
  // "error rate of the recommendations service" asks for no recommendation.
  { intents: ['remedy'], find: ({ text }) => findText(FIGURE_ASKED, text) },
  { intents: RECORDS, find: ({ plain }) => findMeasures(plain, NO_MEASURES) },
  // Charts show values over time.
  { intents: ['metrics'], find: ({ plain }) => findMeasures(plain, ['p50', 'p95', 'p99']) },
  // They show rates of what is counted, and no sum.
  {
    intents: ['metrics'],
    find: ({ plain }) => (LIST_OF_METRICS.test(plain) ? [] : findText(OF_ALL_VALUES, plain)),
  },
  { intents: ['changes'], find: ({ plain, text }) => (CAUSED.test(text) ? [] : findMeasures(plain, NO_MEASURES)) },
  { intents: ['dependencies'], find: ({ plain }) => findMeasures(plain, NO_PERCENTILES) },
  // Of services, both windows have averages only.
  {
    intents: ['comparison', 'trends'],
    find: ({ plain, slots }) => (slots.services.length === 0 ? [] : findMeasures(plain, ['p50', 'p95', 'p99'])),
  },
  // Bounds of endpoints are those of their p99.
  {
    intents: ['slowest'],
    find: ({ plain, slots }) =>
      (slots.minDurationMs ?? slots.maxDurationMs) === undefined ? [] : findMeasures(plain, ['p50', 'p95', 'average']),
  },
  {
    intents: ['changes'],
    find: ({ text, present }) =>
      FIGURE_CONCEPTS.some((concept) => present.has(concept)) && !CAUSED.test(text)
        ? [...findText(FIGURE_ASKED, text), ...findText(BY_VERSION, text)]
        : [],
  },
  {
    intents: [...RECORDS, ...FIGURES, 'alerts', 'slowest', 'changes', 'timeline', 'incidents'],
    find: ({ text }) => findText(BEFORE_EVENT, text),
  },
  { intents: [...RECORDS, ...FIGURES, 'slowest', 'alerts', 'changes'], find: ({ plain }) => findText(BY_NOUN, plain) },
  {
    intents: [...RECORDS, ...FIGURES, ...LISTS],
    find: ({ plain }) => findText(WORD_BOUND, plain),
  },
  { intents: ['incidents', 'silences', 'errorGroups'], find: ({ rest }) => findUnreadStates(rest) },
  // What is told of an incident is who has taken it.
  { intents: INTENT_NAMES, find: ({ text }) => findText(CLOSED_BY, text) },
  // A summary of states counts no records, and names nobody.
  {
    intents: ['health', 'recovery'],
    find: ({ text }) => [...findText(WHO, text), ...findText(RECORDS_COUNTED, text)],
  },
  { intents: ['silences'], find: ({ text }) => findText(SILENCED_COUNTED, text) },
  { intents: ['alerts'], find: ({ rest }) => findText(BOTH_STATES, rest) },
  { intents: ['alerts'], find: ({ text, isPast }) => (isPast ? findText(STATE_NOW, text) : []) },
  { intents: CALLED, find: ({ namedCalls }) => (namedCalls === undefined ? [] : [namedCalls]) },
];

function findText(pattern: RegExp, text: string): readonly string[] {
  const all = pattern.global ? [...text.matchAll(pattern)] : [pattern.exec(text)];
  return all.flatMap((match) => (match === null ? [] : [match[0].trim()]));
}

function findMeasures(text: string, measures: readonly Measure[]): readonly string[] {
  const found = findMeasure(text);
  return found !== undefined && measures.includes(found.measure) ? [found.written] : [];
}

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
  const { services: named } = utterance.slots;
  // A dependency writes no log of its own.
  const silent = intent.name === 'logs' ? named.filter((name) => vocabulary.dependencies.includes(name)) : [];
  const services = [...new Set([...named.slice(coverage.maxServices ?? Infinity), ...silent])];
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

/** The states that the records of an answer have. */
const APPLIED_STATES: Readonly<Partial<Record<IntentName, readonly RecordState[]>>> = {
  incidents: ['open', 'unended', 'unopen', 'ended', 'reopened'],
  silences: ['open', 'unended', 'planned', 'ended'],
  errorGroups: ['open', 'unended', 'ended', 'reopened'],
};

function isApplied(
  condition: Condition,
  name: Intent['name'],
  {
    status,
    edge,
    services,
    operation,
    thing,
    exception,
    isCounted,
    version,
    chartWords = [],
    tags = {},
    recordStates = [],
    isLaterToday,
    baseline,
  }: Slots,
  { attributes, dependencies, operations }: EntityVocabulary,
): boolean {
  if (!INTENT_COVERAGE[name].conditions.includes(condition)) return false;
  // The first or last failure, and successes, are found by searches of their own.
  if (name === 'traces' && (status === 'OK' || edge !== undefined)) return condition !== 'tags';
  // Both windows of "before and after" have become one.
  if (name === 'changes' && condition === 'baseline') return baseline === undefined;
  // A list of changes has one version.
  if (name === 'changes' && condition === 'version' && tags['service.version'] !== undefined)
    return tags['service.version'] === version;
  if (name === 'changes' && condition === 'tags') return Object.keys(tags).every((key) => key === 'service.version');
  // Silences are looked up as they are now, and planned ones by when they begin.
  if (name === 'silences' && condition === 'time') return recordStates.includes('planned') && isLaterToday === true;
  if (condition === 'recordStates') return recordStates.every((state) => APPLIED_STATES[name]?.includes(state));
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
    case 'recordStates':
      return (slots.recordStates ?? []).map((state) => STATE_NAMES[state]).join(' or ');
    case 'queried':
      return slots.queried?.join(' and ') ?? '';
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

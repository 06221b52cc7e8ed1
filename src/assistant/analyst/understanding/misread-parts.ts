import type { IntentName } from '../intents/intent.js';
import type { Concept } from '../lexicon/concept-lexicon.js';
import { findMeasure } from './literal-extractor.js';
import type { Measure } from './slots.js';
import type { Utterance } from './utterance-parser.js';

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
  String.raw`\b(?:before|after|until|around|prior\s+to|preceding|following|leading\s+up\s+to)\s+(?:(?:the|an?|that|this|each|every|its|first|last|latest|next)\s+){0,2}${EVENT}\b`,
  'gi',
);

/** The present state of alerts that fired in the past. */
const STATE_NOW =
  /\b(?:still|now|currently|(?:is|are)(?:\s+(?:not|still|now|yet))*)\s+(?:open|firing|active|unresolved|resolved|closed|cleared|over)\b/i;

const NO_PERCENTILES: readonly Measure[] = ['p50', 'p95', 'p99', 'apdex'];
const NO_MEASURES: readonly Measure[] = [...NO_PERCENTILES, 'average', 'errorRate', 'requestRate'];

/** A time around an event that has a length of its own: "within 5 minutes of the deployment". */
const WITHIN_OF =
  /\bwithin\s+(?:\w+\s+){1,3}(?:of|after|before)\s+(?:(?:the|an?|that|this|each|every|its|last|latest)\s+)*\w+/gi;
const ENDPOINTS = /\b(?:endpoints?|operations?|routes?|urls|paths|handlers|apis)\b/i;

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
  { intents: ['traces'], find: ({ plain }) => findText(SERVICES_ASKED, plain) },
  { intents: RECORDS, find: ({ plain }) => findMeasureOf(plain, NO_MEASURES) },
  { intents: ['changes'], find: ({ plain, text }) => (CAUSED.test(text) ? [] : findMeasureOf(plain, NO_MEASURES)) },
  { intents: ['dependencies'], find: ({ plain }) => findMeasureOf(plain, NO_PERCENTILES) },
  {
    intents: ['changes'],
    find: ({ text, present }) =>
      FIGURE_CONCEPTS.some((concept) => present.has(concept)) && !CAUSED.test(text)
        ? [...findText(FIGURE_ASKED, text), ...findText(BY_VERSION, text)]
        : [],
  },
  { intents: [...RECORDS, ...FIGURES, 'alerts', 'slowest'], find: ({ text }) => findText(BEFORE_EVENT, text) },
  { intents: ['alerts'], find: ({ text, isPast }) => (isPast ? findText(STATE_NOW, text) : []) },
  { intents: CALLED, find: ({ namedCalls }) => (namedCalls === undefined ? [] : [namedCalls]) },
];

function findText(pattern: RegExp, text: string): readonly string[] {
  const all = pattern.global ? [...text.matchAll(pattern)] : [pattern.exec(text)];
  return all.flatMap((match) => (match === null ? [] : [match[0].trim()]));
}

function findMeasureOf(text: string, measures: readonly Measure[]): readonly string[] {
  const found = findMeasure(text);
  return found !== undefined && measures.includes(found.measure) ? [found.written] : [];
}

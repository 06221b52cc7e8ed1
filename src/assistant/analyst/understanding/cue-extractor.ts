import type { Cue } from '../intents/intent.js';
import type { Concept } from '../lexicon/concept-lexicon.js';
import { extractFailureOccurrence, findNegatedFailures } from './filter-extractors.js';
import { findGuideTopic } from './guide-topics.js';
import type { Slots } from './slots.js';

/** A changed figure is not a change event of a service. */
const FIGURE =
  'latency|latencies|error rates?|errors|traffic|throughput|load|apdex|response times?|performance|requests';

const FIGURE_CHANGES = new RegExp(
  `\\b(?:${FIGURE})\\b.*\\bchang(?:e|ed|es|ing)\\b|\\bchanges? (?:in|of) (?:the )?(?:${FIGURE})\\b`,
  'i',
);

const HYPOTHETICAL =
  /\b(?:if|when(?!\s+(?:did|was|has|have|had)\b)|were)\b.*\b(?:down|fails?|failed|breaks?|broke|dies|died|stops?|stopped|unavailable|away|offline|gone|restarted|disappears?)\b/i;

const DEFINITION =
  /\bwhat\s+(?:does|do)\b.*\bmeans?\b|\bmeaning of\b|\bdefin(?:e|ition)\b|\bstands? for\b|\bwhat(?:'s| is| are)\s+(?:an?\s+)?(?:apdex|p\d\d|percentiles?|span|trace|grid|energy|throughput|error rate|entry span|diagnosis|pressure point)s?\s*\??$|^\W*(?:(?:please|can you|could you)\s+)*explain\s+(?:to me\s+|me\s+)?(?:what\s+)?(?:an?\s+|the\s+)?(?:apdex|p\d\d|percentiles?|spans?|traces?|grids?|energy|throughput|error rate|entry spans?)(?:\s+is|\s+are)?\W*$/i;

const ONE_SLOWEST = /\b(?:slowest|longest)\s+(?:single\s+)?(?:request|call|transaction)\b/i;

const LEVEL = '(?:warnings?|criticals?|info(?:s|rmational)?)';
const ALERT = '(?:alerts?|alarms?|firing)';
const OPEN = '(?:open|active|unresolved|ongoing|resolved)';
/** "Any warnings firing", "critical alerts", "open warnings": levels of alerts, not of log entries. */
const ALERT_LEVEL = new RegExp(
  String.raw`\b${LEVEL}\b.*\b(?:${ALERT}|fired?|page[ds]?)\b|\b${ALERT}\b.*\b${LEVEL}\b|\b${OPEN}\s+${LEVEL}\b|\b${LEVEL}\s+(?:(?:that|which|are|is|were|still|not|currently)\s+)+${OPEN}\b`,
  'i',
);

/** Whether a resource is sufficient, rather than how much of it is used. */
const RESOURCE_STATE =
  /\b(?:memory|cpu|heap|disk|ram)\b.*\b(?:ok|okay|fine|healthy|enough|full|tight|problems?|issues?|limits?)\b|\b(?:enough|problems?|issues?)\b.*\b(?:memory|cpu|heap|disk|ram)\b/i;

/** Questions about what a service writes to its log: "what did shipping write after the deployment". */
const ASKS_WHAT_IS_WRITTEN =
  /\bwhat\s+(?:did|does|do|has|have|is|was|were)\b.*\b(?:write|wrote|written|writing|print|printed|printing|output)\b/i;

/** Features of a question beside its concepts. `text`: the question without its conditions on attributes. */
export function extractCues(slots: Slots, text: string, concepts: ReadonlySet<Concept>): Cue[] {
  const { services, baseline, operation, minDurationMs, maxDurationMs, traceId, spanId, words } = slots;
  const cues: readonly (readonly [Cue, boolean])[] = [
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
    ['severalIncidents', /\bincidents\b/i.test(text)],
    ['metricNamed', /\bmetrics?\b/i.test(text)],
    ['noFailure', findNegatedFailures(text).length > 0],
    ['asksWhatIsWritten', ASKS_WHAT_IS_WRITTEN.test(text)],
    ['quoted', words !== undefined],
    ['endpointDuration', concepts.has('endpoints') && (minDurationMs ?? maxDurationMs) !== undefined],
    ['version', slots.version !== undefined],
    ['guided', findGuideTopic(text) !== undefined],
    ['definition', services.length === 0 && DEFINITION.test(text)],
  ];
  return cues.filter(([, isPresent]) => isPresent).map(([cue]) => cue);
}

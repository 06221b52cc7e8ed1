import {
  extractChartWords,
  extractCountedWords,
  extractDirection,
  extractFailureOccurrence,
  extractOccurrence,
  extractOutcome,
  extractResourceType,
  isOccurrenceWord,
} from './filter-extractors.js';
import type { DialogueContext } from './dialogue-context.js';
import type { Utterance } from './utterance-parser.js';
import type { IntentName } from '../intents/intent.js';
import { isFunctionWord, isNegation } from '../lexicon/function-words.js';
import { isStopWord, splitIdentifier, tokenize } from '../lexicon/tokenizer.js';
import { singularize } from '../lexicon/word-matching.js';
import type { Severity } from '../../../diagnostics/diagnostic-results.js';
import { ALERT_METRICS } from '../../../diagnostics/alerting/alert-metrics.js';
import { hasConcept } from '../lexicon/concept-extractor.js';
import { extractSeverity, extractSearchWords } from './literal-extractor.js';
import { ACKNOWLEDGEMENT_WORDS, extractAcknowledgement, extractRecordStates } from './record-states.js';
import { isPeakQuestion } from '../answers/grid-lookups.js';
import type { Slots } from './slots.js';

const SUBJECT =
  /\b(?:for|of|with|by|from|about)\s+((?:order|user|customer|cart|session|account|invoice|id)\b(?:\s+(?:id|number|no))?[\s#:=]*[\w-]*\d[\w-]*)/i;
const DEPLOYED =
  /\b(?:re)?(?:deploy(?:s|ed|ments?)?|releases?d?|roll(?:ed)?[\s-]?outs?|shipped|went live|upgraded?|versions?)\b/i;
const OTHER_CHANGES = /\b(?:chang(?:e|es|ed|ing)|endpoints?|scal(?:e|ed|ing)|instances?|new services?)\b/i;

/** Written as one word, `CardDeclinedException`; also in lower case. */
const EXCEPTION = /\b([A-Za-z][\w.]*(?:Exception|[a-z]Error))s?\b|\b(\w{4,}exception)s?\b/;

function extractExceptionFilters(rest: string): Pick<Slots, 'exception' | 'edge' | 'isBothEdges'> {
  const [, asWritten, inSmall] = EXCEPTION.exec(rest) ?? [];
  const exception = asWritten ?? inSmall;
  if (exception === undefined) return {};
  const edge = extractOccurrence(rest);
  return {
    exception,
    ...(edge !== undefined && { edge }),
    ...(/\bfirst\b.*\blast\b|\blast\b.*\bfirst\b/i.test(rest) && { isBothEdges: true }),
  };
}

function findAskedBesideAlerts(present: Utterance['present']): Pick<Slots, 'isWhy' | 'isStatusAsked'> {
  return {
    ...(present.has('why') && { isWhy: true }),
    ...((present.has('health') || present.has('broken')) && { isStatusAsked: true }),
  };
}

/** Filters that only some intents use. */
export function addIntentFilters(
  text: string,
  { slots, present, tokens, names, rest, noun }: Utterance,
  intent: IntentName | undefined,
): Slots {
  switch (intent) {
    case 'logs':
      return { ...slots, ...extractLogFilters(rest, slots), ...(SOON_AFTER.test(text) && { edge: 'first' }) };
    case 'traces':
      return extractTraceFilters(text, { slots, present, rest, noun });
    case 'metrics':
      return {
        ...slots,
        chartWords: extractChartWords(tokens, names.tokenIndexes),
        listOf: /\b(?:charts?|dashboards?|graphs?)\b/i.test(text) ? 'charts' : 'metrics',
      };
    case 'outcomes': {
      const status = extractOutcome(text, present);
      return status === undefined ? slots : { ...slots, status };
    }
    case 'latency':
    case 'traffic':
      return slots.services.length === 1 && isPeakQuestion(text) ? { ...slots, isPeak: true } : slots;
    case 'pressure': {
      const resourceType = extractResourceType(rest);
      const name = extractResourceName(rest);
      return {
        ...slots,
        ...(resourceType !== undefined && { resourceType }),
        ...(name !== undefined && { namedBy: [name] }),
      };
    }
    case 'errors': {
      const edge = extractFailureOccurrence(text);
      return {
        ...slots,
        ...(edge !== undefined && { edge }),
        ...extractExceptionFilters(rest),
        ...(slots.services.length === 1 && isPeakQuestion(text) && { isPeak: true }),
      };
    }
    case 'onset': {
      const exceptionFilters = extractExceptionFilters(rest);
      if (exceptionFilters.exception !== undefined) return { ...slots, edge: 'first', ...exceptionFilters };
      return BEGIN_AND_END.test(text) ? { ...slots, isBothEdges: true } : slots;
    }
    case 'changes':
      return { ...joinWindows(slots), ...extractChangeFilters(text, rest) };
    case 'alerts':
      return { ...slots, ...extractAlertFilters(rest, slots), ...findAskedBesideAlerts(present) };
    case 'rules':
      return { ...slots, ...extractWatchedMetric(tokens), ...extractAlertSeverity(rest) };
    case 'incidents':
      return { ...slots, ...extractIncidentFilters(rest), ...extractBeginning(rest, slots) };
    case 'silences':
      return {
        ...slots,
        ...extractRecordStates(rest),
        ...(/\blater\s+(?:today|tonight)\b/i.test(text) && { isLaterToday: true }),
      };
    case 'errorGroups':
      return { ...slots, ...extractRecordStates(rest) };
    case 'objectives':
      return { ...slots, ...(/\b(?:fast|slow)est\b|\b(?:most|worst)\b/i.test(text) && { isRankedByBurn: true }) };
    case 'guide':
    case 'usage':
    case 'meaning':
      return { ...slots, term: text };
    case 'dependencies': {
      const direction = extractDirection(tokens, names.tokenIndexes);
      return direction === undefined ? slots : { ...slots, direction };
    }
    default:
      return slots;
  }
}

/** "When did payment start to fail, and when did it recover?" */
const BEGIN_AND_END = /\bwhen\b.*\b(?:and|or)\b.*\b(?:recover(?:ed|s)?|over)\b/i;

function extractTraceFilters(
  text: string,
  { slots, present, rest, noun }: Pick<Utterance, 'slots' | 'present' | 'rest' | 'noun'>,
): Slots {
  const status = extractOutcome(text, present);
  const edge = status === 'OK' ? undefined : extractFailureOccurrence(text);
  const subject = SUBJECT.exec(rest)?.[1];
  return {
    ...(noun !== undefined && slots.operation === undefined && { thing: noun }),
    ...slots,
    ...(status !== undefined && { status }),
    ...((present.has('slow') || present.has('slowest')) && { isSlow: true }),
    ...(present.has('slowest') && { isSlowest: true }),
    ...(present.has('oneSlowest') && { limit: 1 }),
    ...(edge !== undefined && { edge }),
    ...(subject !== undefined && { subject }),
  };
}

/** Changes "before and after 13:20" are those of both times. */
function joinWindows(slots: Slots): Slots {
  const { time, baseline, ...others } = slots;
  if (time?.kind !== 'range' || baseline?.kind !== 'range' || baseline.toMs !== time.fromMs) return slots;
  return { ...others, time: { kind: 'range', fromMs: baseline.fromMs, toMs: time.toMs } };
}

function extractChangeFilters(text: string, rest: string): Partial<Slots> {
  const edge = DEPLOYED.test(text) ? extractOccurrence(rest) : undefined;
  return {
    ...(DEPLOYED.test(text) && !OTHER_CHANGES.test(text) && { isDeployed: true }),
    ...(edge === 'last' && { limit: 1 }),
    ...(/\bwho\b/i.test(text) && { isWho: true }),
  };
}

/** What alert rules watch, in singular words. */
const METRIC_WORDS: ReadonlySet<string> = new Set(ALERT_METRICS.flatMap(splitIdentifier).map(singularize));

function extractWatchedMetric(tokens: Utterance['tokens']): Pick<Slots, 'namedBy'> {
  const namedBy = tokens.map(({ word }) => singularize(word)).filter((word) => METRIC_WORDS.has(word));
  return namedBy.length > 0 ? { namedBy } : {};
}

const OPENED = /\b(?:opened|created|raised|triggered)\b/i;
const STARTED = /\b(?:started|began|begun)\b/i;

/**
 * "Incidents opened since 9:30" were opened then, and those that "began since" have a fault that began then; otherwise
 * those count that lasted until then.
 */
function extractBeginning(rest: string, { time }: Slots): Pick<Slots, 'begunBy'> {
  if (time?.kind !== 'range' && time?.kind !== 'deployment') return {};
  if (STARTED.test(rest)) return { begunBy: 'startedAt' };
  return OPENED.test(rest) ? { begunBy: 'openedAt' } : {};
}

function extractIncidentFilters(rest: string): Partial<Slots> {
  const { recordStates, ...alerts } = { ...extractRecordStates(rest), ...extractAlertSeverity(rest) };
  const isLasting = /\blongest\b/i.test(rest);
  const edge = isLasting ? undefined : extractOccurrence(rest);
  return {
    ...alerts,
    ...(isLasting && { isLasting }),
    ...extractAcknowledgement(rest),
    ...(recordStates !== undefined && { recordStates }),
    ...(edge !== undefined && { edge }),
  };
}

/** Words before "alert" that say neither its severity nor its state: "the Low Apdex alert". */
const RULE_WORDS = /((?:[\p{L}\p{N}-]+\s+){1,4})(?:alerts?|alarms?)\b/iu;
const ALERT_STATE_WORDS =
  /^(?:alert|alarm|critical|warning|warn|info|informational|firing|fire|fired|active|open|unresolved|unsolved|ongoing|resolved|cleared|ended|closed|recent|new|longest|configured|triggered|severe|over|current|long|least|fewer|less|than)s?$/;

function extractRuleWords(text: string): readonly string[] {
  const words = tokenize(RULE_WORDS.exec(text)?.[1] ?? '').map(({ word }) => word);
  return words.filter(
    (word) =>
      !/^\d+$/.test(word) &&
      !isFunctionWord(word) &&
      !isNegation(word) &&
      !ALERT_STATE_WORDS.test(word) &&
      !ACKNOWLEDGEMENT_WORDS.test(word) &&
      !isOccurrenceWord(word),
  );
}

const RESOLVED = /\b(?:resolved|clear(?:ed)?|ended|closed|(?:is|are|was|were)\s+over\b(?!\s+(?:the|a)\b))/i;

const NOT = String.raw`\b(?:(?:not|without)\s+(?:counting|including)|excluding|except(?:\s+for)?|ignoring|other\s+than|apart\s+from|besides|not|never|non|un|isn't|aren't|wasn't|weren't|hasn't|haven't|without|no)\b[\s-]*(?:(?:yet|been|be|being|a|any|the)\s+)*`;
const SEVERITIES: readonly Severity[] = ['info', 'warning', 'critical'];
const SEVERITY_WORDS: Readonly<Record<Severity, RegExp>> = {
  info: /\binfo(?:s|rmational)?\b/i,
  warning: /\bwarn(?:ing)?s?\b/i,
  critical: /\bcriticals?\b/i,
};
const ONE_SEVERITY = String.raw`(?:criticals?|warn(?:ing)?s?|info(?:s|rmational)?)\b`;
const NOT_SEVERE = new RegExp(
  String.raw`${NOT}${ONE_SEVERITY}(?:(?:\s*[,/]|\s+(?:or|nor|and))+\s*(?:${NOT})?${ONE_SEVERITY})*`,
  'i',
);
const NOT_RESOLVED = new RegExp(String.raw`${NOT}(?:resolved|clear(?:ed)?|ended|closed|over)\b`, 'i');

/** Questions about durations may refer to alerts that are over. */
const LASTED = /\bhow\s+long\s+(?:did|was|were)\b|\blasted\b|\bduration\b/i;

const FIRED = /\b(?:fired|triggered|went\s+off|raised)\b/i;

function extractAlertFilters(rest: string, { time }: Slots): Partial<Slots> {
  const ruleWords = extractRuleWords(rest);
  // An alert's state is that at the end of a range: one that was firing may be resolved by then.
  const firing =
    time?.kind === 'range'
      ? /\bstill\b|\bun(?:re)?solved\b|\b(?:firing|active|open)\s+since\b/i
      : /\b(?:still|firing|active|open|unresolved|unsolved|ongoing)\b/i;
  const isResolved = RESOLVED.test(rest);
  const alertStatus = isResolved
    ? NOT_RESOLVED.test(rest)
      ? 'firing'
      : 'resolved'
    : firing.test(rest)
      ? 'firing'
      : undefined;
  const isLasting = LASTED.test(rest);
  const edge = isLasting ? undefined : /\blongest\b/i.test(rest) ? 'first' : extractOccurrence(rest);
  return {
    ...(isLasting && { isLasting }),
    ...extractAlertSeverity(rest),
    ...extractAcknowledgement(rest),
    ...(ruleWords.length > 0 && { namedBy: ruleWords }),
    ...(alertStatus !== undefined && { alertStatus }),
    ...(time?.kind === 'range' && alertStatus === undefined && FIRED.test(rest) && { isFired: true }),
    ...(edge !== undefined && { edge }),
  };
}

type AlertSeverities = Pick<Slots, 'alertSeverity' | 'otherAlertSeverity'>;

/** One severity, or all but one: there are three. */
function extractAlertSeverity(rest: string): AlertSeverities {
  const negated = NOT_SEVERE.exec(rest)?.[0] ?? '';
  const left = findSeverities(rest.replace(negated, ' '));
  const excluded = findSeverities(negated);
  const named = left.length > 0 || excluded.length === 0 ? left : SEVERITIES.filter((each) => !excluded.includes(each));
  if (named.length === 1) return { alertSeverity: named[0] };
  const [other] = SEVERITIES.filter((each) => !named.includes(each));
  return named.length === 2 ? { otherAlertSeverity: other } : {};
}

function findSeverities(text: string): readonly Severity[] {
  return SEVERITIES.filter((each) => SEVERITY_WORDS[each].test(text));
}

/** The `orders` of "the orders pool". */
function extractResourceName(rest: string): string | undefined {
  const [, word = ''] = /\b([\w-]+)\s+(?:(?:connection|thread)\s+)?(?:pools?|queues?)\b/i.exec(rest) ?? [];
  const name = word.toLowerCase();
  return name === '' || isFunctionWord(name) || isStopWord(name) || hasConcept(name) ? undefined : name;
}

/** The first log entries are requested, not the last. */
const SOON_AFTER =
  /\b(?:right|just|immediately|directly|shortly|soon)\s+after\b|\b(?:first|earliest|oldest)\s+(?:(?:log|error|warning)\s+)?(?:(?:entry|entries|lines?|messages?|logs?)\b|thing\b)/i;
/** "What did payment log when it started" */
const AT_THE_START =
  /\b(?:when|as|while|once|after)\s+(?:(?:it|they|this|that)\s+)?(?:was\s+|is\s+|were\s+)?(?:(?:re)?start(?:ed|s|ing)?|boot(?:ed|s|ing)?|c[oa]me?s?)(?:\s+up)?\b|\b(?:at|on|during|upon|after)\s+(?:(?:its|the|their)\s+)?(?:start(?:-?\s?up)?|boot|launch)\b|\bstart-?\s?up\s+(?:logs?|messages?|lines?)\b/i;
const START_SEARCH = 'start*';

function extractLogFilters(rest: string, { words }: Slots): Partial<Slots> {
  const countedWords =
    words === undefined ? (AT_THE_START.test(rest) ? START_SEARCH : extractCountedWords(rest)) : undefined;
  if (countedWords !== undefined) return { words: countedWords, isCounted: true };
  const search = words === undefined ? extractSearchWords(rest) : undefined;
  const severity = extractSeverity(search === undefined ? rest : rest.slice(0, search.from));
  return { ...(severity !== undefined && { severity }), ...(search !== undefined && { words: search.words }) };
}

/** "Traces of the errors" are failed ones; after a question about outcomes, the traces are those with that outcome. */
export function inheritOutcomeFilters(
  slots: Slots,
  { intent, slots: { thing, status } }: DialogueContext,
  previousIntent: IntentName | undefined,
): Slots {
  if (
    (previousIntent === 'comparison' || previousIntent === 'traces') &&
    intent === 'outcomes' &&
    slots.services.length === 0 &&
    thing !== undefined
  )
    return { thing, ...(status !== undefined && { status }), ...slots };
  return previousIntent === 'traces' && intent === 'errors' && slots.status === undefined
    ? { ...slots, status: 'ERROR' }
    : slots;
}

import { singular } from './closeness.js';
import { isCommon } from './common-words.js';
import { conceptsIn, isKnown } from './concepts.js';
import { directionIn } from './directions.js';
import type { Focus } from './focus.js';
import { leansOnFocus, refersBack, repeatedWith, takenUp } from './follow-up.js';
import { LEAST_SCORE, scoreOf, type Intent, type IntentName, type Sign } from './intent.js';
import type { Concept } from './lexicon.js';
import { isPartOf } from './known-words.js';
import { marksIn, measureIn, severityIn, wantedWords } from './measures.js';
import { namesIn, type NamesFound } from './names.js';
import { operationSaid, operationsIn } from './operations.js';
import { impossibleIn, isForeign, type Impossible } from './refusals.js';
import { NO_SLOTS, type Slots } from './slots.js';
import { strangerIn } from './strangers.js';
import { spokenTimes } from './times.js';
import { chartWordsIn } from './chart-words.js';
import { blanked, tokensOf, type Token } from './tokens.js';
import type { Vocabulary } from './vocabulary.js';

export type Understanding =
  | { readonly kind: 'understood'; readonly intent: IntentName; readonly slots: Slots }
  /** `said` may mean each of the candidates. */
  | { readonly kind: 'ambiguous'; readonly intent: IntentName | undefined; readonly slots: Slots; readonly said: string; readonly candidates: readonly string[] }
  /** A name that nothing here has. */
  | { readonly kind: 'stranger'; readonly said: string; readonly slots: Slots }
  | { readonly kind: 'impossible'; readonly what: Impossible }
  | { readonly kind: 'foreign' }
  | { readonly kind: 'unknown' };

export interface Heard {
  readonly text: string;
  readonly focus: Focus;
  readonly vocabulary: Vocabulary;
  /** ms since 1970. */
  readonly nowMs: number;
}

/** What a text says by itself. */
interface Said {
  readonly slots: Slots;
  readonly names: NamesFound;
  readonly operations: readonly string[];
  readonly tokens: readonly Token[];
  readonly present: ReadonlySet<Concept | Sign>;
  /** It says what it wants to know, not only of what. */
  readonly saysWhat: boolean;
  readonly isNow: boolean;
  /** The text without figures, times and names. */
  readonly rest: string;
}

const LONGEST = 1_000;
/** Questions are shorter; whatever is longer must not hold the thread that serves. */
const MOST_WORDS = 60;
const LEAST = /\b(?:fastest|quickest|lowest|least|smallest|fewest|quietest|best)\b/i;
/** Words for a kind of dependency: beside a name they ask no question back. */
const KIND_WORD = /^(?:databases?|dbs?|cache|queue|broker)$/;
/** Intents that tell of everything that such a word may mean, where no name was said. */
const OF_EACH: readonly (IntentName | undefined)[] = ['health', 'latency', 'errors', 'dependencies'];
/** A figure that changes is no change of a service. */
const FIGURE = 'latency|latencies|error rates?|errors|traffic|throughput|load|apdex|response times?|performance|requests';
const FIGURE_CHANGES = new RegExp(`\\b(?:${FIGURE})\\b.*\\bchang(?:e|ed|es|ing)\\b|\\bchanges? (?:in|of) (?:the )?(?:${FIGURE})\\b`, 'i');
const HYPOTHETICAL = /\b(?:if|when|were)\b.*\b(?:down|fails?|failed|breaks?|broke|dies|died|stops?|stopped|unavailable|away|offline|gone|restarted|disappears?)\b/i;
const DEFINITION = /\bwhat\s+(?:does|do)\b.*\bmeans?\b|\bmeaning of\b|\bdefin(?:e|ition)\b|\bstands? for\b|\bwhat(?:'s| is| are)\s+(?:an?\s+)?(?:apdex|p\d\d|percentiles?|span|trace|grid|energy|throughput|error rate|entry span|diagnosis|pressure point)s?\s*\??$/i;

/** Pure. Whoever speaks of the past means UTC. */
export function understand(intents: readonly Intent[], { text: given, focus, vocabulary, nowMs }: Heard): Understanding {
  const text = given.normalize('NFKC').replace(/[‘’]/g, '\'').slice(0, LONGEST);
  const chosen = chosenName(text, focus);
  if (chosen !== undefined && focus.intent !== undefined) return { kind: 'understood', intent: focus.intent, slots: { ...focus.slots, services: [...focus.slots.services, chosen] } };
  const said = hear(text, vocabulary, nowMs);
  const refusal = refusalOf(text, said);
  if (refusal !== undefined) return refusal;
  const intent = intentOf(intents, said, focus);
  const slots = slotsOf(text, said, focus, intent);
  // Pressure and metrics are told of resources, whose names services do not share.
  const isKind = said.names.ambiguous !== undefined && KIND_WORD.test(said.names.ambiguous.said);
  if (isKind && said.names.names.length === 0 && OF_EACH.includes(intent)) return { kind: 'understood', intent: intent!, slots: { ...slots, services: said.names.ambiguous.candidates, isEach: true } };
  if (said.names.ambiguous !== undefined && intent !== 'pressure' && intent !== 'metrics' && !(isKind && said.names.names.length > 0)) return { kind: 'ambiguous', intent, slots, ...said.names.ambiguous };
  if (said.operations.length > 1) return { kind: 'ambiguous', intent, slots, said: 'that', candidates: said.operations };
  const stranger = intent === 'logs' || said.slots.services.length > 0 || !isAboutNames(said, intent, text) ? undefined : strangerIn(said.tokens, said.names.taken, (word) => isPartOfAny(word, vocabulary));
  if (stranger !== undefined) return { kind: 'stranger', said: stranger, slots: NO_SLOTS };
  return intent === undefined ? { kind: 'unknown' } : { kind: 'understood', intent, slots };
}

/** Whether an unknown word may be meant as a name: in a question that is understood, in one that goes on, or alone. */
function isAboutNames({ tokens }: Said, intent: IntentName | undefined, text: string): boolean {
  return intent !== undefined || tokens.length === 1 || /^\s*(?:and|what about|how about)\b/i.test(text);
}

function hear(text: string, vocabulary: Vocabulary, nowMs: number): Said {
  const marks = marksIn(text);
  const { time, baseline, rest, isNow } = spokenTimes(marks.rest, nowMs);
  const written = operationsIn(rest, vocabulary.operations);
  const plain = written.reduce((left, operation) => without(left, operation), rest);
  const tokens = tokensOf(plain).slice(0, MOST_WORDS);
  const inNames = namesIn(tokens, vocabulary.services, vocabulary.dependencies);
  const spoken = written.length === 0 ? operationSaid(tokens, inNames.taken, vocabulary.operations) : undefined;
  const operations = spoken === undefined ? written : [spoken.operation];
  const names = spoken === undefined ? inNames : { ...inNames, taken: new Set([...inNames.taken, spoken.at]) };
  const { rest: _rest, ...figures } = marks;
  const measure = measureIn(plain);
  const slots: Slots = {
    services: names.names, ...figures,
    ...(operations.length === 1 && { operation: operations[0] }),
    ...(time !== undefined && { time }),
    ...(baseline !== undefined && { baseline }),
    ...(measure !== undefined && { measure }),
    ...(LEAST.test(plain) && { isReversed: true }),
  };
  const concepts = conceptsIn(tokens.filter((_, at) => !names.taken.has(at)));
  const isMeasured = tokens.some(({ word }, at) => !names.taken.has(at) && !isCommon(word) && !isKnown(word) && isPartOf(singular(word), vocabulary.measured));
  return { slots, names, operations, tokens, isNow, rest: withoutNames(plain, tokens, names.taken), saysWhat: concepts.size > 0, present: new Set([...concepts, ...signsOf(slots, text, concepts), ...(isMeasured ? ['measured' as const] : [])]) };
}

function isPartOfAny(word: string, { services, dependencies, operations, measured }: Vocabulary): boolean {
  return [services, dependencies, operations, measured].some((names) => isPartOf(word, names));
}

function signsOf(slots: Slots, text: string, concepts: ReadonlySet<Concept>): Sign[] {
  const { services, baseline, operation, minDurationMs, maxDurationMs, traceId, spanId, words } = slots;
  const signs: readonly (readonly [Sign, boolean])[] = [
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
    ['quoted', words !== undefined],
    ['version', /\bv?\d+\.\d+\.\d+\b/.test(text)],
    ['definition', services.length === 0 && DEFINITION.test(text)],
  ];
  return signs.filter(([, isSo]) => isSo).map(([sign]) => sign);
}

function refusalOf(text: string, { tokens, names, present }: Said): Understanding | undefined {
  if (isForeign(tokens.map(({ word }) => word), text)) return { kind: 'foreign' };
  // A service may be named like a deed: `run`.
  const what = impossibleIn(text, names.taken.has(0));
  return what === undefined || present.has('definition') ? undefined : { kind: 'impossible', what };
}

function intentOf(intents: readonly Intent[], { present, slots, tokens, isNow }: Said, focus: Focus): IntentName | undefined {
  const scored = intents.map((intent) => ({ intent, score: scoreOf(intent, present) })).filter(({ score }) => score >= LEAST_SCORE).sort((a, b) => b.score - a.score);
  const serious = scored.find(({ intent }) => intent.isCourtesy !== true);
  const saysMore = slots.services.length > 0 || slots.time !== undefined || slots.operation !== undefined || slots.limit !== undefined || isNow;
  const isOnlyName = present.has('nameOnly') && serious?.intent.name === 'detail';
  if (serious !== undefined && !(isOnlyName && focus.intent !== undefined)) return serious.intent.name;
  // Something new about what was asked before.
  if (saysMore && focus.intent !== undefined) return focus.intent;
  return serious?.intent.name ?? (slots.time !== undefined && tokens.every(({ word }) => isCommon(word)) ? 'timeline' : scored[0]?.intent.name);
}

function slotsOf(text: string, said: Said, focus: Focus, intent: IntentName | undefined): Slots {
  const slots = withParticulars(text, said, intent);
  if (focus.intent === undefined && focus.slots.services.length === 0) return slots;
  if (intent === focus.intent && !said.saysWhat) return repeatedWith(slots, focus, said.isNow);
  if (!leansOnFocus(text, said.tokens.length)) return slots;
  const taken = takenUp(inContext(slots, focus, intent), focus, said.isNow);
  const isBetween = (intent === 'comparison' || intent === 'dependencies') && slots.services.length === 1 && refersBack(text);
  return isBetween ? { ...taken, services: [...new Set([...focus.slots.services.slice(0, 1), ...slots.services])] } : taken;
}

/** What matters to some questions only. */
function withParticulars(text: string, { slots, present, tokens, names, rest }: Said, intent: IntentName | undefined): Slots {
  switch (intent) {
    case 'logs': return { ...slots, ...logParticulars(rest, slots) };
    case 'traces': {
      const isFailed = present.has('failed') || present.has('errors') || present.has('broken');
      return { ...slots, ...(isFailed && { status: 'ERROR' as const }), ...((present.has('slow') || present.has('slowest')) && { isSlow: true }) };
    }
    case 'metrics': return { ...slots, chartWords: chartWordsIn(tokens, names.taken), listOf: /\b(?:charts?|dashboards?|graphs?)\b/i.test(text) ? 'charts' : 'metrics' };
    case 'alerts': return present.has('why') ? { ...slots, isWhy: true } : slots;
    case 'usage':
    case 'meaning': return { ...slots, term: text };
    case 'dependencies': {
      const direction = directionIn(tokens, names.taken);
      return direction === undefined ? slots : { ...slots, direction };
    }
    default: return slots;
  }
}

function logParticulars(rest: string, { words }: Slots): Partial<Slots> {
  const wanted = words === undefined ? wantedWords(rest) : undefined;
  const severity = severityIn(wanted === undefined ? rest : rest.slice(0, wanted.from));
  return { ...(severity !== undefined && { severity }), ...(wanted !== undefined && { words: wanted.words }) };
}

/** Traces behind errors are failed ones. */
function inContext(slots: Slots, { intent }: Focus, asked: IntentName | undefined): Slots {
  return asked === 'traces' && intent === 'errors' && slots.status === undefined ? { ...slots, status: 'ERROR' } : slots;
}

/** The name that was chosen among candidates by its place; one that was said in full is understood as ever. */
function chosenName(text: string, { candidates }: Focus): string | undefined {
  if (candidates === undefined) return undefined;
  const ordinals = [/^\W*(?:the\s+)?(?:first|1st|former|1)\b/i, /^\W*(?:the\s+)?(?:second|2nd|2)\b/i, /^\W*(?:the\s+)?(?:third|3rd|3)\b/i];
  const place = /^\W*(?:the\s+)?(?:last|latter)(?:\s+one)?\W*$/i.test(text) ? candidates.length - 1 : ordinals.findIndex((ordinal) => ordinal.test(text));
  return candidates[place];
}

/** Blanks instead of names, with what joins them to the sentence. */
function withoutNames(text: string, tokens: readonly Token[], taken: ReadonlySet<number>): string {
  return [...taken].reduce((left, at) => {
    const { from, to } = tokens[at];
    const joint = /\b(?:in|of|from|for|on|by)\s+(?:the\s+)?$/i.exec(left.slice(0, from));
    return blanked(left, joint?.index ?? from, to);
  }, text);
}

function without(text: string, operation: string): string {
  const at = text.toLowerCase().indexOf(operation.toLowerCase());
  return at < 0 ? text : blanked(text, at, at + operation.length);
}

import { isCommon } from './common-words.js';
import { edgeIn } from './edges.js';
import type { Focus } from './focus.js';
import { leansOnFocus, refersBack, repeatedWith, takenUp } from './follow-up.js';
import { hear, type Said } from './hearing.js';
import { LEAST_SCORE, scoreOf, type Intent, type IntentName } from './intent.js';
import { isPartOf } from './known-words.js';
import { inContext, withParticulars } from './particulars.js';
import { impossibleIn, isForeign, type Impossible } from './refusals.js';
import { NO_SLOTS, type Slots } from './slots.js';
import { strangerIn } from './strangers.js';
import { unreadableTimeIn } from './unreadable-times.js';
import type { Vocabulary } from './vocabulary.js';

export type Understanding =
  | { readonly kind: 'understood'; readonly intent: IntentName; readonly slots: Slots }
  /** `said` may mean each of the candidates. */
  | { readonly kind: 'ambiguous'; readonly intent: IntentName | undefined; readonly slots: Slots; readonly said: string; readonly candidates: readonly string[] }
  /** A name that nothing here has. */
  | { readonly kind: 'stranger'; readonly said: string; readonly slots: Slots }
  | { readonly kind: 'impossible'; readonly what: Impossible }
  /** A time that there is not. */
  | { readonly kind: 'unreadable'; readonly said: string }
  | { readonly kind: 'foreign' }
  | { readonly kind: 'unknown' };

export interface Heard {
  readonly text: string;
  readonly focus: Focus;
  readonly vocabulary: Vocabulary;
  /** ms since 1970. */
  readonly nowMs: number;
}

const LONGEST = 1_000;
/** `POST /orders` is an endpoint, and asks for no deed. */
const REQUEST = /^\W*(?:GET|PUT|POST|PATCH|DELETE|HEAD|OPTIONS)\s+\//i;
/** Words for a kind of dependency: beside a name they ask no question back. */
const KIND_WORD = /^(?:databases?|dbs?|cache|queue|broker)$/;
/** Intents that tell of everything that such a word may mean, where no name was said. */
const OF_EACH: readonly IntentName[] = ['health', 'latency', 'errors', 'dependencies'];

/** Pure. Whoever speaks of the past means UTC. */
export function understand(intents: readonly Intent[], { text: given, focus, vocabulary, nowMs }: Heard): Understanding {
  const text = given.normalize('NFKC').replace(/[‘’]/g, '\'').slice(0, LONGEST);
  const chosen = chosenAmong(text, focus, vocabulary);
  if (chosen !== undefined) return chosen;
  const said = hear(text, vocabulary, nowMs);
  const refusal = refusalOf(text, said);
  if (refusal !== undefined) return refusal;
  const intent = intentOf(intents, said, focus);
  const slots = withTelemetry(slotsOf(text, said, focus, intent), said, intent, vocabulary);
  return ambiguityOf(said, intent, slots) ?? strangerOf(text, said, intent, vocabulary) ?? (intent === undefined ? { kind: 'unknown' } : { kind: 'understood', intent, slots });
}

/** Words that may mean several names: what they stand for where one of the intents tells of each, else a question back. */
function ambiguityOf({ names: { names, ambiguous }, operations }: Said, intent: IntentName | undefined, slots: Slots): Understanding | undefined {
  if (ambiguous === undefined) return operations.length > 1 ? { kind: 'ambiguous', intent, slots, said: 'that', candidates: operations } : undefined;
  // Pressure and metrics are told of resources, whose names services do not share.
  if (intent === 'pressure' || intent === 'metrics') return undefined;
  if (!KIND_WORD.test(ambiguous.said)) return { kind: 'ambiguous', intent, slots, ...ambiguous };
  if (names.length > 0) return undefined;
  if (intent === undefined || !OF_EACH.includes(intent)) return { kind: 'ambiguous', intent, slots, ...ambiguous };
  return { kind: 'understood', intent, slots: { ...slots, services: ambiguous.candidates, isEach: true } };
}

function strangerOf(text: string, said: Said, intent: IntentName | undefined, vocabulary: Vocabulary): Understanding | undefined {
  if (intent === 'logs' || said.slots.services.length > 0 || !isAboutNames(said, intent, text)) return undefined;
  const stranger = strangerIn(said.tokens, said.names.taken, (word) => isPartOfAny(word, vocabulary));
  return stranger === undefined ? undefined : { kind: 'stranger', said: stranger, slots: NO_SLOTS };
}

/** Whether an unknown word may be meant as a name: in a question that is understood, in one that goes on, or alone. */
function isAboutNames({ tokens }: Said, intent: IntentName | undefined, text: string): boolean {
  return intent !== undefined || tokens.length === 1 || /^\s*(?:and|what about|how about)\b/i.test(text);
}

function refusalOf(text: string, { tokens, names, present, slots, rest }: Said): Understanding | undefined {
  if (isForeign(tokens.map(({ word }) => word), text)) return { kind: 'foreign' };
  // A service may be named like a deed: `run`.
  const what = impossibleIn(text, names.taken.has(0) || REQUEST.test(text));
  if (what !== undefined && !present.has('definition')) return { kind: 'impossible', what };
  const said = slots.time?.kind === 'deployment' ? undefined : unreadableTimeIn(text, rest);
  return said === undefined ? undefined : { kind: 'unreadable', said };
}

function intentOf(intents: readonly Intent[], said: Said, focus: Focus): IntentName | undefined {
  const { present, slots, tokens, isNow } = said;
  const scored = intents.map((intent) => ({ intent, score: scoreOf(intent, present) })).filter(({ score }) => score >= LEAST_SCORE).sort((a, b) => b.score - a.score);
  const serious = scored.find(({ intent }) => intent.isCourtesy !== true);
  const saysMore = slots.services.length > 0 || slots.time !== undefined || slots.operation !== undefined || slots.limit !== undefined || isNow || otherEdgeOf(said, focus) !== undefined;
  if (focus.intent === 'alerts' && isOfAlerts(present, serious?.intent.name)) return 'alerts';
  const isOnlyName = present.has('nameOnly') && serious?.intent.name === 'detail';
  if (serious !== undefined && !(isOnlyName && focus.intent !== undefined)) return serious.intent.name;
  // Something new about what was asked before.
  if (saysMore && focus.intent !== undefined) return focus.intent;
  return serious?.intent.name ?? (slots.time !== undefined && tokens.every(({ word }) => isCommon(word)) ? 'timeline' : scored[0]?.intent.name);
}

/** What only others call sends no traces and logs: of it they are asked for where it was named, not where it was spoken of before. */
function withTelemetry(slots: Slots, said: Said, intent: IntentName | undefined, { dependencies }: Vocabulary): Slots {
  if (said.slots.services.length > 0 || (intent !== 'traces' && intent !== 'logs')) return slots;
  return { ...slots, services: slots.services.filter((name) => !dependencies.includes(name)) };
}

/** "And warnings?", "and resolved ones?" ask for those of what was spoken of. */
function isOfAlerts(present: Said['present'], intent: IntentName | undefined): boolean {
  return (intent === 'logs' && !present.has('logs')) || (intent === 'recovery' && !present.has('over'));
}

function slotsOf(text: string, said: Said, focus: Focus, intent: IntentName | undefined): Slots {
  const edge = otherEdgeOf(said, focus);
  const slots = { ...(edge !== undefined && { edge }), ...withParticulars(text, said, intent) };
  if (focus.intent === undefined && focus.slots.services.length === 0) return slots;
  if (intent === focus.intent && !said.saysWhat) return repeatedWith(slots, focus, said.isNow);
  if (!leansOnFocus(text, said.tokens.length)) return slots;
  const taken = takenUp(inContext(slots, focus, intent), focus, said.isNow);
  const isBetween = (intent === 'comparison' || intent === 'dependencies') && slots.services.length === 1 && refersBack(text);
  return isBetween ? { ...taken, services: [...new Set([...focus.slots.services.slice(0, 1), ...slots.services])] } : taken;
}

/** "And the first?", of those of which the last one was told. */
function otherEdgeOf({ rest }: Said, focus: Focus): Slots['edge'] {
  return focus.slots.edge === undefined ? undefined : edgeIn(rest);
}

/** The name that was chosen among candidates by its place; one that was said in full is understood as ever. */
function chosenAmong(text: string, { intent, slots, candidates }: Focus, { operations }: Vocabulary): Understanding | undefined {
  const chosen = candidates?.[placeIn(text, candidates.length)];
  if (chosen === undefined || intent === undefined) return undefined;
  const isOperation = operations.includes(chosen);
  return { kind: 'understood', intent, slots: isOperation ? { ...slots, operation: chosen } : { ...slots, services: [...slots.services, chosen] } };
}

const ORDINALS = [/^\W*(?:the\s+)?(?:first|1st|former|1)\b/i, /^\W*(?:the\s+)?(?:second|2nd|2)\b/i, /^\W*(?:the\s+)?(?:third|3rd|3)\b/i];

/** -1: no place is spoken of. */
function placeIn(text: string, length: number): number {
  return /^\W*(?:the\s+)?(?:last|latter)(?:\s+one)?\W*$/i.test(text) ? length - 1 : ORDINALS.findIndex((ordinal) => ordinal.test(text));
}

function isPartOfAny(word: string, { services, dependencies, operations, measured }: Vocabulary): boolean {
  return [services, dependencies, operations, measured].some((names) => isPartOf(word, names));
}

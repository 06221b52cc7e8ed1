import { singular } from './closeness.js';
import { isCommon } from './common-words.js';
import { conceptsIn, isKnown } from './concepts.js';
import type { Sign } from './intent.js';
import { isPartOf } from './known-words.js';
import type { Concept } from './lexicon.js';
import { marksIn, measureIn } from './measures.js';
import { namesIn, type NamesFound } from './names.js';
import { operationSaid, operationsIn } from './operations.js';
import { signsOf } from './signs.js';
import type { Slots } from './slots.js';
import { joinedWhereNamed } from './spoken-apart.js';
import { isOutcomeCounted, thingIn } from './things.js';
import { spokenTimes } from './times.js';
import { blanked, tokensOf, type Token } from './tokens.js';
import type { Vocabulary } from './vocabulary.js';

/** What a text says by itself. */
export interface Said {
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

/** Questions are shorter; whatever is longer must not hold the thread that serves. */
const MOST_WORDS = 60;
const LEAST = /\b(?:fastest|quickest|lowest|least|smallest|fewest|quietest|best)\b/i;

/** Figures first, then times, operations and names: each without what came before it. Concepts are what is left. */
export function hear(text: string, vocabulary: Vocabulary, nowMs: number): Said {
  const marks = marksIn(text);
  const { time, baseline, rest, isNow } = spokenTimes(marks.rest, nowMs);
  const written = operationsIn(rest, vocabulary.operations);
  const plain = written.reduce((left, operation) => without(left, operation), rest);
  const tokens = joinedWhereNamed(tokensOf(plain).slice(0, MOST_WORDS), [...vocabulary.services, ...vocabulary.dependencies]);
  const inNames = namesIn(tokens, vocabulary.services, vocabulary.dependencies);
  const spoken = written.length === 0 ? operationSaid(tokens, inNames.taken, vocabulary.operations) : undefined;
  const operations = spoken === undefined ? written : [spoken.operation];
  const names = spoken === undefined ? inNames : { ...inNames, taken: new Set([...inNames.taken, spoken.at]) };
  const { rest: _rest, ...figures } = marks;
  const measure = measureIn(plain);
  const thing = thingIn(tokens, names.taken, vocabulary.operations);
  const slots: Slots = {
    services: names.names, ...figures,
    ...(operations.length === 1 && { operation: operations[0] }),
    ...(time !== undefined && { time }),
    ...(baseline !== undefined && { baseline }),
    ...(measure !== undefined && { measure }),
    ...(LEAST.test(plain) && { isReversed: true }),
    ...(thing?.noun !== undefined && { thing: thing.noun, ...(thing.isBeside === true && { isBeside: true }) }),
  };
  const concepts = conceptsIn(tokens.filter((_, at) => !names.taken.has(at)));
  const isMeasured = tokens.some(({ word }, at) => !names.taken.has(at) && !isCommon(word) && !isKnown(word) && isPartOf(singular(word), vocabulary.measured));
  return { slots, names, operations, tokens, isNow, rest: withoutNames(plain, tokens, names.taken), saysWhat: concepts.size > 0, present: new Set([...concepts, ...signsOf(slots, text, concepts), ...(isMeasured ? ['measured' as const] : []), ...(thing?.isCounted === true && isOutcomeCounted(concepts) ? ['outcomeCounted' as const] : []), ...(thing?.isSlowest === true ? ['oneSlowest' as const] : [])]) };
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

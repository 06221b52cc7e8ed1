import { wordsOf } from '../spoken-names.js';
import type { Lexicon } from './lexicon.js';
import { sayings } from './pronunciation.js';

/** Longer names are never said whole. */
const MOST_WORDS = 8;
/** About ten seconds of speech. PocketSphinx ends over a word of 512. */
const MOST_SOUNDS = 100;

/**
 * How people say the name of a service or operation: `checkout-service` as "checkout service" or "checkout", `payment` as
 * "payment" or "payment service". What is said for certain by another name is left to that one. Empty for what nobody says.
 */
export function nameSayings(names: readonly string[], lexicon: Lexicon): ReadonlyMap<string, readonly string[]> {
  const inWords = new Map(names.map((name) => [name, saidWords(name)]));
  const exact = new Set([...inWords.values()].map((words) => words.join(' ')));
  const all = [...inWords].map(([name, words]): [string, readonly string[]] => {
    const others = variants(words).filter((variant) => !exact.has(variant.join(' ')));
    return [name, [...new Set([words, ...others].flatMap((each) => sayings(each, lexicon)))].filter(isSayable)];
  });
  return new Map(all.filter(([, said]) => said.length > 0));
}

function isSayable(sounds: string): boolean {
  return sounds !== '' && sounds.split(' ').length <= MOST_SOUNDS;
}

function saidWords(name: string): readonly string[] {
  const words = wordsOf(name).map((word) => word.toLowerCase());
  return words.length > MOST_WORDS ? [] : words;
}

function variants(words: readonly string[]): readonly (readonly string[])[] {
  if (words.length === 0) return [];
  const last = words.at(-1)!;
  if (last === 'service' || last === 'svc') return words.length > 1 ? [words.slice(0, -1)] : [];
  return [[...words, 'service']];
}

import { QUESTION_FORMS, SAID_AS, SLOTS } from '../question-forms.js';
import type { Lexicon } from './lexicon.js';
import { nameSayings } from './name-sayings.js';
import { sayings } from './pronunciation.js';

/** What a recogniser needs to know beside the sounds of English. */
export interface Grammar {
  /** In the Java Speech Grammar Format. */
  readonly jsgf: string;
  /** In the format of Sphinx, of every word in the grammar. */
  readonly dictionary: string;
  /** The question as people write it, from the words that the recogniser gives back. */
  written(words: readonly string[]): string;
}

/** More make the recogniser slow; the first are taken. */
export const MOST_NAMES = 300;

/** What may stand for the thing that was spoken of before. Not "that": it fits half of all names. */
const PRONOUNS = ['it', 'this service'];

/**
 * The questions that people may ask of these services and operations. Names come from telemetry, which strangers write: in
 * the grammar each is a word of ours, so that nothing in a name can be part of the grammar.
 */
export function grammarOf(names: readonly string[], lexicon: Lexicon): Grammar {
  const spoken = [...nameSayings([...new Set(names)].slice(0, MOST_NAMES), lexicon)].map(([name, said], i) => ({ name, said, word: `n${i}n` }));
  const rules = { ...SLOTS, SERVICE: [...PRONOUNS, ...spoken.map(({ word }) => word)].join(' | '), question: QUESTION_FORMS.join('\n  | ') };
  const words = new Set(Object.values(SLOTS).concat(QUESTION_FORMS, PRONOUNS).flatMap((form) => form.match(/[a-z0-9]+/g) ?? []));
  const ofWords = [...words].flatMap((word) => entries(word, (SAID_AS[word] ?? [word]).flatMap((said) => sayings(said.split(' '), lexicon))));
  const namesByWord = new Map(spoken.map(({ word, name }) => [word, name]));
  return {
    jsgf: `#JSGF V1.0;\ngrammar questions;\n${Object.entries(rules).map(([name, form]) => ruleOf(name, form)).join('')}`,
    dictionary: [...ofWords, ...spoken.flatMap(({ word, said }) => entries(word, said))].join(''),
    written: (recognised) => recognised.map((word) => namesByWord.get(word) ?? word).join(' '),
  };
}

function ruleOf(name: string, form: string): string {
  return `${name === 'question' ? 'public ' : ''}<${name}> = ${form.replace(/\b[A-Z]{2,}\b/g, '<$&>')};\n`;
}

/** Lines of the dictionary. */
function entries(word: string, said: readonly string[]): readonly string[] {
  return [...new Set(said)].map((phones, i) => `${word}${i === 0 ? '' : `(${i + 1})`} ${phones}\n`);
}

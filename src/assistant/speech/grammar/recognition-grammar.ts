import { FORM_SLOTS, QUESTION_FORMS, SPOKEN_FORMS } from './question-forms.js';
import type { PronunciationDictionary } from './pronunciation-dictionary.js';
import { pronouncePhrase } from './pronunciation.js';
import { splitNameIntoWords } from '../speech-text-normalizer.js';

/** What a recogniser needs to know beside the sounds of English. */
export interface RecognitionGrammar {
  /** In the Java Speech Grammar Format. */
  readonly jsgf: string;
  /** In the format of Sphinx, of every word in the grammar. */
  readonly dictionary: string;
  /** The question as people write it, from the words that the recogniser gives back. */
  toText(words: readonly string[]): string;
}

/** More make the recogniser slow; the first are taken. */
export const MAX_NAMES = 300;

/** What may stand for the thing that was spoken of before. Not "that": it fits half of all names. */
const PRONOUNS = ['it', 'this service'];

/**
 * The questions that people may ask of these services and operations. Names come from telemetry, which strangers write: in
 * the grammar each is a word of ours, so that nothing in a name can be part of the grammar.
 */
export function buildGrammar(names: readonly string[], lexicon: PronunciationDictionary): RecognitionGrammar {
  const spoken = [...pronounceNames([...new Set(names)].slice(0, MAX_NAMES), lexicon)].map(([name, said], i) => ({
    name,
    said,
    word: `n${i}n`,
  }));
  const rules = {
    ...FORM_SLOTS,
    SERVICE: [...PRONOUNS, ...spoken.map(({ word }) => word)].join(' | '),
    question: QUESTION_FORMS.join('\n  | '),
  };
  const words = new Set(
    Object.values(FORM_SLOTS)
      .concat(QUESTION_FORMS, PRONOUNS)
      .flatMap((form) => form.match(/[a-z0-9]+/g) ?? []),
  );
  const ofWords = [...words].flatMap((word) =>
    formatDictionaryEntries(
      word,
      (SPOKEN_FORMS[word] ?? [word]).flatMap((said) => pronouncePhrase(said.split(' '), lexicon)),
    ),
  );
  const namesByWord = new Map(spoken.map(({ word, name }) => [word, name]));
  return {
    jsgf: `#JSGF V1.0;\ngrammar questions;\n${Object.entries(rules)
      .map(([name, form]) => formatRule(name, form))
      .join('')}`,
    dictionary: [...ofWords, ...spoken.flatMap(({ word, said }) => formatDictionaryEntries(word, said))].join(''),
    toText: (recognised) => recognised.map((word) => namesByWord.get(word) ?? word).join(' '),
  };
}

function formatRule(name: string, form: string): string {
  return `${name === 'question' ? 'public ' : ''}<${name}> = ${form.replace(/\b[A-Z]{2,}\b/g, '<$&>')};\n`;
}

/** Lines of the dictionary. */
function formatDictionaryEntries(word: string, said: readonly string[]): readonly string[] {
  return [...new Set(said)].map((phones, i) => `${word}${i === 0 ? '' : `(${i + 1})`} ${phones}\n`);
}

/** Longer names are never said whole. */
const MAX_NAME_WORDS = 8;

/** About ten seconds of speech. PocketSphinx ends over a word of 512. */
const MAX_PHONES = 100;

/**
 * How people say the name of a service or operation: `checkout-service` as "checkout service" or "checkout", `payment` as
 * "payment" or "payment service". What is said for certain by another name is left to that one. Empty for what nobody says.
 */
export function pronounceNames(
  names: readonly string[],
  lexicon: PronunciationDictionary,
): ReadonlyMap<string, readonly string[]> {
  const inWords = new Map(names.map((name) => [name, splitSpokenWords(name)]));
  const exact = new Set([...inWords.values()].map((words) => words.join(' ')));
  const all = [...inWords].map(([name, words]): [string, readonly string[]] => {
    const others = nameVariants(words).filter((variant) => !exact.has(variant.join(' ')));
    return [
      name,
      [...new Set([words, ...others].flatMap((each) => pronouncePhrase(each, lexicon)))].filter(isPronounceable),
    ];
  });
  return new Map(all.filter(([, said]) => said.length > 0));
}

function isPronounceable(sounds: string): boolean {
  return sounds !== '' && sounds.split(' ').length <= MAX_PHONES;
}

function splitSpokenWords(name: string): readonly string[] {
  const words = splitNameIntoWords(name).map((word) => word.toLowerCase());
  return words.length > MAX_NAME_WORDS ? [] : words;
}

function nameVariants(words: readonly string[]): readonly (readonly string[])[] {
  if (words.length === 0) return [];
  const last = words.at(-1)!;
  if (last === 'service' || last === 'svc') return words.length > 1 ? [words.slice(0, -1)] : [];
  return [[...words, 'service']];
}

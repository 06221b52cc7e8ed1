import { FORM_SLOTS, QUESTION_FORMS, SPOKEN_FORMS } from './question-forms.js';
import type { PronunciationDictionary } from './pronunciation-dictionary.js';
import { pronouncePhrase } from './pronunciation.js';
import { splitNameIntoWords } from '../speech-text-normalizer.js';

/** What the recognizer needs beside the acoustic model. */
export interface RecognitionGrammar {
  /** In Java Speech Grammar Format. */
  readonly jsgf: string;
  /** In Sphinx format, with every word of the grammar. */
  readonly dictionary: string;
  /** Converts recognized words to the written question. */
  toText(words: readonly string[]): string;
}

/** More names slow down recognition; the first ones are used. */
export const MAX_NAMES = 300;

/** Words for the subject of the previous question. Not "that", which sounds like half of all names. */
const PRONOUNS = ['it', 'this service'];

/**
 * Builds a grammar of questions about these services and operations. Names come from telemetry and are untrusted, so
 * each is replaced by a generated word that cannot contain grammar syntax.
 */
export function buildGrammar(names: readonly string[], lexicon: PronunciationDictionary): RecognitionGrammar {
  const entries = [...pronounceNames([...new Set(names)].slice(0, MAX_NAMES), lexicon)].map(
    ([name, pronunciations], i) => ({
      name,
      pronunciations,
      word: `n${i}n`,
    }),
  );
  const rules = {
    ...FORM_SLOTS,
    SERVICE: [...PRONOUNS, ...entries.map(({ word }) => word)].join(' | '),
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
      (SPOKEN_FORMS[word] ?? [word]).flatMap((pronunciations) => pronouncePhrase(pronunciations.split(' '), lexicon)),
    ),
  );
  const namesByWord = new Map(entries.map(({ word, name }) => [word, name]));
  return {
    jsgf: `#JSGF V1.0;\ngrammar questions;\n${Object.entries(rules)
      .map(([name, form]) => formatRule(name, form))
      .join('')}`,
    dictionary: [
      ...ofWords,
      ...entries.flatMap(({ word, pronunciations }) => formatDictionaryEntries(word, pronunciations)),
    ].join(''),
    toText: (recognised) => recognised.map((word) => namesByWord.get(word) ?? word).join(' '),
  };
}

function formatRule(name: string, form: string): string {
  return `${name === 'question' ? 'public ' : ''}<${name}> = ${form.replace(/\b[A-Z]{2,}\b/g, '<$&>')};\n`;
}

/** Dictionary lines. */
function formatDictionaryEntries(word: string, pronunciations: readonly string[]): readonly string[] {
  return [...new Set(pronunciations)].map((phones, i) => `${word}${i === 0 ? '' : `(${i + 1})`} ${phones}\n`);
}

/** Nobody pronounces longer names in full. */
const MAX_NAME_WORDS = 8;

/** About ten seconds of speech. PocketSphinx crashes with a word of 512 phones. */
const MAX_PHONES = 100;

/**
 * Pronunciations of service and operation names: `checkout-service` as "checkout service" or "checkout", `payment` as
 * "payment" or "payment service". A variant that is another name in full belongs to that one. Empty for names that
 * cannot be pronounced.
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
  return new Map(all.filter(([, pronunciations]) => pronunciations.length > 0));
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

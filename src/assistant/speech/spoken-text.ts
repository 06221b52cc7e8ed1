import { spokenMoments } from './spoken-moments.js';
import { spokenNames } from './spoken-names.js';
import { spokenQuantities } from './spoken-quantities.js';

/**
 * Text without anything that an engine would interpret: control characters, marks of phonemes and of SSML. What stays is read
 * as it stands, in any language.
 */
export function plainText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, ' ')
    .replace(/\[\[+|\]\]+|[<>]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** How an English speaker says what the assistant writes: names, figures, units, times and marks of Markdown. */
export function spokenText(text: string): string {
  return plainText(withoutMarks(spokenNames(spokenQuantities(spokenMoments(withoutMarkup(text))))));
}

/** Links keep their text, lines of lists become sentences. */
function withoutMarkup(text: string): string {
  return text
    .replace(/!?\[([^\][]*)\]\([^)]*\)/g, '$1')
    .replace(/\bhttps?:\/\/([^\s/]+)\S*/gi, (_, host: string) => host.replaceAll('.', ' dot '))
    .replace(/^\s*(?:[-*•]|\d+\.|#+)\s+/gm, '')
    .replace(/([^\s.!?:;,])[ \t]*\n+/g, '$1. ')
    .replace(/```|[*`|~]|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, ' ');
}

const SYMBOLS: readonly (readonly [RegExp, string])[] = [
  [/→|->|=>/g, ' to '],
  [/≥|>=/g, ' at least '],
  [/≤|<=/g, ' at most '],
  [/>/g, ' more than '],
  [/</g, ' less than '],
  [/[≈~]/g, ' about '],
  [/×/g, ' times '],
  [/&/g, ' and '],
  [/=/g, ' equals '],
];

/** Signs that carry a meaning between words become words; pictures and the rest of what cannot be said are left out. */
function withoutMarks(text: string): string {
  const words = SYMBOLS.reduce((said, [sign, word]) => said.replace(sign, word), text);
  return words.replace(/[\p{So}\p{Sk}\\^{}"“”]/gu, ' ').replace(/\s+([.,;:!?])/g, '$1');
}

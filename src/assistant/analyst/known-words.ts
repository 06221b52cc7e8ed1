import { singular } from './closeness.js';
import { partsOf } from './tokens.js';

/** Names that hold the text, in any case: the few that are worth a closer look. */
export function namesWith(text: string, names: readonly string[]): string[] {
  return names.filter((name) => name.toLowerCase().includes(text));
}

/** Whether a word, in the singular, is a part of one of the names. */
export function isPartOf(word: string, names: readonly string[]): boolean {
  return namesWith(word, names).some((name) => partsOf(name).some((part) => singular(part) === word));
}

export interface WordToken {
  /** Lower case, without apostrophes. */
  readonly word: string;
  /** Offsets in the text. */
  readonly from: number;
  readonly to: number;
}

/** Words of letters and digits; separators of names (`-`, `_`, `.`, `/`) also separate words. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’]*/gu;

const CONTRACTIONS = /^(?:what|how|who|where|when|why|it|that|there|here|let)'s$/;

export function tokenize(text: string): WordToken[] {
  return [...text.matchAll(WORD)].map(({ 0: found, index }) => ({
    word: normalizeWord(found),
    from: index,
    to: index + found.length,
  }));
}

/** "The database's" becomes "database"; "what's" becomes "whats". */
function normalizeWord(found: string): string {
  const word = found.toLowerCase().replace(/’/g, "'");
  return (CONTRACTIONS.test(word) ? word : word.replace(/'s$/, '')).replace(/'/g, '');
}

/** Words of an identifier: `paymentGateway.v2` is payment, gateway, v2. */
export function splitIdentifier(name: string): string[] {
  const separated = name.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  return tokenize(separated).map(({ word }) => word);
}

/** Replaces a part of the text by blanks, so that offsets stay valid. */
export function blankOut(text: string, from: number, to: number): string {
  return text.slice(0, from) + ' '.repeat(to - from) + text.slice(to);
}

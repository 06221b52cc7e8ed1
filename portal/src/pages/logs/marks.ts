export interface Piece {
  readonly text: string;
  readonly isHit: boolean;
}

const TERMS = /"([^"]*)"?|(\S+)/g;
/** More marks than these in one text help nobody. */
const MOST = 200;

/** All rows of a list are marked by the same words; the pattern is dear to make. */
let lastWords = '';
let lastPattern: RegExp | undefined;

/** The text in pieces, those apart that the search words found. The pieces make up the whole text. */
export function marked(text: string, words: string): readonly Piece[] {
  if (words !== lastWords) [lastWords, lastPattern] = [words, patternOf(words)];
  if (lastPattern === undefined) return [{ text, isHit: false }];
  const pieces: Piece[] = [];
  let at = 0;
  for (const { index, 0: hit } of text.matchAll(lastPattern)) {
    if (hit === '' || pieces.length >= MOST) continue;
    if (index > at) pieces.push({ text: text.slice(at, index), isHit: false });
    pieces.push({ text: hit, isHit: true });
    at = index + hit.length;
  }
  if (at < text.length || pieces.length === 0) pieces.push({ text: text.slice(at), isHit: false });
  return pieces;
}

function patternOf(words: string): RegExp | undefined {
  const terms = [...words.matchAll(TERMS)]
    .map(([, phrase, word]) => sourceOf(phrase ?? word ?? ''))
    .filter((source) => source !== '');
  return terms.length === 0 ? undefined : new RegExp(`(?<![\\p{L}\\p{N}])(?:${terms.join('|')})`, 'giu');
}

/** Whole words, whatever stands between those of a phrase; `*` at the end leaves the end open. */
function sourceOf(term: string): string {
  const isPrefix = term.endsWith('*');
  const parts = term.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (parts.length === 0) return '';
  return `${parts.join('[^\\p{L}\\p{N}]+')}${isPrefix ? '[\\p{L}\\p{N}]*' : '(?![\\p{L}\\p{N}])'}`;
}

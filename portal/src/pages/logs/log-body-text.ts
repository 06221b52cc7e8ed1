export interface TextSegment {
  readonly text: string;
  readonly isHit: boolean;
}

const TERM_PATTERN = /"([^"]*)"?|(\S+)/g;
/** More marks than these in one text help nobody. */
const MAX_HIGHLIGHTS = 200;

/** All rows of a list are marked by the same words; the pattern is dear to make. */
let cachedWords = '';
let cachedPattern: RegExp | undefined;

/** The text in pieces, those apart that the search words found. The pieces make up the whole text. */
export function highlightWords(text: string, words: string): readonly TextSegment[] {
  if (words !== cachedWords) [cachedWords, cachedPattern] = [words, buildPattern(words)];
  if (cachedPattern === undefined) return [{ text, isHit: false }];
  const pieces: TextSegment[] = [];
  let at = 0;
  for (const { index, 0: hit } of text.matchAll(cachedPattern)) {
    if (hit === '' || pieces.length >= MAX_HIGHLIGHTS) continue;
    if (index > at) pieces.push({ text: text.slice(at, index), isHit: false });
    pieces.push({ text: hit, isHit: true });
    at = index + hit.length;
  }
  if (at < text.length || pieces.length === 0) pieces.push({ text: text.slice(at), isHit: false });
  return pieces;
}

function buildPattern(words: string): RegExp | undefined {
  const terms = [...words.matchAll(TERM_PATTERN)]
    .map(([, phrase, word]) => buildTermSource(phrase ?? word ?? ''))
    .filter((source) => source !== '');
  return terms.length === 0 ? undefined : new RegExp(`(?<![\\p{L}\\p{N}])(?:${terms.join('|')})`, 'giu');
}

/** Whole words, whatever stands between those of a phrase; `*` at the end leaves the end open. */
function buildTermSource(term: string): string {
  const isPrefix = term.endsWith('*');
  const parts = term.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (parts.length === 0) return '';
  return `${parts.join('[^\\p{L}\\p{N}]+')}${isPrefix ? '[\\p{L}\\p{N}]*' : '(?![\\p{L}\\p{N}])'}`;
}

/** JSON objects and lists over several lines; undefined for any other text. */
export function formatJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // A text that only begins like JSON is shown as it is.
    return undefined;
  }
}

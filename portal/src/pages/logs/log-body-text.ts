export interface TextSegment {
  readonly text: string;
  readonly isHit: boolean;
}

const TERM_PATTERN = /"([^"]*)"?|(\S+)/g;
/** Most highlights per text. */
const MAX_HIGHLIGHTS = 200;

/** The pattern of the last words: all rows of a list use the same one, and compiling it is expensive. */
let cachedWords = '';
let cachedPattern: RegExp | undefined;

/** Splits a text into segments that match the search words and those that do not. */
export function highlightWords(text: string, words: string): readonly TextSegment[] {
  if (words !== cachedWords) [cachedWords, cachedPattern] = [words, buildPattern(words)];
  if (cachedPattern === undefined) return [{ text, isHit: false }];
  const segments: TextSegment[] = [];
  let at = 0;
  for (const { index, 0: hit } of text.matchAll(cachedPattern)) {
    if (hit === '' || segments.length >= MAX_HIGHLIGHTS) continue;
    if (index > at) segments.push({ text: text.slice(at, index), isHit: false });
    segments.push({ text: hit, isHit: true });
    at = index + hit.length;
  }
  if (at < text.length || segments.length === 0) segments.push({ text: text.slice(at), isHit: false });
  return segments;
}

function buildPattern(words: string): RegExp | undefined {
  const terms = [...words.matchAll(TERM_PATTERN)]
    .map(([, phrase, word]) => buildTermSource(phrase ?? word ?? ''))
    .filter((source) => source !== '');
  return terms.length === 0 ? undefined : new RegExp(`(?<![\\p{L}\\p{N}])(?:${terms.join('|')})`, 'giu');
}

/** Pattern of a term: whole words, with any separators between those of a phrase; a trailing `*` matches prefixes. */
function buildTermSource(term: string): string {
  const isPrefix = term.endsWith('*');
  const parts = term.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (parts.length === 0) return '';
  return `${parts.join('[^\\p{L}\\p{N}]+')}${isPrefix ? '[\\p{L}\\p{N}]*' : '(?![\\p{L}\\p{N}])'}`;
}

/** Indented JSON of an object or array; undefined for any other text. */
export function formatJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Not valid JSON: shown as it is.
    return undefined;
  }
}

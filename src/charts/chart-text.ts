/** Labels come from telemetry, so they may contain any text. */

/** More than fits into any picture, and little enough to process. */
const MAX_CHARACTERS = 256;
const ELLIPSIS = '…';

/**
 * Control characters, line separators and white space become spaces; invisible and bidirectional control characters
 * are removed.
 */
const SPACES = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;
const INVISIBLE =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** Stacked combining marks would reach into the lines above. */
const EXCESS_COMBINING_MARKS = /(\p{M}{2})\p{M}+/gu;

/** One line of at most MAX_CHARACTERS without misleading characters. */
export function sanitizeText(text: string): string {
  const start = text
    .slice(0, 4 * MAX_CHARACTERS)
    .replace(INVISIBLE, '')
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(EXCESS_COMBINING_MARKS, '$1')
    .replace(SPACES, ' ')
    .trim();
  const characters = [...start];
  return characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS - 1).join('')}${ELLIPSIS}` : start;
}

/** Advance widths of Inter 400 in hundredths of the font size, for printable ASCII from the space on. */
const WIDTHS = [
  28, 29, 47, 63, 64, 98, 64, 30, 36, 36, 50, 66, 29, 46, 29, 36, 63, 41, 61, 62, 65, 59, 62, 57, 62, 62, 29, 30, 66,
  66, 66, 51, 97, 69, 65, 73, 72, 60, 59, 75, 74, 27, 57, 67, 57, 90, 75, 76, 64, 76, 64, 64, 65, 74, 69, 99, 68, 68,
  63, 36, 36, 36, 47, 46, 32, 56, 61, 57, 61, 58, 37, 61, 59, 24, 24, 55, 24, 88, 59, 60, 61, 61, 38, 53, 33, 59, 56,
  82, 55, 56, 55, 43, 33, 43, 66,
];
const OTHER_WIDTH = 68;
const WIDE_WIDTH = 100;
/**
 * Zero-width marks: inherited script (accents) and Cyrillic. Marks of other scripts are drawn as boxes if no
 * installed font has them, so they count with full width.
 */
const COMBINING_MARKS = /(?=\p{M})[\p{Script=Inherited}\p{Script=Cyrillic}]/u;
/** Tolerance, so that a text fits into its own computed width. */
const ROUNDING = 1e-6;

function characterWidth(character: string): number {
  const code = character.codePointAt(0)!;
  if (code < 0x7f) return WIDTHS[code - 0x20] ?? 0;
  if (COMBINING_MARKS.test(character)) return 0;
  return code >= 0x1100 ? WIDE_WIDTH : OTHER_WIDTH;
}

/** Width of bold text relative to regular text. */
export const BOLD_WIDTH_FACTOR = 1.03;

/** Width in pixels in Inter; for other scripts an upper estimate. */
export function textWidth(text: string, size: number): number {
  let hundredths = 0;
  for (const character of text) hundredths += characterWidth(character);
  return (hundredths * size) / 100;
}

/** Truncates the end of the text so that it fits. */
export function truncateEnd(text: string, width: number, size: number): string {
  if (textWidth(text, size) <= width + ROUNDING) return text;
  return `${takeFitting([...text], width - textWidth(ELLIPSIS, size), size)
    .join('')
    .trimEnd()}${ELLIPSIS}`;
}

/** Truncates the middle of the text so that it fits: names of instances and routes differ at their ends. */
export function truncateMiddle(text: string, width: number, size: number): string {
  if (textWidth(text, size) <= width + ROUNDING) return text;
  const characters = [...text];
  const left = width - textWidth(ELLIPSIS, size);
  const head = takeFitting(characters, left * 0.6, size).join('');
  const tail = takeFitting(characters.toReversed(), left - textWidth(head, size), size)
    .reverse()
    .join('');
  return `${head.trimEnd()}${ELLIPSIS}${tail.trimStart()}`;
}

function takeFitting(characters: readonly string[], width: number, size: number): string[] {
  let left = width;
  const end = characters.findIndex((character) => (left -= textWidth(character, size)) < 0);
  return characters.slice(0, end < 0 ? characters.length : end);
}

/** Wraps text between words; what does not fit into `maxLines` is truncated. */
export function wrapText(text: string, width: number, size: number, maxLines: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && textWidth(longer, size) <= width) lines[lines.length - 1] = longer;
    else if (lines.length < maxLines) lines.push(word);
    else lines[maxLines - 1] = longer;
  }
  return lines.map((line) => truncateEnd(line, width, size));
}

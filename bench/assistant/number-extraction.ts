/** Units that change what a number means; "" for all others. */
export type Unit =
  '' | '%' | 'ms' | 's' | 'min' | 'h' | 'd' | 'x' | 'kB' | 'MB' | 'GB' | 'KiB' | 'MiB' | 'GiB' | 'k' | '/s' | '/min';

/** A number printed in an answer. */
export interface PrintedNumber {
  readonly text: string;
  readonly value: number;
  /** Half a unit of the last significant digit: the rounding error. */
  readonly slack: number;
  readonly unit: Unit;
  /** All text before it, and a few words after it. */
  readonly before: string;
  readonly after: string;
}

/** Words with digits, such as ids, versions, paths, `p95`, times and dates, which are not numbers. */
export interface PrintedWords {
  readonly clocks: readonly string[];
  readonly dates: readonly string[];
  readonly names: readonly string[];
}

const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*';
const DATE = new RegExp(
  `\\d{4}-\\d{2}-\\d{2}|\\b\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}\\b(?: \\d{4}\\b)?|\\b${MONTH} \\d{1,2}\\b(?:, \\d{4}\\b)?`,
  'g',
);
const CLOCK = /(?<![\d:.])\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?!\d|:\d)/g;
/** A letter and a digit in one word, or two points between digits; a number with its unit is none. */
const NAME = /(?<![\w.,])(?=[\w./:@-]*\d)(?:\d+\.\d+\.\d+[\w.-]*|[\w./:@-]*[A-Za-z_][\w./:@-]*)/g;
const UNIT_WORDS = 'ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|x|[kMG]B|[KMG]iB|k';
const WITH_UNIT = new RegExp(`^[+-]?\\d[\\d,]*(?:\\.\\d+)?-?(?:${UNIT_WORDS}|th|st|nd|rd)(?:/s)?[.:-]?$`);
const NUMBER = new RegExp(
  `([+\\-−]?)(\\d{1,3}(?:,\\d{3})+|\\d+)(\\.\\d+)?(?:[ \\u00a0-]?(%|percent\\b|×|times\\b|fold\\b|(?:${UNIT_WORDS})(?![\\w])))?((?: ?(?:requests?|req|logs?|calls?|orders?)? ?(?:/ ?|a |per )(?:min|sec|s\\b))?)`,
  'g',
);
const NUMBER_WORDS: readonly string[] = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];

/** Extracts the numbers of a text, including number words, without list markers, times and words with digits. */
export function extractNumbers(text: string): PrintedNumber[] {
  const plain = removeListMarkers(text)
    .replace(DATE, blankOut)
    .replace(CLOCK, blankOut)
    .replace(NAME, (word) => (WITH_UNIT.test(word) ? word : blankOut(word)));
  return [...extractDigitNumbers(plain), ...extractNumberWords(plain)];
}

export function extractWordsWithDigits(text: string): PrintedWords {
  const dates = text.match(DATE) ?? [];
  const rest = text.replace(DATE, ' ').replace(/\b[Tt](?=\d{2}:)|(?<=\d)Z\b/g, ' ');
  const clocks = rest.match(CLOCK) ?? [];
  const names = (rest.replace(CLOCK, ' ').match(NAME) ?? [])
    .filter((word) => !WITH_UNIT.test(word))
    .map((word) => word.replace(/[.:/-]+$/, ''));
  return { clocks, dates, names };
}

function extractDigitNumbers(plain: string): PrintedNumber[] {
  return [...plain.matchAll(NUMBER)].map((match) => {
    const [text, sign, whole, decimals = '', unit = '', rate = ''] = match;
    const value = Number(whole.replaceAll(',', '') + decimals) * (sign === '' || sign === '+' ? 1 : -1);
    return {
      text: text.trim(),
      value,
      slack: roundingTolerance(whole.replaceAll(',', ''), decimals),
      unit: rate === '' ? parseUnit(unit) : rate.endsWith('min') ? '/min' : '/s',
      before: plain.slice(0, match.index),
      after: plain.slice(match.index + text.length, match.index + text.length + 24),
    };
  });
}

/** `one` has too many other meanings. */
function extractNumberWords(plain: string): PrintedNumber[] {
  const pattern = new RegExp(
    `\\b(${NUMBER_WORDS.filter((word) => word !== 'one').join('|')})\\b(?: (minutes?|hours?|days?|seconds?|times)\\b)?`,
    'gi',
  );
  return [...plain.matchAll(pattern)].map((match) => ({
    text: match[0],
    value: NUMBER_WORDS.indexOf(match[1].toLowerCase()),
    slack: 0,
    unit: parseUnit(match[2] ?? ''),
    before: plain.slice(0, match.index),
    after: plain.slice(match.index + match[0].length, match.index + match[0].length + 24),
  }));
}

/** At least three digits are significant: 1,340 may be 1,343.35, but 1,300 may not. */
function roundingTolerance(whole: string, decimals: string): number {
  if (decimals !== '') return 0.5 * 10 ** -(decimals.length - 1) * (1 + 1e-9);
  const significant = Math.max(3, whole.replace(/0+$/, '').length);
  return 0.5 * 10 ** Math.max(0, whole.length - significant) * (1 + 1e-9);
}

function parseUnit(word: string): Unit {
  if (/^(?:%|percent)$/.test(word)) return '%';
  if (/^(?:×|x|times|fold)$/.test(word)) return 'x';
  if (/^(?:ms|milli)/.test(word)) return 'ms';
  if (/^s(?:ec|$)/.test(word)) return 's';
  if (/^m(?:in|$)/.test(word)) return 'min';
  if (/^h/.test(word)) return 'h';
  if (/^d/.test(word)) return 'd';
  return (['kB', 'MB', 'GB', 'KiB', 'MiB', 'GiB', 'k'] as const).find((unit) => unit === word) ?? '';
}

/** List markers: 1., 2., 3. or 1), 2). */
function removeListMarkers(text: string): string {
  let next = 1;
  return text.replace(/^(\s*)(\d+)([.)])(?=\s)/gm, (marker, indent: string, count: string, point: string) => {
    if (Number(count) === 1) next = 1;
    if (Number(count) !== next) return marker;
    next++;
    return indent + blankOut(count + point);
  });
}

function blankOut(text: string): string {
  return ' '.repeat(text.length);
}

import { splitIdentifier } from '../lexicon/tokenizer.js';
import { singularize } from '../lexicon/word-matching.js';
import { MARK, type MarkedText, type NumberBound } from './marked-text.js';

/**
 * Adjectives that say a dimension, and what keys of attributes call it: the heaviest parcel has the highest
 * `parcel.weight`.
 */
const MAGNITUDES: readonly Magnitude[] = [
  { high: 'heav(?:ier|iest)', low: 'light(?:er|est)', keys: ['weight', 'mass'] },
  { high: '(?:large|bigge|greate)(?:r|st)', low: 'small(?:er|est)', keys: ['size', 'amount', 'total', 'value'] },
  { high: '(?:more|most)\\s+expensive|costli(?:er|est)', low: 'cheap(?:er|est)', keys: ['price', 'cost', 'amount'] },
  { high: 'old(?:er|est)', low: 'young(?:er|est)', keys: ['age'] },
  { high: 'deep(?:er|est)', low: 'shallow(?:er|est)', keys: ['depth'] },
  { high: 'hott(?:er|est)', low: 'cold(?:er|est)', keys: ['temperature'] },
];

interface Magnitude {
  readonly high: string;
  readonly low: string;
  /** Last words of keys. */
  readonly keys: readonly string[];
}

const SUPERLATIVE = /(?:est|^(?:most|least)\s.*)$/i;
/** The unit of an attribute is not known, so a number with one is no bound of it. */
const UNITS =
  'm?g|kg|t|oz|lbs?|grams?|kilos?|kilograms?|tons?|pounds?|eur|usd|gbp|euros?|dollars?|[kmgt]?i?b|bytes?|m?s|ms|seconds?|minutes?|hours?|days?|years?';
const NOUNS = String.raw`(?<words>[a-z]+(?:\s+[a-z]+){0,2})`;
const LINK = String.raw`(?:\s+(?:that|which|was|were|is|are))*`;

/** "The heaviest parcel", "parcels heavier than 5000", where one attribute of the noun has the dimension. */
export function readMagnitudes(text: MarkedText, keys: readonly string[]): void {
  let isMean = false;
  for (const { high, low, keys: endings } of MAGNITUDES) {
    const own = keys.filter((key) => endings.includes(splitIdentifier(key).at(-1) ?? ''));
    if (own.length === 0) continue;
    text.take(
      new RegExp(String.raw`\b(?:(?<high>${high})|(?<low>${low}))(?!\s+than\b)\s+${NOUNS}`, 'gi'),
      ({ high: most, low: least, words = '' }) => {
        const found = findKey(words.split(/\s+/), own);
        if (found === undefined || !SUPERLATIVE.test(most ?? least ?? '')) return undefined;
        return `${text.mark('measure', { fn: most === undefined ? 'min' : 'max', field: found.key })} ${found.rest}`;
      },
    );
    // "Does a get heavier parcels than b on average": the means are compared.
    text.take(
      new RegExp(String.raw`\b(?:(?<high>${high})|(?<low>${low}))\s+(?<noun>[a-z]+)(?=\s+than\s+[^\d\s])`, 'gi'),
      ({ noun = '' }) => {
        const found = findKey([noun], own);
        if (found === undefined) return undefined;
        isMean = true;
        return `${text.mark('measure', { fn: 'avg', field: found.key })} higher`;
      },
    );
    text.take(
      new RegExp(
        String.raw`\b(?<noun>[a-z]+)${LINK}\s+(?:(?<high>${high})|(?<low>${low}))\s+than\s+(?<amount>\d+(?:\.\d+)?)(?![\w.,%])(?!\s*(?:${UNITS})\b)`,
        'gi',
      ),
      ({ noun = '', high: more, amount = '' }) => {
        const found = findKey([noun], own);
        return found === undefined
          ? undefined
          : text.mark('condition', {
              kind: 'compare',
              field: found.key,
              sign: more === undefined ? '<' : '>',
              value: amount,
            });
      },
    );
  }
  if (isMean) text.take(/\bon\s+average\b/gi, () => ' ');
}

/** "3 retries", "more than 2 retries", where `retry.count` says how many. */
export function readCountedThings(text: MarkedText, keys: readonly string[]): void {
  for (const key of keys) {
    const [last, thing, ...others] = splitIdentifier(key).reverse();
    if (last !== 'count' || thing === undefined || others.length > 1) continue;
    const things = String.raw`\b(?:${thing}|${thing.replace(/y$/, 'ie')}s)\b`;
    text.take(new RegExp(String.raw`(?<bound>${MARK.bound})\s*${things}`, 'gi'), ({ bound = '' }) => {
      const { bounds, unit, noun } = text.get('bound', bound);
      return unit === '' && noun === undefined ? boundMarks(text, key, bounds) : undefined;
    });
    text.take(
      new RegExp(String.raw`(?<![\w.:])(?<amount>\d{1,6}|no|zero|${NUMBERS.join('|')})\s+${things}`, 'gi'),
      ({ amount = '' }) => {
        const at = NUMBERS.indexOf(amount.toLowerCase());
        const count = at >= 0 ? at + 1 : /^\d/.test(amount) ? Number(amount) : 0;
        return text.mark('condition', { kind: 'in', field: key, values: [String(count)] });
      },
    );
  }
}

const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** "Invoices over 900": the only amount, price or weight that the thing has is what is bounded. */
export function readBoundsOfThings(text: MarkedText, keys: readonly string[]): void {
  text.take(
    new RegExp(
      String.raw`(?<noun>\b[a-z]{3,})\s+(?:of\s+|worth\s+|that\s+(?:are|were)\s+)?(?<bound>${MARK.bound})`,
      'gi',
    ),
    ({ noun = '', bound = '' }) => {
      const { bounds, unit, noun: counted } = text.get('bound', bound);
      const [key, ...others] = keys.filter((each) => {
        const parts = splitIdentifier(each);
        return (
          parts.length > 1 &&
          QUANTITY.test(parts.at(-1) ?? '') &&
          parts.slice(0, -1).includes(singularize(noun.toLowerCase()))
        );
      });
      if (key === undefined || others.length > 0 || unit !== '' || counted !== undefined) return undefined;
      return `${noun} ${boundMarks(text, key, bounds)}`;
    },
  );
}

/** Last words of keys whose values are numbers of no thing. */
const QUANTITY = /^(?:amount|price|cost|total|value|weight|mass|volume|quantity)$/;

function boundMarks(text: MarkedText, key: string, bounds: NumberBound['bounds']): string {
  return bounds
    .map(({ sign, amount }) =>
      sign === '='
        ? text.mark('condition', { kind: 'in', field: key, values: [String(amount)] })
        : text.mark('condition', { kind: 'compare', field: key, sign, value: String(amount) }),
    )
    .join(' ');
}

/** The only key that has the first words, and the words that it does not have. */
function findKey(
  words: readonly string[],
  keys: readonly string[],
): { readonly key: string; readonly rest: string } | undefined {
  const has = (key: string, word: string): boolean => splitIdentifier(key).includes(singularize(word.toLowerCase()));
  const [key, ...others] = keys.filter((each) => has(each, words[0]));
  if (key === undefined || others.length > 0) return undefined;
  const end = words.findIndex((word) => !has(key, word));
  return { key, rest: end < 0 ? '' : words.slice(end).join(' ') };
}

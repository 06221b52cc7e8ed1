import { removeQueries } from '../api-query.js';

/**
 * Removes everything that an engine would interpret: control characters, phoneme and SSML markup. The rest is read as
 * it is, in any language.
 */
export function removeSynthesisMarkup(text: string): string {
  return removeQueries(text)
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, ' ')
    .replace(/\[\[+|\]\]+|[<>]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Rewrites the assistant's text as it is spoken in English: names, figures, units, times and Markdown. */
export function normalizeForSpeech(text: string): string {
  return removeSynthesisMarkup(
    replaceSymbols(normalizeNames(normalizeQuantities(normalizeTimes(removeMarkdown(removeQueries(text)))))),
  );
}

/** Links keep their text, list items become sentences. */
function removeMarkdown(text: string): string {
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

/** Replaces symbols with a meaning by words; removes emoji and other unpronounceable characters. */
function replaceSymbols(text: string): string {
  const words = SYMBOLS.reduce((spoken, [sign, word]) => spoken.replace(sign, word), text);
  return words.replace(/[\p{So}\p{Sk}\\^{}"“”]/gu, ' ').replace(/\s+([.,;:!?])/g, '$1');
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Dates and times as spoken: `2026-11-20T14:05:30Z` is "November 20, 14 oh 5 and 30 seconds UTC". */
function normalizeTimes(text: string): string {
  return text
    .replace(
      /\b\d{4}-(0[1-9]|1[0-2])-(\d\d)(?:[T ](?=\d\d:\d\d)|(?![\w-]))/g,
      (matched, month: string, day: string) =>
        `${MONTHS[Number(month) - 1]} ${Number(day)}${/[T ]$/.test(matched) ? ', ' : ''}`,
    )
    .replace(
      /\b([01]?\d|2[0-4]):([0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?(Z\b|\s?[+-]00:?00\b)?(?![\d:])/g,
      (_, hour: string, minute: string, second: string | undefined, zone: string | undefined) =>
        `${formatTimeOfDay(Number(hour), Number(minute), Number(second ?? 0))}${zone === undefined ? '' : ' UTC'}`,
    );
}

function formatTimeOfDay(hour: number, minute: number, second: number): string {
  const clock = minute === 0 ? `${hour} o'clock` : minute < 10 ? `${hour} oh ${minute}` : `${hour} ${minute}`;
  return second === 0 ? clock : `${clock} and ${second} ${second === 1 ? 'second' : 'seconds'}`;
}

/** Singular and plural of each unit symbol. */
const UNITS: Readonly<Record<string, readonly [string, string]>> = {
  ns: ['nanosecond', 'nanoseconds'],
  µs: ['microsecond', 'microseconds'],
  us: ['microsecond', 'microseconds'],
  ms: ['millisecond', 'milliseconds'],
  s: ['second', 'seconds'],
  sec: ['second', 'seconds'],
  min: ['minute', 'minutes'],
  m: ['minute', 'minutes'],
  h: ['hour', 'hours'],
  d: ['day', 'days'],
  B: ['byte', 'bytes'],
  kB: ['kilobyte', 'kilobytes'],
  KB: ['kilobyte', 'kilobytes'],
  KiB: ['kibibyte', 'kibibytes'],
  MB: ['megabyte', 'megabytes'],
  MiB: ['mebibyte', 'mebibytes'],
  GB: ['gigabyte', 'gigabytes'],
  GiB: ['gibibyte', 'gibibytes'],
  k: ['thousand', 'thousand'],
  K: ['thousand', 'thousand'],
  M: ['million', 'million'],
  req: ['request', 'requests'],
  x: ['times', 'times'],
  '×': ['times', 'times'],
  '%': ['percent', 'percent'],
};

const NUMBER = String.raw`\d+(?:,\d{3})*(?:\.\d+)?`;
const SEPARATE = Object.keys(UNITS)
  .sort((a, b) => b.length - a.length)
  .join('|');
const QUANTITY = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.])([+\-−])?(${NUMBER})(\s?)(${SEPARATE})?(/s|/min|/h|\sper\s(?:second|minute|hour))?(?![\p{L}\p{N}_%]|[.,]\d)`,
  'gu',
);
const RATES: Readonly<Record<string, string>> = { '/s': ' per second', '/min': ' per minute', '/h': ' per hour' };

/** Figures with units: `p95 is 2,300 ms (+145%)` is "p 95 is 2,300 milliseconds (plus 145 percent)". */
function normalizeQuantities(text: string): string {
  return text
    .replace(/\b[pP](50|75|90|95|99|999)\b/g, 'p $1')
    .replace(new RegExp(String.raw`(?<![\p{L}\p{N}.-])(${NUMBER})\s?[–-]\s?(?=${NUMBER}(?![\d-]))`, 'gu'), '$1 to ')
    .replace(QUANTITY, expandQuantity)
    .replace(/\breqs?\/(s|min|h)\b/g, (_, per: string) => `requests${RATES[`/${per}`]}`)
    .replace(/\b(?:rps|RPS)\b/g, 'requests per second')
    .replace(/\s?%/g, ' percent');
}

function expandQuantity(
  _: string,
  sign: string | undefined,
  amount: string,
  gap: string,
  unit: string | undefined,
  rate: string | undefined,
): string {
  const words = [formatSign(sign), amount].filter(Boolean).join(' ');
  const [one, several] = unit === undefined ? ['', ''] : UNITS[unit];
  const named = unit === undefined ? words + gap : `${words} ${amount === '1' ? one : several}`;
  return named + (rate === undefined ? '' : (RATES[rate] ?? rate));
}

function formatSign(sign: string | undefined): string {
  return sign === undefined ? '' : sign === '+' ? 'plus' : 'minus';
}

/** Parts of names that are spelled; others are read as words. */
const SPELLED_PARTS = new Set([
  'db',
  'id',
  'api',
  'sql',
  'http',
  'https',
  'grpc',
  'url',
  'uri',
  'ui',
  'io',
  'cpu',
  'gc',
  'jvm',
  'ttl',
  'dns',
  'tcp',
  'udp',
  'tls',
  'aws',
  'gcp',
  'sns',
  'sqs',
  'mq',
  'kv',
  'os',
  'vm',
  'rpc',
  'cdn',
  'llm',
  'xx',
]);

/** Abbreviations and their spoken forms. */
const EXPANSIONS = new Map(
  Object.entries({
    svc: 'service',
    srv: 'server',
    ms: 'milliseconds',
    cfg: 'config',
    msg: 'message',
    pg: 'postgres',
    k8s: 'kubernetes',
    nginx: 'engine x',
    mysql: 'my S Q L',
    postgresql: 'postgres',
    graphql: 'graph Q L',
  }),
);

/**
 * Names of services, operations and attributes as words: `orders-db` is "orders D B", `POST /api/v1/orders/{id}` is
 * "POST api v 1 orders I D". Long ids are omitted, because listeners could not follow.
 */
function normalizeNames(text: string): string {
  return text
    .replace(
      /\b(?=[\da-f]*\d)(?=[\da-f]*[a-f])[\da-f]{16,64}\b|\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/gi,
      (id) => `the I D that ends in ${[...id.slice(-4).toUpperCase()].join(' ')}`,
    )
    .replace(/\bv(\d+(?:\.\d+)+)\b/g, 'version $1')
    .replace(/[\p{L}\p{N}_{}:$/-]*[\p{L}\p{N}]/gu, (name) =>
      isName(name) ? splitNameIntoWords(name).map(expandPart).join(' ') : name,
    );
}

/** Contains separators or inner capitals, or is a part that is not spoken as written. */
function isName(text: string): boolean {
  if (/^\d+(?:st|nd|rd|th)$/.test(text)) return false;
  return (
    /[\p{L}\p{N}][-_/:][\p{L}\p{N}{$:]|^[/{]|\p{Ll}\p{Lu}|\p{L}\d|\d\p{L}/u.test(text) || expandPart(text) !== text
  );
}

/** Words and numbers of a compound name, in order: `cartService2` has three. */
export function splitNameIntoWords(name: string): readonly string[] {
  return name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{L}|\p{N}+/gu) ?? [];
}

function expandPart(part: string): string {
  const lower = part.toLowerCase();
  return EXPANSIONS.get(lower) ?? (SPELLED_PARTS.has(lower) ? [...lower.toUpperCase()].join(' ') : part);
}

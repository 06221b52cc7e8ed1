import type { ComparisonSign } from './question-query.js';
import { MARK, type MarkedText, type NumberBound } from './marked-text.js';

/*
 * Parts of a question that are written in a form of their own: quotations, versions, ids, percentiles, bounds of numbers,
 * HTTP methods and statuses. They are read first, so that nothing else takes their digits for times.
 */

const PERCENTILES = new Set([50, 75, 90, 95, 99]);

export function readQuotations(text: MarkedText): void {
  text.take(
    /"(?<double>[^"]{1,200})"|“(?<curly>[^”]{1,200})”|(?<=\s)'(?<single>[^']{1,200})'(?=[\s,?!.]|$)/g,
    (groups) => text.mark('quoted', groups.double ?? groups.curly ?? groups.single ?? ''),
  );
}

/** `1.5.0`, `node-2`, `payment-a1`, `payment-1.4.0-2`, `order_42`: words that can only be values. */
export function readValues(text: MarkedText): void {
  text.take(
    /(?<![\w.:-])(?:[a-z]\w*(?:[-_.]\w+)*[-_]\d[\w.-]*\w|[a-z]\w*[-_]\d|[a-z]\w*(?:[-_]\w+)*-[a-z]+\d\w*|v?\d+\.\d+\.\d+(?:[-+][\w.]+)?)(?!\w|:\d)/gi,
    (_, found) => text.mark('value', /^v\d/i.test(found) ? found.slice(1) : found),
  );
}

/** `p95`, `95th percentile`, `median`. Others than the query language has stay unread. */
export function readPercentiles(text: MarkedText): void {
  text.take(
    /\b(?:p\s?(?<short>\d{2})|(?<long>\d{2})(?:st|nd|rd|th)?[\s-]+percentiles?|(?<median>medians?))(?![\d]|\.\d)\b/gi,
    ({ short, long, median }) => {
      const rank = median === undefined ? Number(short ?? long) : 50;
      return PERCENTILES.has(rank) ? text.mark('measure', { fn: `p${rank}` as 'p50', field: 'duration' }) : undefined;
    },
  );
}

export function readHttpMethods(text: MarkedText, key: string | undefined): void {
  if (key === undefined) return;
  text.take(/\b(?<method>GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)(?:s|es)?\b(?!\s*\/)/g, ({ method = '' }) =>
    text.mark('condition', { kind: 'in', field: key, values: [method] }),
  );
}

/** `UPDATE or SELECT`: verbs of SQL that stand alone, where the Grid knows the operations of databases. */
export function readSqlVerbs(text: MarkedText, key: string | undefined): void {
  if (key === undefined) return;
  text.take(/\b(?<verb>SELECT|INSERT|UPDATE|MERGE|UPSERT)(?:s|es)?\b/g, ({ verb = '' }) =>
    text.mark('condition', { kind: 'in', field: key, values: [verb] }),
  );
}

/** Reason phrases of RFC 9110 and RFC 6585, and how people call them. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/\bbad\s+requests?\b(?!\s+rates?\b)/gi, '400'],
  [/\bunauthori[sz]ed\b/gi, '401'],
  [/\bforbidden\b/gi, '403'],
  [/\b(?:an?\s+)?conflicts?\b/gi, '409'],
  [/\b(?:too\s+many\s+requests|rate[\s-]?limit(?:ed|ing))\b/gi, '429'],
  [/\b(?:an?\s+)?internal\s+server\s+errors?\b/gi, '500'],
  [/\b(?:a\s+)?bad\s+gateways?\b/gi, '502'],
  [/\b(?:a\s+)?service\s+unavailable\b/gi, '503'],
  [/\b(?:a\s+)?gateway\s+time-?outs?\b/gi, '504'],
];

/** True if the words are the reason phrase of a status: "bad request". */
export function isStatusReason(words: string): boolean {
  return REASONS.some(([pattern]) => words.replace(new RegExp(pattern.source, 'i'), '').trim() === '');
}

/** "Ended in a conflict", "rate limited": not where the words of log entries are asked for. */
export function readStatusReasons(text: MarkedText, key: string | undefined): void {
  if (key === undefined || /\b(?:log\w*|entr(?:y|ies)|lines?|messages?|mention\w*|contain\w*|says?)\b/i.test(text.text))
    return;
  for (const [pattern, code] of REASONS)
    text.take(pattern, () => text.mark('condition', { kind: 'in', field: key, values: [code] }));
}

/** `status code 500`, `returned 503`, `5xx`. */
export function readStatusCodes(text: MarkedText, key: string | undefined): void {
  if (key === undefined) return;
  const field = key;
  const classOf = (digit: string): string =>
    text.mark('condition', { kind: 'compare', field, sign: '>=', value: `${digit}00` }) +
    text.mark('condition', { kind: 'compare', field, sign: '<', value: `${Number(digit) + 1}00` });
  text.take(/\b(?:(?:http\s+)?(?:status|response)\s+(?:codes?\s+)?)?(?<digit>[1-5])xx(?:s|es)?\b/gi, ({ digit = '' }) =>
    classOf(digit),
  );
  const codes = String.raw`(?<codes>[1-5]\d\d(?:\s*(?:,|or|and|/)\s*[1-5]\d\d)*)s?\b(?!\s*(?:ms|s|%|seconds?|milliseconds?|requests?|min\w*)\b)`;
  const code = (before: string): RegExp => new RegExp(before + codes, 'gi');
  const mark = ({ not, codes: found = '' }: Readonly<Record<string, string | undefined>>): string => {
    const condition = { kind: 'in', field, values: found.match(/\d{3}/g) ?? [] } as const;
    return text.mark('condition', not === undefined ? condition : { kind: 'not', term: condition });
  };
  const not = String.raw`(?:(?<not>not|other\s+than|!=)\s+)?`;
  text.take(
    code(
      String.raw`\b(?:http\s+)?(?:(?:status|response)\s+codes?|http\s+status|http|status)\s*(?:(?:of|is|was|=|:|equals?)\s*)*${not}`,
    ),
    mark,
  );
  text.take(
    code(
      String.raw`\b(?:(?<not>not)\s+)?(?:return(?:ed|s|ing)?|respond(?:ed|s|ing)?(?:\s+with)?|answer(?:ed|s|ing)?(?:\s+with)?|get|gets|getting|got|ended\s+(?:in|with)|fail(?:ed|s|ing)?\s+with)\s+(?:an?\s+|with\s+|http\s+)*`,
    ),
    mark,
  );
  text.take(code(String.raw`(?<=\b(?:were|was|are|is)\s+)(?:(?<not>not)\s+)?(?:an?\s+)?`), mark);
  text.take(code(String.raw`(?<=\b(?:a|an|with|of)\s+)`), mark);
  text.take(/\b(?<codes>[1-5]\d\d)s\b/g, mark);
  // Two of them are no other numbers: "429 or 504".
  text.take(/\b(?<codes>[45]\d\d\s+(?:or|and|vs\.?|versus)\s+[45]\d\d)\b(?!\s*(?:m?s|%|[a-z]+s)\b)/g, mark);
}

const UNIT_MS: readonly (readonly [RegExp, number])[] = [
  [/^(?:us|µs|microseconds?)$/i, 0.001],
  [/^(?:ms|msecs?|milliseconds?|millis)$/i, 1],
  [/^(?:s|secs?|seconds?)$/i, 1_000],
  [/^(?:m|mins?|minutes?)$/i, 60_000],
];
const UNIT_BYTES: readonly (readonly [RegExp, number])[] = [
  [/^(?:b|bytes?)$/i, 1],
  [/^(?:kb|kilobytes?)$/i, 1e3],
  [/^(?:mb|megabytes?)$/i, 1e6],
  [/^(?:gb|gigabytes?)$/i, 1e9],
  [/^kib$/i, 1_024],
  [/^mib$/i, 1_048_576],
  [/^gib$/i, 1_073_741_824],
];
const SIZE_UNIT = 'kib|mib|gib|kb|mb|gb|bytes?|kilobytes?|megabytes?|gigabytes?|b';
const TIME_UNIT = 'us|µs|microseconds?|msecs?|ms|milliseconds?|millis|secs?|seconds?|s|mins?|minutes?';
const COUNTED = 'requests?|calls?|errors?|failures?|logs?|traces?|spans?|times|entries|lines';
const amount = (name: string): string => String.raw`(?<${name}>\d+(?:,\d{3})*(?:[.,]\d+)?)(?!\.?\d)(?!:\d)`;
const SECOND = String.raw`(?:one|a|1)\s+second\b`;
const UNIT = String.raw`(?:\s*(?<unit>${TIME_UNIT}|${SIZE_UNIT}|%|per\s?cent|percent)(?![\w]))?(?:\s*(?<noun>${COUNTED})\b)?(?!\s*(?:ago|earlier|minutes|hours)\b)`;
const MORE = String.raw`(?:(?:more|greater|longer|slower|higher|larger|bigger|worse)\s+than|over|above|exceed(?:s|ed|ing)?|beyond|>)`;
const LESS = String.raw`(?:(?:less|fewer|shorter|faster|quicker|lower|smaller|better)\s+than|under|below|<)`;
const LEAST = String.raw`(?:at\s+least|(?:a\s+)?minimum\s+of|>=|≥|no\s+less\s+than|not\s+(?:less|fewer|faster|shorter)\s+than|not\s+(?:under|below))`;
const MOST = String.raw`(?:at\s+most|up\s+to|(?:a\s+)?maximum\s+of|<=|≤|(?:no|not)\s+(?:more|longer|slower|higher|greater)\s+than|not\s+(?:over|above|exceeding))`;
const BOUND = new RegExp(
  String.raw`(?<![\w])(?:(?<least>${LEAST})|(?<most>${MOST})|(?<more>${MORE})|(?<less>${LESS}))(?<equal>\s+or\s+equal(?:\s+to)?)?\s*(?:an?\s+)?(?:about\s+)?${amount('low')}${UNIT}`,
  'gi',
);
const SUFFIXED = new RegExp(
  String.raw`\b${amount('low')}${UNIT}\s+(?:or|and)\s+(?:(?<least>more|longer|slower|higher|above|over|greater|up)|(?<most>less|shorter|faster|lower|below|under|fewer))\b`,
  'gi',
);
const BETWEEN = new RegExp(
  String.raw`\b(?:between|from)\s+${amount('low')}\s*(?<lowUnit>${TIME_UNIT}|%)?\s*(?:and|to|-|–)\s*${amount('high')}\s*(?<unit>${TIME_UNIT}|%|percent)(?!\w)`,
  'gi',
);

/** "Requests bigger than 10 kB", "responses over 1 MB": the size of their bodies, where no other attribute is named. */
export function readSizeBounds(
  text: MarkedText,
  { request, response }: { readonly request: string | undefined; readonly response: string | undefined },
): void {
  const key = /\brespon/i.test(text.text) ? response : request;
  if (key === undefined) return;
  text.take(
    new RegExp(String.raw`(?<!${MARK.field}(?:\s*(?:of|is|was|are))*\s*)(?<bound>${MARK.bound})`, 'g'),
    ({ bound = '' }) => {
      const { unit, bounds } = text.get('bound', bound);
      if (unit !== 'B') return undefined;
      return bounds
        .map(({ sign, amount: value }) =>
          sign === '=' ? '' : text.mark('condition', { kind: 'compare', field: key, sign, value: String(value) }),
        )
        .join(' ');
    },
  );
}

/** Bounds of durations, percentages and counts. */
export function readNumberBounds(text: MarkedText): void {
  text.take(new RegExp(SECOND, 'gi'), () => '1 second');
  text.take(/\bhalf\s+a\s+second\b/gi, () => '500 ms');
  text.take(BETWEEN, ({ low, lowUnit, high, unit }) => {
    const [from, to] = [toNumber(low, lowUnit ?? unit), toNumber(high, unit)];
    return text.mark('bound', {
      ...parseUnit(unit),
      bounds: [
        { sign: '>=', amount: from },
        { sign: '<=', amount: to },
      ],
    });
  });
  const take = ({ low, unit, noun, ...words }: Readonly<Record<string, string | undefined>>): string =>
    text.mark('bound', {
      ...parseUnit(unit),
      ...(noun !== undefined && { noun }),
      bounds: [{ sign: signOf(words), amount: toNumber(low, unit) }],
    });
  text.take(BOUND, take);
  text.take(SUFFIXED, take);
  text.take(
    new RegExp(String.raw`\b(?:zero|no|0)\s*(?:%\s*)?(?=(?:errors?|failures?)\b)(?<noun>errors?|failures?)\b`, 'gi'),
    () => text.mark('bound', { unit: '', noun: 'errors', bounds: [{ sign: '=', amount: 0 }] }),
  );
}

function signOf({ least, most, more, equal }: Readonly<Record<string, string | undefined>>): ComparisonSign {
  if (least !== undefined) return '>=';
  if (most !== undefined) return '<=';
  if (more !== undefined) return equal === undefined ? '>' : '>=';
  return equal === undefined ? '<' : '<=';
}

function parseUnit(unit: string | undefined): Pick<NumberBound, 'unit'> {
  if (unit === undefined) return { unit: '' };
  if (UNIT_BYTES.some(([pattern]) => pattern.test(unit))) return { unit: 'B' };
  return { unit: /^(?:%|per)/i.test(unit) ? '%' : 'ms' };
}

function toNumber(digits = '0', unit = ''): number {
  const factor = [...UNIT_MS, ...UNIT_BYTES].find(([pattern]) => pattern.test(unit))?.[1] ?? 1;
  return Number((Number(digits.replace(/,(?=\d{3}\b)/g, '').replace(',', '.')) * factor).toFixed(6));
}

const SMALL_NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const NUMBER = String.raw`(?<digits>\d{1,3}|${SMALL_NUMBERS.slice(2).join('|')})`;
const RECORD_ADJECTIVE =
  '(?:(?:failed|failing|slow|slowest|fastest|latest|newest|last|first|oldest|recent|error|most|longest|busiest|worst)\\s+)';

/** `top 5`, `the 3 slowest`, `3 failed traces`. The word that stays says what is first. */
export function readLimit(text: MarkedText): number | undefined {
  let limit: number | undefined;
  const take = ({ digits = '', word = '' }: Readonly<Record<string, string | undefined>>): string => {
    limit ??= toLimit(digits);
    return ` ${word} `;
  };
  text.take(
    new RegExp(
      String.raw`\b(?<word>top|bottom|first|last|newest|latest|oldest|slowest|fastest|worst|busiest)\s+${NUMBER}\b(?!\s*(?:${TIME_UNIT}|min\w*|h\b|hours?|days?|weeks?|%)(?!\w))(?![:.]\d)`,
      'gi',
    ),
    take,
  );
  // "Five users with the most errors".
  text.take(
    new RegExp(
      String.raw`\b${NUMBER}\s+(?=[a-z]+s\s+(?:with|having|that\s+ha(?:ve|d)|by)\s+(?:the\s+)?(?:most|highest|largest|biggest|lowest|fewest|slowest|worst)\b)`,
      'gi',
    ),
    take,
  );
  text.take(
    new RegExp(
      String.raw`(?<![:.\d]|\b(?:than|over|above|under|below|at|and|or)\s)\b${NUMBER}\s+(?=${RECORD_ADJECTIVE}|(?:traces?|requests?|logs?|spans?|endpoints?|services?|operations?|entries|${MARK.condition})(?:\W|$))`,
      'gi',
    ),
    take,
  );
  return limit;
}

function toLimit(digits: string): number {
  const at = SMALL_NUMBERS.indexOf(digits.toLowerCase());
  return Math.max(1, at < 0 ? Number(digits) : at);
}

/** Figures are printed exactly as the API returns them, so that users can compare the digits. */

/** Maximum length of telemetry text in an answer. */
const MAX_QUOTE_LENGTH = 160;
const MAX_ITEMS = 5;

export function formatMs(value: number): string {
  return `${value} ms`;
}

export function formatPercent(value: number): string {
  return `${value} %`;
}

/** Formats a chart value, which may have 17 digits: two decimals, as in the API; four significant digits below 1. */
export function formatChartValue(value: number): string {
  return String(Number(Math.abs(value) < 1 ? value.toPrecision(4) : value.toFixed(2)));
}

export function formatSigned(value: number): string {
  return value > 0 ? `+${value}` : String(value);
}

/** A change in percent, or `new` from a value of zero, of which there is no percentage. */
export function formatChangePercent(
  percent: number,
  baseline: number,
  formatNumber: (value: number) => string = formatSigned,
): string {
  return baseline === 0 && percent !== 0 ? 'new' : `${formatNumber(percent)} %`;
}

/** Change of an error rate by a deployment, such as `+50%` or `new: 2.83 %`. */
export function formatErrorRateChange({
  errorRateChange,
  newErrorRate,
}: {
  readonly errorRateChange: string;
  readonly newErrorRate?: number;
}): string {
  return newErrorRate === undefined ? errorRateChange : `new: ${formatPercent(newErrorRate)}`;
}

/** `1 service`, `2 services`. */
export function formatCount(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function joinWithAnd(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** `a`, `a or b`, `a, b or c`. */
export function joinWithOr(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`;
}

/** `a, b, c, d, e and 7 more`. */
export function joinSome(items: readonly string[], maxItems = MAX_ITEMS): string {
  return items.length <= maxItems
    ? joinWithAnd(items)
    : `${items.slice(0, maxItems).join(', ')} and ${items.length - maxItems} more`;
}

/** A list of at most `most` lines; mentions how many of `total` are left out. */
export function formatList(items: readonly string[], maxItems = MAX_ITEMS, total = items.length): string {
  const lines = items.slice(0, maxItems).map((item) => `\n- ${item}`);
  const omitted = total - lines.length;
  return omitted > 0 ? `${lines.join('')}\n- and ${omitted} more.` : lines.join('');
}

export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Telemetry text on a single line, truncated. */
export function quote(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  const cut =
    line.length > MAX_QUOTE_LENGTH ? `${line.slice(0, MAX_QUOTE_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
  return `“${cut}”`;
}

/**
 * HTML elements that could load, run or link to something. Elements without attributes, such as `List<Order>` in an
 * exception message, are harmless.
 */
const ELEMENT = /<(?=[a-z][\w-]*[\s/][^<>]*=|(?:script|style)\b)/gi;

/** Bold and emphasis, which answers themselves never use. */
const EMPHASIS = /\*(?=\*|[^\s*][^*\n]*\*)/g;
const CODE = /`([^`\n]+)`/g;

/** Characters that start a Markdown block at the start of a line or list item: heading, table, quotation or code. */
const BLOCK = /^(- (?=[-+*]\s)|(?:- )?(?=[#|>]|`{3}|~{3}))/gm;
/** Invisible, but not white space in Markdown; after white space a block could still start. */
const ZERO_WIDTH_SPACE = '\u200B';

/**
 * Answers are Markdown but contain untrusted names. Neutralizes links, images, HTML, bold and blocks by inserting
 * characters, so that the names stay readable.
 */
export function escapeMarkup(answer: string): string {
  return answer
    .replace(/\](?=[([])/g, '] ')
    .replace(ELEMENT, '< ')
    .replace(EMPHASIS, '* ')
    .replace(CODE, "'$1'")
    .replace(BLOCK, `$1${ZERO_WIDTH_SPACE}`);
}

/** Such as `error rate 8.5 %, Apdex 0.812, 320.12 ms on average, 4820 requests`. */
export function formatServiceFigures({
  errorRate,
  apdex,
  avgLatencyMs,
  requestCount,
}: {
  readonly errorRate: number;
  readonly apdex: number;
  readonly avgLatencyMs: number;
  readonly requestCount: number;
}): string {
  if (requestCount === 0) return 'no requests';
  return `error rate ${formatPercent(errorRate)}, Apdex ${apdex}, ${formatMs(avgLatencyMs)} on average, ${formatCount(requestCount, 'request')}`;
}

/** A name from telemetry on a single line, truncated if it is too long for a name. */
export function formatName(name: string): string {
  return quote(name).slice(1, -1);
}

/** Figures stay as the API gives them: whoever compares finds the same digits. */

/** Longest text from telemetry in an answer. */
const MAX_QUOTE_LENGTH = 160;
const MAX_ITEMS = 5;

export function formatMs(value: number): string {
  return `${value} ms`;
}

export function formatPercent(value: number): string {
  return `${value} %`;
}

/** A value of a chart, which may have seventeen digits: to two decimals, as the API rounds figures, and below 1 to four digits. */
export function formatChartValue(value: number): string {
  return String(Number(Math.abs(value) < 1 ? value.toPrecision(4) : value.toFixed(2)));
}

export function formatSigned(value: number): string {
  return value > 0 ? `+${value}` : String(value);
}

/** `1 service`, `2 services`. */
export function formatCount(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function joinWithAnd(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** `a, b, c, d, e and 7 more`. */
export function joinSome(items: readonly string[], most = MAX_ITEMS): string {
  return items.length <= most
    ? joinWithAnd(items)
    : `${items.slice(0, most).join(', ')} and ${items.length - most} more`;
}

/** Lines of a list, the first of `total`; says how many are left out. */
export function formatList(items: readonly string[], most = MAX_ITEMS, total = items.length): string {
  const lines = items.slice(0, most).map((item) => `\n- ${item}`);
  const left = total - lines.length;
  return left > 0 ? `${lines.join('')}\n- and ${left} more.` : lines.join('');
}

export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Text of whoever sends telemetry, on one line and cut. */
export function quote(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  const cut =
    line.length > MAX_QUOTE_LENGTH ? `${line.slice(0, MAX_QUOTE_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
  return `“${cut}”`;
}

/** Elements that load, run or lead somewhere; those without attributes, such as the `List<Order>` of an exception, do not. */
const ELEMENT = /<(?=[a-z][\w-]*[\s/][^<>]*=|(?:script|style)\b)/gi;

/** What would be strong or emphasised: ours never is. */
const EMPHASIS = /\*(?=\*|[^\s*][^*\n]*\*)/g;
const CODE = /`([^`\n]+)`/g;

/** What begins a block where it begins a line, or an item of a list: a heading, a table, a quotation or code. */
const BLOCK = /^(- (?=[-+*]\s)|(?:- )?(?=[#|>]|`{3}|~{3}))/gm;
/** Has no width, and is no blank to Markdown, before which a block might begin all the same. */
const ZERO_WIDTH_SPACE = '\u200B';

/** Answers are Markdown, and names in them anybody's: a blank keeps them from being links, pictures, elements or bold, and they can still be read. */
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

/** A name of somebody's telemetry: on one line, and cut where it is no name any more. */
export function formatName(name: string): string {
  return quote(name).slice(1, -1);
}

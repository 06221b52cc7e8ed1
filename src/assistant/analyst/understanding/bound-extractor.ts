import { blankOut } from '../lexicon/tokenizer.js';
import type { Slots } from './slots.js';

/** Bounds of durations and error rates in a text. */
export interface Bounds extends Pick<
  Slots,
  | 'minDurationMs'
  | 'maxDurationMs'
  | 'minErrorRate'
  | 'maxErrorRate'
  | 'isMinErrorRateExcluded'
  | 'isMaxErrorRateExcluded'
> {
  /** Bounds that no answer applies, as they are written. */
  readonly unsupported: readonly string[];
  /** The text with the bounds replaced by blanks, of the same length. */
  readonly rest: string;
}

interface Comparison {
  readonly from: number;
  readonly to: number;
  readonly side: 'min' | 'max';
  readonly isInclusive: boolean;
  readonly amount: string;
  readonly unit?: string;
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, milli: 1, s: 1000, sec: 1000, min: 60_000 };
const UNITS = 'ms|milliseconds?|s|secs?|seconds?|min|minutes?';
const DURATION = String.raw`(?<amount>\d+(?:\.\d+)?)\s*(?<unit>${UNITS})\b(?!\s+(?:ago|earlier|before)\b)`;
const PERCENT = String.raw`(?<amount>\d+(?:\.\d+)?)\s*(?:%|per\s?cent\b)`;
const OR_EQUAL = String.raw`(?:\s+or\s+(?:equal(?:s|ing)?(?:\s+to)?|exactly|just))?`;
const MORE = String.raw`(?:slower|longer|more|greater|higher|bigger|larger|worse)\s+than|over|above|exceed(?:s|ed|ing)?`;
const LESS = String.raw`(?:faster|shorter|less|quicker|lower|smaller|better)\s+than|under|below`;
const LEAST = String.raw`at\s+least|a\s+minimum\s+of|>=`;
const MOST = String.raw`at\s+most|up\s+to|a\s+maximum\s+of|<=`;
const PREFIX = String.raw`(?:\b(?:(?<more>${MORE})|(?<less>${LESS}))(?<equal>${OR_EQUAL})|(?:\b|(?=[<>]))(?:(?<least>${LEAST})|(?<most>${MOST}))|(?<above>>)|(?<below><))\s*`;
const SUFFIX = String.raw`\s+(?:or|and)\s+(?:(?<least>more|longer|slower|higher|above|over|greater)|(?<most>less|shorter|faster|lower|below|under))\b`;

const createPatterns = (figure: string): readonly RegExp[] => [
  new RegExp(PREFIX + figure, 'i'),
  new RegExp(String.raw`\b${figure}${SUFFIX}`, 'i'),
];
const DURATION_PATTERNS = createPatterns(DURATION);
const PERCENT_PATTERNS = createPatterns(PERCENT);

/** `between 1 and 2 seconds`: the first unit may be missing. */
const BETWEEN = new RegExp(
  String.raw`\b(?:between|from)\s+(?<low>\d+(?:\.\d+)?)\s*(?<lowUnit>${UNITS})?\s+(?:and|to)\s+${DURATION}`,
  'i',
);

const NEGATION = String.raw`\b(?:not|no|never|none|nobody|nothing|neither|nor|cannot|without|hardly|rarely|seldom|few)|n['’]t`;
/** A negation and the words of the same clause before a comparison. */
const NEGATED = new RegExp(String.raw`(?:${NEGATION})(?:\s+(?!(?:and|but|or|that|which|who)\b)[\w-]+){0,8}\s*$`, 'i');
/** "Isn't the error rate above 5 %?" asks whether it is. */
const NEGATIVE_QUESTION = /^\W*(?:(?:and|but|so)\s+)?\w+n['’]t\b/i;
/** The whole comparison is negated, and nothing else: its opposite is exact. */
const INVERTED = new RegExp(
  String.raw`(?:(?:\bnot|n['’]t)(?:\s+(?:be|been|being|have|had|having|take|takes|taken|took|taking|last|lasted|run|ran|an?|the|error|errors|failure|rates?|latency|duration|fail|failing))*|\bno|\bwithout\s+taking)\s*$`,
  'i',
);
/** "Without errors slower than 300 ms": the negation belongs to the failure. */
const FAILURE = /\b(?:errors?|fail(?:s|ed|ing|ures?)?|exceptions?|crash(?:ed)?)\b/i;

/** Extracts at most one lower and one upper bound of each kind; a further one is unsupported. */
export function extractBounds(text: string): Bounds {
  const durations = extractKind(text, DURATION_PATTERNS, (negated) => !FAILURE.test(negated), true);
  const rates = extractKind(durations.rest, PERCENT_PATTERNS, () => true, false);
  const { min: minDuration, max: maxDuration } = durations;
  const { min: minRate, max: maxRate } = rates;
  return {
    ...(minDuration !== undefined && { minDurationMs: Math.floor(toMilliseconds(minDuration)) }),
    ...(maxDuration !== undefined && { maxDurationMs: Math.ceil(toMilliseconds(maxDuration)) }),
    ...(minRate !== undefined && { minErrorRate: Number(minRate.amount) }),
    ...(maxRate !== undefined && { maxErrorRate: Number(maxRate.amount) }),
    ...(minRate?.isInclusive === false && { isMinErrorRateExcluded: true }),
    ...(maxRate?.isInclusive === false && { isMaxErrorRateExcluded: true }),
    unsupported: [...durations.unsupported, ...rates.unsupported],
    rest: rates.rest,
  };
}

interface KindOfBounds {
  readonly min?: Comparison;
  readonly max?: Comparison;
  readonly unsupported: readonly string[];
  readonly rest: string;
}

/** `isOwn`: returns whether a negation with the words after it belongs to the comparison. */
function extractKind(
  text: string,
  patterns: readonly RegExp[],
  isOwn: (negated: string) => boolean,
  hasBetween: boolean,
): KindOfBounds {
  const bounds: { min?: Comparison; max?: Comparison } = {};
  const unsupported: string[] = [];
  let rest = text;
  const between = hasBetween ? BETWEEN.exec(text) : null;
  if (between !== null) {
    const found = toInterval(between);
    const negation = findNegation(text, between.index, isOwn);
    if (negation === undefined) Object.assign(bounds, found);
    else unsupported.push(text.slice(negation, found.min.to).trim());
    rest = blankOut(rest, between.index, found.min.to);
  }
  for (let next = findComparison(rest, patterns); next !== undefined; next = findComparison(rest, patterns)) {
    const negation = findNegation(rest, next.from, isOwn);
    const isExact = INVERTED.test(text.slice(0, next.from)) && !NEGATIVE_QUESTION.test(text);
    const bound = negation === undefined || isExact ? next : undefined;
    const applied = bound === undefined || negation === undefined ? bound : invert(bound);
    if (applied === undefined || bounds[applied.side] !== undefined)
      unsupported.push(text.slice(negation ?? next.from, next.to).trim());
    else bounds[applied.side] = applied;
    rest = blankOut(rest, next.from, next.to);
    if (applied !== undefined && negation !== undefined) rest = blankOutNegation(rest, negation);
  }
  return { ...bounds, unsupported, rest };
}

function findComparison(text: string, patterns: readonly RegExp[]): Comparison | undefined {
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const { more, least, above, equal, amount, unit, most } = match.groups ?? {};
    return {
      from: match.index,
      to: match.index + match[0].length,
      side: (more ?? least ?? above) === undefined ? 'max' : 'min',
      isInclusive: (least ?? most) !== undefined || (equal ?? '') !== '',
      amount,
      unit,
    };
  }
  return undefined;
}

/** Where the negation of a comparison begins. */
function findNegation(text: string, from: number, isOwn: (negated: string) => boolean): number | undefined {
  const negated = NEGATED.exec(text.slice(0, from));
  return negated === null || !isOwn(negated[0]) ? undefined : negated.index;
}

function blankOutNegation(text: string, at: number): string {
  const [negation = ''] = new RegExp(NEGATION, 'i').exec(text.slice(at)) ?? [];
  return blankOut(text, at, at + negation.length);
}

function invert(bound: Comparison): Comparison {
  return { ...bound, side: bound.side === 'min' ? 'max' : 'min', isInclusive: !bound.isInclusive };
}

function toInterval({ index, groups = {}, 0: { length } }: RegExpExecArray): { min: Comparison; max: Comparison } {
  const common = { from: index, to: index + length, isInclusive: true };
  return {
    min: { ...common, side: 'min', amount: groups.low, unit: groups.lowUnit ?? groups.unit },
    max: { ...common, side: 'max', amount: groups.amount, unit: groups.unit },
  };
}

function toMilliseconds({ amount, unit = '' }: Comparison): number {
  const [name = ''] = /^(?:ms|milli|s|min)/i.exec(unit) ?? [];
  return Math.min(Number(amount) * UNIT_MS[name.toLowerCase()], Number.MAX_SAFE_INTEGER);
}

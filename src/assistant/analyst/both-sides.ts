import { stretchMs } from './beside-clocks.js';
import { blanked } from './tokens.js';

const UNIT = String.raw`min(?:ute)?s?|h(?:ou)?rs?`;
const AMOUNT = String.raw`(?:the\s+)?(?:(?:last|first|next)\s+)?(?:(?<amount>\d+|an?|one|half\s+an)\s+)?(?<unit>${UNIT})\s+`;
/** Of the other side what is left out is as it was said of the first: `the 10 after`, `the minutes after`. */
const OTHER = String.raw`(?:the\s+)?(?<otherAmount>\d+\s*|(?:half\s+an|an?|one)\s+(?=min|h(?:ou)?r))?(?:(?<otherUnit>${UNIT})\s+|ones?\s+)?`;
/** A time of day, or a deployment: what lies between the two sides. */
const EVENT = String.raw`(?<event>(?:(?:yesterday|today)\s+)?(?:at\s+)?(?:\d{1,2}:\d{2}(?:\s*utc)?|\d{1,2}\s*[ap]m|noon)\b|(?:(?:the|that|its|our|this|last|latest|most|recent|newest)\s+)+(?:deployment|deploy|release|rollout|update|upgrade|new\s+version)\b)`;
const AND = String.raw`,?\s*(?:and|with|to|vs\.?|versus|against|than|&|\/)\s*`;
/** `the 10 minutes before and after 13:55` */
const AROUND = new RegExp(String.raw`\b${AMOUNT}(?:before${AND}${OTHER}after|after${AND}before)\s+(?=${EVENT})`, 'di');
/** `the 10 minutes before 13:55 with the 10 after` */
const EITHER = new RegExp(String.raw`\b${AMOUNT}(?<side>before|after)\s+${EVENT}${AND}${OTHER}(?<otherSide>before|after(?:wards)?|following)\b(?:\s+(?:it|that|\k<event>))?(?!\s+(?:\d|noon|the\s))`, 'di');

/** A stretch of time on both sides of a moment. */
export interface BothSides {
  readonly beforeMs: number;
  readonly afterMs: number;
  /** The text with blanks instead of the stretch, and still the moment. */
  readonly rest: string;
  /** Where the moment stands in it. */
  readonly event: { readonly from: number; readonly to: number };
}

type Said = Readonly<{ unit: string } & Partial<Record<'amount' | 'side' | 'otherAmount' | 'otherUnit' | 'otherSide', string>>>;

export function bothSidesIn(text: string): BothSides | undefined {
  const found = AROUND.exec(text) ?? EITHER.exec(text);
  if (found?.groups === undefined || found.indices?.groups === undefined) return undefined;
  const { amount = '1', unit, side, otherUnit = '', otherAmount = /r$/i.test(otherUnit) ? '1' : amount, otherSide = '' } = found.groups as Said;
  const [firstMs, otherMs] = [stretchMs(amount, unit), stretchMs(otherAmount, otherUnit || unit)];
  if (firstMs <= 0 || otherMs <= 0 || (side !== undefined && /^b/i.test(side) === /^b/i.test(otherSide))) return undefined;
  const [beforeMs, afterMs] = /^a/i.test(side ?? '') ? [otherMs, firstMs] : [firstMs, otherMs];
  const [from, to] = found.indices.groups.event;
  const end = found.index + found[0].length;
  return { beforeMs, afterMs, rest: blanked(blanked(text, found.index, Math.min(from, end)), Math.min(to, end), end), event: { from, to } };
}

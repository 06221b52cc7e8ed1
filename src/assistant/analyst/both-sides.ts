import { stretchMs } from './beside-clocks.js';
import { blanked } from './tokens.js';

const AMOUNT = String.raw`(?:the\s+)?(?:(?:last|first|next)\s+)?(?:(\d+|an?|one|half\s+an)\s+)?(min(?:ute)?s?|h(?:ou)?rs?)\s+`;
/** A time of day, or a deployment: what lies between the two sides. */
const EVENT = String.raw`((?:(?:yesterday|today)\s+)?(?:at\s+)?(?:\d{1,2}:\d{2}(?:\s*utc)?|\d{1,2}\s*[ap]m|noon)\b|(?:(?:the|that|its|our|this|last|latest|most|recent|newest)\s+)+(?:deployment|deploy|release|rollout|update|upgrade|new\s+version)\b)`;
const AND = String.raw`,?\s*(?:and|with|to|vs\.?|versus|against|than|&|\/)\s*`;
/** `the 10 minutes before and after 13:55` */
const AROUND = new RegExp(String.raw`\b${AMOUNT}(?:before${AND}(?:the\s+)?(?:\d+\s*(?:min(?:ute)?s?|h(?:ou)?rs?)?\s+)?after|after${AND}before)\s+(?=${EVENT})`, 'i');
/** `the 10 minutes before 13:55 with the 10 after` */
const EITHER = new RegExp(String.raw`\b${AMOUNT}(before|after)\s+${EVENT}${AND}(?:the\s+)?(?:\d+\s*)?(?:min(?:ute)?s?\s+|h(?:ou)?rs?\s+|ones?\s+)?(before|after(?:wards)?|following)\b(?:\s+(?:it|that|\4))?(?!\s+(?:\d|noon|the\s))`, 'i');

/** A stretch of time on both sides of a moment. */
export interface BothSides {
  readonly lengthMs: number;
  /** The text with blanks instead of the stretch, and still the moment. */
  readonly rest: string;
}

/** Both sides are as long as the first is said to be. */
export function bothSidesIn(text: string): BothSides | undefined {
  const around = AROUND.exec(text);
  if (around !== null) return found(text, around, around[0].length, around[0].length);
  const either = EITHER.exec(text);
  if (either === null || /^b/i.test(either[3]) === /^b/i.test(either[5])) return undefined;
  const at = either[0].indexOf(either[4], either[0].toLowerCase().indexOf(either[3].toLowerCase()));
  return found(text, either, at, at + either[4].length);
}

/** Blanks from the beginning of what was found to `from`, and from `to` to its end. */
function found(text: string, { 0: said, 1: amount = '1', 2: unit, index }: RegExpExecArray, from: number, to: number): BothSides | undefined {
  const lengthMs = stretchMs(amount, unit);
  return lengthMs > 0 ? { lengthMs, rest: blanked(blanked(text, index, index + from), index + to, index + said.length) } : undefined;
}

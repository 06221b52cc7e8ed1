import type { Focus } from './focus.js';
import type { Slots } from './slots.js';

const GOES_ON = /^\s*(?:and|what about|how about|also|then|but|same|or|so|ok(?:ay)?,?\s+(?:and|so|but))\b/i;
const REFERS = /\b(?:it|its|it's|that|those|them|they|their|there|this (?:service|one)|the service|same service)\b/i;
/** Questions about everything. */
const ALL = /\b(?:all|any|anything|anyone|everything|overall|system|anywhere|everywhere|grid|services|something|whole|every|each|we|in general|which alerts|summary|overview|what(?:'s| is| was| were| are) (?:slow|slower|broken|down|degraded|red))\b/i;
/** Questions with no more words than this lean on what was said before. */
const SHORT = 4;

/** Whether a question takes up what was spoken of, rather than begin anew. */
export function leansOnFocus(text: string, words: number): boolean {
  if (GOES_ON.test(text) || REFERS.test(text)) return true;
  return words <= SHORT && !ALL.test(text);
}

/** Whether a question sets what was spoken of beside something else: "compare it with payment". */
export function refersBack(text: string): boolean {
  return REFERS.test(text);
}

/** What was said, and of the focus what was left unsaid. `isNow`: the time of before is over. */
export function takenUp(said: Slots, focus: Focus, isNow: boolean): Slots {
  const { services, operation, time } = focus.slots;
  const isOther = said.services.length > 0;
  return {
    ...(!isNow && time !== undefined && { time }),
    ...(!isOther && operation !== undefined && { operation }),
    ...said,
    services: isOther ? said.services : services,
  };
}

/** The same question about something else: everything of before that was not said anew. */
export function repeatedWith(said: Slots, focus: Focus, isNow: boolean): Slots {
  const { time: _time, operation: _operation, thing, ...conditions } = focus.slots;
  const isOther = said.services.length > 0 || said.operation !== undefined;
  return { ...conditions, ...(!isOther && thing !== undefined && { thing }), ...takenUp(said, focus, isNow) };
}

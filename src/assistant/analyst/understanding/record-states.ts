import type { Slots } from './slots.js';

/*
 * States of the records that people work on: incidents, silences, error groups, alerts. Each kind of record has its own
 * names for them; the words are the same.
 */

const NOT = String.raw`\b(?:not|never|nobody|no\s+one|un|isn't|aren't|wasn't|weren't|hasn't|haven't|without|yet\s+to\s+be)[\s-]*(?:(?:yet|been|be|being|a|any|an|has|have|the)\s+)*`;
const ENDED = String.raw`(?:resolved|closed|ended|over|finished|expired|solved|done)\b`;
const NOT_ENDED = new RegExp(NOT + ENDED, 'i');
const IS_ENDED = new RegExp(String.raw`\b${ENDED}`, 'i');
const OPEN =
  /\b(?:open|unresolved|ongoing|active|current|currently|still|running|unsolved|in\s+progress|right\s+now|at\s+the\s+moment)\b/i;
const NOT_OPEN = /\b(?:not|no\s+longer|isn't|aren't)\s+(?:still\s+)?(?:open|ongoing|active|running)\b/i;
const REOPENED =
  /\b(?:re-?opened|reappear\w*|re-?occurr?\w*|recurr\w*|regressed|(?:came?|come|coming)\s+back|(?:returned|back)\s+again|back\s+after)\b/i;

/** Words that say a state, which `extractRecordState` has read. */
export const STATE_WORDS =
  /^(?:re)?(?:open|opened|unresolved|resolved|closed|ended|over|finished|expired|solved|unsolved|done|ongoing|active|current|currently|still|running|progress|appear\w*|occurr?\w*|curr\w*|regressed|came|come|coming|back|again|returned|been|yet|after)$/;

export function extractRecordState(text: string): Pick<Slots, 'recordState'> {
  if (REOPENED.test(text)) return { recordState: 'reopened' };
  if (NOT_ENDED.test(text)) return { recordState: 'open' };
  if (IS_ENDED.test(text) || NOT_OPEN.test(text)) return { recordState: 'ended' };
  return OPEN.test(text) ? { recordState: 'open' } : {};
}

const ACKNOWLEDGED = String.raw`(?:acknowledged|acked|ack(?:'d)?|acknowledge|acknowledgement|taken|claimed|assigned|handled)\b`;
const NOT_ACKNOWLEDGED = new RegExp(String.raw`${NOT}${ACKNOWLEDGED}|\bun-?(?:acknowledged|acked|assigned)\b`, 'i');
const IS_ACKNOWLEDGED = new RegExp(String.raw`\b${ACKNOWLEDGED}`, 'i');

/** Words that say whether somebody has taken a record, which `extractAcknowledgement` has read. */
export const ACKNOWLEDGEMENT_WORDS =
  /^(?:un)?(?:acknowledged?|acknowledgement|acked|ack|taken|claimed|assigned|handled|nobody|yet|been)$/;

export function extractAcknowledgement(text: string): Pick<Slots, 'isAcknowledged'> {
  if (NOT_ACKNOWLEDGED.test(text)) return { isAcknowledged: false };
  return IS_ACKNOWLEDGED.test(text) ? { isAcknowledged: true } : {};
}

import type { RecordState, Slots } from './slots.js';

/*
 * States of the records that people work on: incidents, silences, error groups, alerts. Each kind of record has its own
 * names for them; the words are the same.
 */

/** How refusals name the states. */
export const STATE_NAMES: Readonly<Record<RecordState, string>> = {
  open: 'open',
  planned: 'planned',
  unended: 'not resolved',
  unopen: 'not active',
  ended: 'ended',
  reopened: 'reopened',
};

const BETWEEN = String.raw`[\s-]*(?:(?:yet|been|be|being|a|any|an|has|have|the|currently|already)\s+)*`;
const NOT = String.raw`\b(?:not|never|nobody|no\s+one|un|isn't|aren't|wasn't|weren't|hasn't|haven't|without|yet\s+to\s+be)${BETWEEN}`;
const ENDED = String.raw`(?:resolved|closed|ended|over(?!\s+(?:the|an?|all)\b)|finished|expired|solved|done)\b`;
const OPEN = String.raw`(?:open|ongoing|active|running|in\s+progress)\b`;
/** Words for the present, which say nothing beside another state: "still resolved". */
const PRESENT = String.raw`\b(?:current|currently|still|right\s+now|at\s+the\s+moment)\b`;
const PLANNED = String.raw`(?:planned|upcoming|future|scheduled|(?:begin|start)s?\s+(?:later|soon|next)|yet\s+to\s+(?:begin|start)|later(?=\s*\W*$))\b`;
const REOPENED = String.raw`(?:re-?opened|reappear\w*|re-?occurr?\w*|recurr\w*|regressed|(?:came?|come|coming)\s+back|(?:returned|back)\s+again|back\s+after)\b`;
const STATES = new RegExp(
  [
    String.raw`(?<unread>${NOT}(?:still\s+)?(?:${REOPENED}|${PLANNED}))`,
    String.raw`(?<unended>${NOT}(?:still\s+)?${ENDED})`,
    String.raw`(?<planned>\b${PLANNED}|\b(?:not|aren't|isn't)\s+yet\s+${OPEN}|\b(?:not|aren't|isn't)\s+${OPEN}\s+yet\b)`,
    String.raw`(?<ended>\b${ENDED}|\b(?:no\s+longer|(?:not|isn't|aren't)\s+still)\s+${OPEN}|\b(?:not|isn't|aren't)\s+${OPEN}\s+any\s?more\b)`,
    String.raw`(?<unopen>${NOT}${OPEN}|\binactive\b)`,
    String.raw`(?<reopened>\b${REOPENED})`,
    String.raw`(?<open>\b${OPEN})`,
    String.raw`(?<present>${PRESENT})`,
  ].join('|'),
  'gi',
);
/** Between states of which a record has one or the other. */
const OR = /,|\/|\b(?:or|and|nor)\b(?!\s+(?:then|again|later|now))/i;

/** Words that say a state, which `extractRecordStates` has read. */
export const STATE_WORDS =
  /^(?:re|in|un)?(?:open|opened|resolved|closed|ended|over|finished|expired|solved|done|ongoing|active|current|currently|still|running|progress|planned|upcoming|future|scheduled|later|soon|next|longer|any|more|anymore|already|appear\w*|occurr?\w*|curr\w*|regressed|came|come|coming|back|again|returned|been|yet|after)$/;

interface StatePhrase {
  readonly state: RecordState | 'unread' | 'present';
  readonly from: number;
  readonly to: number;
}

function findStates(text: string): readonly StatePhrase[] {
  const all = [...text.matchAll(STATES)].map(({ groups = {}, index, 0: { length } }): StatePhrase => {
    const [state] = Object.entries(groups).find(([, written]) => (written as string | undefined) !== undefined)!;
    return { state: state as StatePhrase['state'], from: index, to: index + length };
  });
  const named = all.filter(({ state }) => state !== 'present');
  // A record that came back had ended before.
  const isBack = named.some(({ state }) => state === 'reopened');
  return named.filter(
    ({ state, from }, at) =>
      !isBack ||
      state !== 'ended' ||
      (at > 0 ? OR.test(text.slice(named[at - 1].to, from)) : OR.test(text.slice(named[0].to, named[1].from))),
  );
}

/** The states of which a record has one; none if the text names no state, or `findUnreadStates` finds some. */
export function extractRecordStates(text: string): Pick<Slots, 'recordStates'> {
  const states = [...new Set(findStates(text).map(({ state }) => state))];
  if (findUnreadStates(text).length > 0) return {};
  const named = states.filter((state): state is RecordState => state !== 'unread' && state !== 'present');
  if (named.length > 0) return { recordStates: named };
  return new RegExp(PRESENT, 'i').test(text) ? { recordStates: ['open'] } : {};
}

/** States that no filter applies, as the text says them: "not reopened", "open ones that are over". */
export function findUnreadStates(text: string): readonly string[] {
  const found = findStates(text);
  return found
    .filter(({ state, from }, at) => {
      const before = found[at - 1] as StatePhrase | undefined;
      return (
        state === 'unread' || (before !== undefined && before.state !== state && !OR.test(text.slice(before.to, from)))
      );
    })
    .map(({ from, to }) => text.slice(from, to).trim());
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

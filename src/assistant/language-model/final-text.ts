import { wholeCharacters } from '../shortened.js';

/** Begins the lines of an answer that are questions to ask next. */
export const FOLLOW_UP_MARK = '>> ';

/** Bounds of what a model may say, in UTF-16 units. */
const MOST_RESPONSE = 8_000;
const MOST_FOLLOW_UP = 120;
const MOST_FOLLOW_UPS = 3;

export interface FinalText {
  /** "" where the model said nothing. */
  readonly response: string;
  readonly followUps: readonly string[];
}

/** What a model said, as text for people: without what browsers or terminals could take for more than text. */
export function finalText(said: string): FinalText {
  const lines = plain(wholeCharacters(said, 2 * MOST_RESPONSE)).split('\n');
  const isFollowUp = (line: string): boolean => line.startsWith(FOLLOW_UP_MARK);
  const followUps = lines.filter(isFollowUp).map((line) => line.slice(FOLLOW_UP_MARK.length).trim()).filter((line) => line !== '' && line.length <= MOST_FOLLOW_UP);
  const response = lines.filter((line) => !isFollowUp(line)).join('\n').trim();
  return { response: wholeCharacters(response, MOST_RESPONSE), followUps: [...new Set(followUps)].slice(0, MOST_FOLLOW_UPS) };
}

/** Links and pictures keep their text: whoever follows one, or loads it, tells its owner what was answered. */
function plain(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ' ')
    .replace(/!?\[([^\][]*)\]\s?\([^()]*\)/g, '$1')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/\b(?:(?:https?|ftp|data|javascript|file):|www\.)\S+/gi, '(address left out)');
}

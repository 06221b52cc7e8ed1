import type { SpanStatus } from '../../queries/answers.js';
import type { Said } from './hearing.js';
import { LEXICON } from './lexicon.js';

const NOT = String.raw`\b(?:not|never|cannot|unable|no\s+longer|(?:do|does|did|is|are|was|were|has|have|had|ca|could|wo|would)n'?t)`;
/** What may stand between: "were not yet sent successfully". Whoever "cannot find" what succeeded means what succeeded. */
const BETWEEN = String.raw`(?:\s+(?!(?:find|see|know|understand|and|but|only)\b)[\w'-]+){0,4}?`;
const SUCCESS = LEXICON.succeeded.map((phrase) => phrase.replaceAll(' ', String.raw`\s+`)).join('|');
const FAILURE = String.raw`(?:fail(?:s|ed|ing)?|error(?:s|ed|ing)?|crash(?:ed)?|break|broke|time\s+out)`;
const NO_FAILURE = new RegExp(String.raw`${NOT}${BETWEEN}\s+${FAILURE}\b|\b(?:without|with\s+no)\s+(?:an?\s+|any\s+)?(?:errors?|failures?|exceptions?)\b|\b(?:error|failure)[\s-]free\b|\bnon[\s-]fail(?:ed|ing)\b`, 'i');
const NO_SUCCESS = new RegExp(String.raw`${NOT}${BETWEEN}\s+(?:${SUCCESS})\b`, 'i');

/** "That did not fail", "without errors" */
export function saysNoFailure(text: string): boolean {
  return NO_FAILURE.test(text);
}

/** How requests ended that somebody asks for; undefined where that is not said. What "never went through" failed, and what "did not fail" went through. */
export function outcomeIn(text: string, present: Said['present']): SpanStatus | undefined {
  if (saysNoFailure(text)) return 'OK';
  if (present.has('succeeded') && !present.has('failed')) return NO_SUCCESS.test(text) ? 'ERROR' : 'OK';
  return present.has('failed') || present.has('errors') || present.has('broken') ? 'ERROR' : undefined;
}

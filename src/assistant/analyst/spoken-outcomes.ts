import type { SpanStatus } from '../../queries/answers.js';
import type { Said } from './hearing.js';
import { LEXICON } from './lexicon.js';

const NOT = String.raw`\b(?:not|never|cannot|unable|no\s+longer|(?:do|does|did|is|are|was|were|has|have|had|ca|could|wo|would)n'?t)`;
/** What may stand between, and leaves the verb denied: "were not yet sent successfully". What "was not retried and failed" has failed. */
const BETWEEN = String.raw`(?:\s+(?:yet|ever|even|once|all|any|an?|to|be|been|being|get|got|getting|have|had|able|manage|managed|seem|(?!only\b)[a-z]+ly)\b){0,4}`;
const SUCCESS = LEXICON.succeeded.map((phrase) => phrase.replaceAll(' ', String.raw`\s+`)).join('|');
const FAILURE = String.raw`(?:(?:end|ended|return|returned|throw|thrown|report|reported)\s+(?:up\s+)?(?:in\s+|with\s+)?(?:an?\s+|any\s+)?)?(?:fail(?:s|ed|ing|ures?)?|error(?:s|ed|ing)?|crash(?:ed)?|break|broke|time\s+out)`;
const NO_FAILURE = new RegExp(String.raw`${NOT}${BETWEEN}\s+${FAILURE}\b|\b(?:without|with\s+no)\s+(?:an?\s+|any\s+)?(?:errors?|failures?|exceptions?)\b|\b(?:error|failure)[\s-]free\b|\bnon[\s-]fail(?:ed|ing)\b`, 'i');
const NO_SUCCESS = new RegExp(String.raw`${NOT}${BETWEEN}\s+(?:(?:[a-z]+\s+)?successfully|${SUCCESS})\b`, 'i');

/** "That did not fail", "without errors". */
export function saysNoFailure(text: string): boolean {
  return NO_FAILURE.test(text);
}

/** How requests ended that somebody asks for; undefined where that is not said. What "never went through" failed, and what "did not fail" went through. */
export function outcomeIn(text: string, present: Said['present']): SpanStatus | undefined {
  if (saysNoFailure(text)) return 'OK';
  if (present.has('succeeded') && !present.has('failed')) return NO_SUCCESS.test(text) ? 'ERROR' : 'OK';
  return present.has('failed') || present.has('errors') || present.has('broken') ? 'ERROR' : undefined;
}

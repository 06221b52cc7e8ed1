import type { SpanStatus } from '../../queries/answers.js';
import type { Said } from './hearing.js';
import { LEXICON } from './lexicon.js';

const NOT = String.raw`\b(?:not|never|cannot|unable|no\s+longer|(?:do|does|did|is|are|was|were|has|have|had|ca|could|wo|would)n'?t)`;
/** What may stand between: "were not yet sent successfully". Whoever "cannot find" what succeeded means what succeeded. */
const BETWEEN = String.raw`(?:\s+(?!(?:find|see|know|understand|and|but|only)\b)[\w'-]+){0,4}?`;
const SUCCESS = LEXICON.succeeded.map((phrase) => phrase.replaceAll(' ', String.raw`\s+`)).join('|');
const NO_SUCCESS = new RegExp(String.raw`${NOT}${BETWEEN}\s+(?:${SUCCESS})\b`, 'i');

/** How requests ended that somebody asks for; undefined where that is not said. What "never went through" failed. */
export function outcomeIn(text: string, present: Said['present']): SpanStatus | undefined {
  if (present.has('succeeded') && !present.has('failed')) return NO_SUCCESS.test(text) ? 'ERROR' : 'OK';
  return present.has('failed') || present.has('errors') || present.has('broken') ? 'ERROR' : undefined;
}

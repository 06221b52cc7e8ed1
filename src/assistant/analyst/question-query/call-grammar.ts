import type { EntityVocabulary } from '../entities/entity-vocabulary.js';
import { MARK, type MarkedText } from './marked-text.js';

export interface CallReading {
  /** Asks about calls from one service to another service or dependency. */
  readonly isCall: boolean;
  /** Services that one trace must have spans of. */
  readonly touched: readonly string[];
}

const NAME = MARK.name;
const CALL_NOUN = String.raw`(?:calls?|quer(?:y|ies)|invocations?|requests?|traffic)`;
const CALL_VERB = String.raw`(?:calls?|calling|quer(?:y|ies)|queried|uses?|used|using|invokes?|invoked|hits?|talks?\s+to|talked\s+to)`;
const PASSIVE = String.raw`(?:called|queried|invoked|hit|used|contacted)`;

/** Pairs of caller and callee, and callees alone; the first that fits a part of the text reads it. */
const PATTERNS: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:${CALL_NOUN}\s+)?(?:made\s+|sent\s+)?(?:from|by)\s+(?<caller>${NAME})\s*(?:to|into|against|towards)\s+(?<callee>${NAME})`,
    'g',
  ),
  new RegExp(
    String.raw`\b${CALL_NOUN}\s+(?:to|into|on|against)\s+(?:the\s+)?(?<callee>${NAME})\s*(?:made\s+|sent\s+)?(?:from|by)\s+(?:the\s+)?(?<caller>${NAME})`,
    'g',
  ),
  new RegExp(String.raw`\b${CALL_NOUN}\s+(?<caller>${NAME})\s*(?:to|into)\s+(?<callee>${NAME})`, 'g'),
  new RegExp(String.raw`(?<caller>${NAME})\s*${CALL_NOUN}\s+(?:to|into|against)\s+(?:the\s+)?(?<callee>${NAME})`, 'g'),
  new RegExp(
    String.raw`(?<callee>${NAME})\s*(?:was|is|were|being|get|got|gets|been)?\s*(?:being\s+|been\s+)?${PASSIVE}\s+by\s+(?:the\s+)?(?<caller>${NAME})`,
    'g',
  ),
  new RegExp(String.raw`(?<caller>${NAME})\s*(?:does\s+|did\s+)?${CALL_VERB}\s+(?:the\s+)?(?<callee>${NAME})`, 'g'),
  new RegExp(
    String.raw`\b(?:was|is|were|did|does|has)\s+(?:the\s+)?(?<callee>${NAME})\s*(?:been\s+|being\s+|get\s+)?${PASSIVE}\b`,
    'g',
  ),
  new RegExp(String.raw`(?<callee>${NAME})\s*(?:was|is|were|gets?|got)\s+(?:being\s+)?${PASSIVE}\b`, 'g'),
  new RegExp(String.raw`\bcalls?\s+(?:to|into|on|against)\s+(?:the\s+)?(?<callee>${NAME})`, 'g'),
  new RegExp(String.raw`\bcalls\s+(?:made\s+)?(?:from|by)\s+(?:the\s+)?(?<caller>${NAME})`, 'g'),
];
const EDGE = new RegExp(String.raw`(?<caller>${NAME})\s*to\s+(?:the\s+)?(?<callee>${NAME})`, 'g');
const TOUCH = String.raw`(?:touch(?:e[ds]|ing)?|involv(?:e[ds]?|ing)|(?:go(?:es|ing)?|went|pass(?:e[ds]|ing)?|run(?:ning)?|ran)\s+through|pass(?:ed|es)?|span(?:ning|ned|s)?|visit(?:ed|s|ing)?|reach(?:ed|es|ing)?|cross(?:ed|es|ing)?|includ(?:e[ds]?|ing)|contain(?:s|ed|ing)?|hit|have\s+spans\s+(?:of|in|from)|with\s+spans\s+(?:of|in|from))`;
const TOUCHED = new RegExp(
  String.raw`(?:\b${TOUCH}\s+(?:both\s+)?|\bboth\s+)(?:the\s+)?(?<names>${NAME}(?:\s*(?:,|and|as\s+well\s+as)\s*(?:the\s+)?${NAME})+)`,
  'g',
);

/** Reads names: callers and callees of calls, services that a trace touches, and services as conditions. */
export function readCalls(text: MarkedText, { services }: EntityVocabulary): CallReading {
  const isService = new Set(services);
  let isCall = false;
  const touched: string[] = [];
  if (/\b(?:traces?|transactions?)\b/.test(text.text))
    text.take(TOUCHED, ({ names = '' }) => {
      touched.push(...[...names.matchAll(new RegExp(NAME, 'g'))].map(([mark]) => text.get('name', mark)));
      return ' ';
    });
  // "Checkout to payment" is an edge, unless both are compared.
  const patterns = /\b(?:compar\w*|differ\w*|relative|next)\b/.test(text.text) ? PATTERNS : [...PATTERNS, EDGE];
  for (const pattern of patterns)
    text.take(pattern, ({ caller, callee }) => {
      isCall = true;
      const marks = [
        ...(caller === undefined
          ? []
          : [text.mark('condition', { kind: 'in', field: 'service', values: [text.get('name', caller)] })]),
        ...(callee === undefined ? [] : [text.mark('condition', { kind: 'callee', name: text.get('name', callee) })]),
      ];
      return ` calls ${marks.join(' ')}`;
    });
  text.take(new RegExp(NAME, 'g'), (_, mark) => {
    const name = text.get('name', mark);
    if (isService.has(name)) return text.mark('condition', { kind: 'in', field: 'service', values: [name] });
    isCall = true;
    return text.mark('condition', { kind: 'callee', name });
  });
  return { isCall, touched };
}

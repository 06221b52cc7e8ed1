import type { QuestionCondition } from './question-query.js';
import { MARK, type MarkedText } from './marked-text.js';

const VERB = String.raw`(?:contain(?:s|ed|ing)?|mention(?:s|ed|ing)?|say(?:s|ing)?|match(?:es|ing)?|includ(?:e|es|ing)|read(?:s|ing)?)`;
const NOUN = String.raw`(?:words?|texts?|phrases?|strings?|terms?)`;
const LEAD = String.raw`(?:(?:(?:that|which)\s+)?(?:do(?:es)?\s+)?(?<negated>not\s+)?${VERB}(?:\s+(?:the\s+)?${NOUN})?|(?:(?<without>without)|with|about|for)\s+(?:the\s+)?${NOUN}|about)`;
const STOP = String.raw`(?=\s*(?:[,.;?!]|$|\b(?:by|per|each|every|in|from|of|how|which|what|between|during|since|logged|written|grouped|today)\b|[\uE000-\uE5FF\uE700-\uE7FF]))`;
// Words and what joins items exclude each other, so that a text is split in one way only and matching takes linear time.
const WORD = String.raw`(?!(?:or|and|but|not|nor|without|by|per|each|every|in|from|of|how|which|what|between|during|since|logged|written|grouped)\b)[\w'./:@-]+`;
const FIRST_WORD = String.raw`(?!(?:or|and|but|not|nor|without)\b)[\w'./:@-]+`;
const ITEM = String.raw`(?:${MARK.quoted}|${FIRST_WORD}(?:\s+${WORD})*)`;
const NEXT_ITEM = String.raw`(?:(?:${VERB}\s+)?(?:the\s+)?(?:${NOUN}\s+)?${MARK.quoted}|${FIRST_WORD}(?:\s+${WORD})*)`;
const JOIN = String.raw`(?:\s*(?:\bor\b|\band\b|\bbut\b|,\s*or\b)(?:\s+(?:not|without|nor)\b)?|\s+(?:not|without|nor)\b)\s*`;
const PHRASES = new RegExp(String.raw`\b${LEAD}\s+(?<items>${ITEM}(?:${JOIN}${NEXT_ITEM})*?)${STOP}`, 'g');
const LOGS = /\b(?:logs?|entr(?:y|ies)|lines?|messages?|logged(?!\s+(?:in|on|out)\b)|logging)\b/;

/** Words and phrases that log entries contain: "mentioning tripod or binoculars", "with the word charged but not EUR". */
export function readLogPhrases(text: MarkedText): void {
  if (!LOGS.test(text.text)) return;
  text.take(PHRASES, ({ items = '', negated, without }) => {
    const condition = readItems(text, items);
    return text.mark('condition', (negated ?? without) === undefined ? condition : { kind: 'not', term: condition });
  });
  // A quotation beside logs is a text even without a verb.
  text.take(
    new RegExp(String.raw`(?:\b(?<negated>not|without)\s+)?(?<mark>${MARK.quoted})`, 'g'),
    ({ mark = '', negated }) => {
      const condition = { kind: 'text', phrase: text.get('quoted', mark) } as const;
      return text.mark('condition', negated === undefined ? condition : { kind: 'not', term: condition });
    },
  );
}

/** `a or b but not c`: alternatives of what must be contained, each with what must not. */
function readItems(text: MarkedText, items: string): QuestionCondition {
  const alternatives = items.split(/[\s,]*\bor\b\s*/).map((alternative): QuestionCondition => {
    const terms = alternative
      .split(/\s*\b(?:but|and)\b\s*|\s+(?=(?:not|without|nor)\s)/)
      .map((item) => readItem(text, item));
    return terms.length === 1 ? terms[0] : { kind: 'all', terms };
  });
  return alternatives.length === 1 ? alternatives[0] : { kind: 'any', terms: alternatives };
}

function readItem(text: MarkedText, item: string): QuestionCondition {
  const isNegated = /^\s*(?:not|without|nor)\b/.test(item);
  const words = item
    .replace(new RegExp(String.raw`^\s*(?:not|without|nor)\b|\b(?:the\s+)?${NOUN}\s+(?=\S)|^\s*${VERB}\s+`, 'g'), ' ')
    .trim();
  const condition: QuestionCondition = {
    kind: 'text',
    phrase: new RegExp(MARK.quoted).test(words) ? text.get('quoted', words) : words,
  };
  return isNegated ? { kind: 'not', term: condition } : condition;
}

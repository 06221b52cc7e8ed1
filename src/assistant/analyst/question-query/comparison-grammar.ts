import { MARK, type MarkedText } from './marked-text.js';
import type { QuestionCondition, QuestionMeasure } from './question-query.js';

export interface ComparisonReading {
  /** Members of a group are compared: "is eu-west-1 slower than us-east-1". */
  readonly isCompared: boolean;
  /** The condition whose records are compared with all others: "umbrella vs other tenants". */
  readonly besideRest?: QuestionCondition;
}

const AVERAGE: QuestionMeasure = { fn: 'avg', field: 'duration' };
const P95: QuestionMeasure = { fn: 'p95', field: 'duration' };
const MEMBER = String.raw`(?:${MARK.condition}|${MARK.name}|${MARK.value})`;
const LEAD = String.raw`(?:(?:the|an?|for|in|on|from|with|to|of|at|by)\s+)*`;
const SPEED = 'slower|faster|quicker';
const GRADE = `${SPEED}|worse|better`;
const AMOUNT = 'higher|lower|more|fewer|less|bigger|larger|greater|smaller';
const VERSUS = String.raw`(?:vs\.?|versus|than|against|compared\s+(?:to|with))`;
const REST = String.raw`(?:all\s+|any\s+)?(?:the\s+)?(?:(?:everybody|everyone|everything)\s+else|others?\s+${MARK.field}|others?(?:\s+ones?)?|rest)(?!\w)`;

/** Between two members comparatives say what is compared; nothing else of them restricts the answer. */
export function readComparison(text: MarkedText): ComparisonReading {
  let isCompared = false;
  let besideRest: QuestionCondition | undefined;
  const compare = (kept: string): string => {
    isCompared = true;
    return kept;
  };
  text.take(
    new RegExp(String.raw`(?<member>${MARK.condition})(?<between>[^,]{0,80}?)\b${VERSUS}\s+${LEAD}(?:${REST})`, 'g'),
    ({ member = '', between = '' }) => {
      besideRest = text.get('condition', member);
      return ` ${between.replace(new RegExp(String.raw`\b(?:${GRADE}|${AMOUNT})\b`, 'g'), ' ')} `;
    },
  );
  if (besideRest === undefined) {
    const than = String.raw`(?=[^,]{0,40}?\bthan\s+${LEAD}${MEMBER})`;
    text.take(new RegExp(String.raw`\b(?:any\s+)?(?:(?<speed>${SPEED})|worse|better)\b${than}`, 'g'), ({ speed }) =>
      compare(speed === undefined ? ' ' : text.mark('measure', AVERAGE) + text.mark('measure', P95)),
    );
    text.take(new RegExp(String.raw`\bfail(?:s|ed|ing)?\s+more(?:\s+often)?\b${than}`, 'g'), () =>
      compare(text.mark('measure', { fn: 'errorRate' })),
    );
    text.take(new RegExp(String.raw`\b(?:an?\s+|the\s+)?(?:${AMOUNT})\b${than}`, 'g'), () => compare(' '));
  }
  // "Which model is slower, a or b": the alternatives are what is compared.
  const either = String.raw`(?=[^,]{0,40}?,?\s*${LEAD}${MEMBER}\s*(?:,|or)\s*${LEAD}${MEMBER})`;
  text.take(new RegExp(String.raw`\b(?:(?<speed>${SPEED})|worse|better)\b\s*[,:]?${either}`, 'g'), ({ speed }) =>
    compare(speed === undefined ? ' ' : `${text.mark('measure', AVERAGE)}${text.mark('measure', P95)}`),
  );
  // "What happens more often, 429 or 504": the values of one condition.
  if (text.remaining('condition').some((each) => each.kind === 'in' && each.values.length > 1))
    text.take(/\bmore\s+(?:often|frequent(?:ly)?|common)\b/g, () => compare(text.mark('measure', { fn: 'count' })));
  if (isCompared) text.take(new RegExp(String.raw`\bthan\b(?=\s+${LEAD}${MEMBER})`, 'g'), () => 'and');
  return { isCompared, ...(besideRest !== undefined && { besideRest }) };
}

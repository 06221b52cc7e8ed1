import { MARK, type MarkedText } from './marked-text.js';
import type { QuestionCondition } from './question-query.js';
import { splitIdentifier } from '../lexicon/tokenizer.js';
import { isFunctionWord } from '../lexicon/function-words.js';
import { singularize } from '../lexicon/word-matching.js';
import { SHARE_PIVOT } from './share-pivot.js';

export interface ConditionReading {
  readonly conditions: readonly QuestionCondition[];
  /** Number of conditions before the pivot of a share. */
  readonly pivotAt?: number;
}

const CONDITION = MARK.condition;
const FIELD = MARK.field;
const SEVERITIES: readonly (readonly [RegExp, string])[] = [
  [/\berrors?\b/g, 'Error'],
  [/\bwarn(?:ing)?s?\b/g, 'Warning'],
  [/\binfo(?:rmation(?:al)?)?\b/g, 'Information'],
  [/\bdebug\b/g, 'Debug'],
  [/\bfatal\b/g, 'Fatal'],
];
const STATUSES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:failed|failing|fail|fails|errors?|errored|erroneous|unsuccessful|failures?)\b/g, 'ERROR'],
  [
    // "Went through gls" and "through the gateway" are about what they name.
    new RegExp(
      String.raw`\b(?:success(?:ful(?:ly)?)?|succeed(?:ed|s)?)\b|\b(?:went|go|goes|gone)\s+through\b(?=\s*(?:$|[?.,;]|${MARK.time}|(?:and|but|or|in|on|at|since|during|within|over|between|until|before|after|today|yesterday|last|this|without|with)\b))`,
      'g',
    ),
    'OK',
  ],
];
const KIND = /\b(?<kind>server|client|producer|consumer|internal)\s+(?=spans?\b|(?:side\s+)?(?:requests?|calls?)\b)/g;
const NEGATION = String.raw`\b(?:(?:not|without)\s+(?:counting|including|considering)|no|not|without|except(?:\s+for)?|excluding|excludes?|other\s+than|apart\s+from|aside\s+from|besides|but\s+not|minus|outside(?:\s+of)?|ignoring|leaving\s+out|all\s+but)\s+(?:(?:from|of|in|on|by|to|for|with|the|any|an?|those|that|being|at|called)\s+)*`;
const AND = String.raw`\s*(?:,\s*(?:and|or)?|and|or|nor|vs\.?|versus|with|to|against|than)\s*(?:(?:from|of|in|on|for|the|by)\s+)*`;

/** Reads conditions on fields, statuses and severities, and what joins conditions: alternatives and negations. */
export function readConditions(text: MarkedText, isLog: boolean, isCompared: boolean): ConditionReading {
  text.take(
    /\b(?:of\s+|with\s+)?(?:the\s+)?kind\s+(?<kind>server|client|producer|consumer|internal)\b/g,
    ({ kind = '' }) => text.mark('condition', { kind: 'in', field: 'kind', values: [kind.toUpperCase()] }),
  );
  text.take(KIND, ({ kind = '' }) =>
    text.mark('condition', { kind: 'in', field: 'kind', values: [kind.toUpperCase()] }),
  );
  if (isLog) readSeverityBounds(text);
  for (const [pattern, value] of isLog ? SEVERITIES : STATUSES)
    text.take(pattern, () =>
      text.mark('condition', { kind: 'in', field: isLog ? 'severity' : 'status', values: [value] }),
    );
  mergeValues(text);
  // "But" may add or leave out: nothing reads it before a condition.
  text.take(new RegExp(String.raw`\bbut\s+(?=(?:from|of|in|on|for|with|the)?\s*${CONDITION})`, 'g'), () => ' but- ');
  text.take(new RegExp(`${NEGATION}(?<mark>${CONDITION})`, 'g'), ({ mark = '' }) =>
    text.mark('condition', negate(text.get('condition', mark))),
  );
  mergeAlternatives(text);
  if (isCompared) mergeCompared(text);
  const pivot = text.text.indexOf(SHARE_PIVOT);
  const before = pivot < 0 ? '' : text.text.slice(0, pivot);
  const conditions = text.remaining('condition');
  text.text = text.text.replace(SHARE_PIVOT, ' ');
  return {
    conditions,
    ...(pivot >= 0 && { pivotAt: [...before.matchAll(new RegExp(CONDITION, 'g'))].length }),
  };
}

const ASCENDING = ['Debug', 'Information', 'Warning', 'Error', 'Fatal'];

/** "At warning or above". */
function readSeverityBounds(text: MarkedText): void {
  for (const [pattern, value] of SEVERITIES)
    text.take(
      new RegExp(
        String.raw`${pattern.source}\s+(?:level\s+)?(?:or|and)\s+(?:(?<up>above|higher|worse|more\s+severe|up)|below|lower|less\s+severe)\b`,
        'g',
      ),
      ({ up }) => {
        const at = ASCENDING.indexOf(value);
        const values = up === undefined ? ['Trace', ...ASCENDING.slice(0, at + 1)] : ASCENDING.slice(at);
        return text.mark('condition', { kind: 'in', field: 'severity', values });
      },
    );
}

/** `host node-2`, `tier = gold`, `gold tier`. */
export function readFieldConditions(text: MarkedText): void {
  const is = String.raw`\s*(?:=+|:|\b(?:is|was|of|equals?|equal\s+to|named|called|like)\b)?\s*`;
  const isNot = String.raw`\s*(?:!=|<>|\b(?:is|was|are)\s+not\b|\bnot\b|\bother\s+than\b)\s*`;
  const value = String.raw`(?<value>${MARK.value}|${MARK.quoted})`;
  const readMark = (mark: string): string =>
    new RegExp(MARK.value).test(mark) ? text.get('value', mark) : text.get('quoted', mark);
  const condition = (field: string, mark: string): QuestionCondition => ({
    kind: 'in',
    field,
    values: [readMark(mark)],
  });
  text.take(new RegExp(`(?<field>${FIELD})${isNot}${value}`, 'g'), ({ field = '', value: mark = '' }) =>
    text.mark('condition', { kind: 'not', term: condition(text.get('field', field), mark) }),
  );
  text.take(
    new RegExp(
      `(?<field>${FIELD})${is}${value}(?<more>(?:\\s*(?:,|or|and|vs\\.?|versus|with)\\s*(?:${MARK.value}|${MARK.quoted}))*)`,
      'g',
    ),
    ({ field = '', value: mark = '', more = '' }) => {
      const name = text.get('field', field);
      const others = [...more.matchAll(new RegExp(`${MARK.value}|${MARK.quoted}`, 'g'))].map(([other]) =>
        readMark(other),
      );
      return text.mark('condition', { kind: 'in', field: name, values: [readMark(mark), ...others] });
    },
  );
  text.take(
    new RegExp(
      String.raw`(?<field>${FIELD})\s*(?:(?<sign>=+|:|\b(?:equals?|equal\s+to)\b)|\bis\b)\s*(?<word>[a-z0-9_][\w./:-]*)`,
      'g',
    ),
    ({ field = '', sign, word = '' }) => {
      if (sign === undefined && !IS_VALUE.test(word)) return readPredicate(text, field, word);
      return text.mark('condition', { kind: 'in', field: text.get('field', field), values: [word] });
    },
  );
  text.take(new RegExp(String.raw`${value}\s*(?<field>${FIELD})`, 'g'), ({ field = '', value: mark = '' }) =>
    text.mark('condition', condition(text.get('field', field), mark)),
  );
  // The words of a field beside its value: "gold tier".
  text.take(
    new RegExp(
      String.raw`(?<mark>${CONDITION})\s*(?<field>${FIELD})|(?<before>${FIELD})\s*(?:=+|:|\b(?:is|was|are|equals?|called)\b)?\s*(?<after>${CONDITION})`,
      'g',
    ),
    ({ mark, field, before, after }) => {
      const [conditionMark = '', fieldMark = ''] = [mark ?? after, field ?? before];
      const read = text.get('condition', conditionMark);
      return read.kind === 'in' && read.field === text.get('field', fieldMark) ? conditionMark : undefined;
    },
  );
}

/** Words that can only be values, whatever the attribute. */
const IS_VALUE = /^(?:true|false|\d[\w./:-]*)$/;

/**
 * "Tier is gold", "which region is suffering": the word is a value only if the Grid has it, which a look-up tells. Names
 * of services and operations are read by themselves.
 */
function readPredicate(text: MarkedText, field: string, word: string): string | undefined {
  if (isFunctionWord(word) || PREDICATE.test(word) || !text.get('field', field).includes('.')) return undefined;
  return ` ${field} ${text.mark('value', word)} `;
}

/** What is told of a field, and no value of it. */
const PREDICATE =
  /^(?:highest|lowest|slowest|fastest|worst|best|above|below|most|least|slow|slower|faster|failing|failed|missing|busiest)$/;

/** "Cache hits" are records whose flag is true; "cache hit ratio" is their share. */
export function readFlags(text: MarkedText, flags: ReadonlySet<string>): void {
  if (flags.size === 0) return;
  readFlagStates(text, flags);
  readMisses(text, flags);
  const condition = (field: string): string => text.mark('condition', { kind: 'in', field, values: ['true'] });
  const ratio = new RegExp(
    String.raw`(?<field>${FIELD})\s*(?:ratios?|rates?|percentages?|shares?|proportions?)\b`,
  ).exec(text.text);
  const shared = ratio?.groups?.field;
  if (ratio !== null && shared !== undefined && flags.has(text.get('field', shared))) {
    const rest = `${text.text.slice(0, ratio.index)} ${text.text.slice(ratio.index + ratio[0].length)}`;
    const whole = text.mark('condition', { kind: 'exists', field: text.get('field', shared) });
    text.text = `${rest} ${whole} ${SHARE_PIVOT} ${condition(text.get('field', shared))}`;
  }
  text.take(
    new RegExp(
      String.raw`(?<!\b(?:by|per|each|every|which|what)\s+)(?<field>${FIELD})(?!\s*(?:=|:\S|is\b|true\b|false\b))`,
      'g',
    ),
    ({ field = '' }) => {
      const name = text.get('field', field);
      return flags.has(name) ? condition(name) : undefined;
    },
  );
  readFlagged(text, flags);
}

/** The name, or the only word of the operation, that a mark stands for. */
function nameOf(text: MarkedText, mark: string): string | undefined {
  if (new RegExp(MARK.name).test(mark)) return text.get('name', mark).toLowerCase();
  const read = text.get('condition', mark);
  return read.kind === 'in' && read.field === 'operation' ? splitIdentifier(read.values[0]).at(-1) : undefined;
}

/** "Express orders" for `order.express`: the noun says what has the flag, and is no name. */
function readFlagged(text: MarkedText, flags: ReadonlySet<string>): void {
  text.take(new RegExp(String.raw`(?<mark>${CONDITION})\s*(?<noun>[a-z]+)\b`, 'g'), ({ mark = '', noun = '' }) => {
    const read = text.get('condition', mark);
    const isOfFlag = read.kind === 'in' && flags.has(read.field);
    return isOfFlag && splitIdentifier(read.field).includes(singularize(noun)) ? ` ${mark} ` : undefined;
  });
  // A queue may be called `orders` too.
  text.take(
    new RegExp(String.raw`(?<mark>${CONDITION})\s*(?<name>${MARK.name}|${CONDITION})`, 'g'),
    ({ mark = '', name = '' }) => {
      const read = text.get('condition', mark);
      const words = read.kind === 'in' && flags.has(read.field) ? splitIdentifier(read.field) : [];
      const noun = nameOf(text, name);
      return noun !== undefined && words.includes(singularize(noun)) ? ` ${mark} ` : undefined;
    },
  );
}

/** "Cache misses" are records whose `cache.hit` is false. */
function readMisses(text: MarkedText, flags: ReadonlySet<string>): void {
  for (const field of flags) {
    const [last = '', ...before] = splitIdentifier(field).reverse();
    if (last !== 'hit' || before.length === 0) continue;
    text.take(new RegExp(String.raw`\b${before[0]}\s+miss(?:es|ed)?\b`, 'g'), () =>
      text.mark('condition', { kind: 'in', field, values: ['false'] }),
    );
  }
}

const ON = 'on|true|enabled|active|yes|set';
const OFF = 'off|false|disabled|inactive|no|unset';

/** "Flag on vs off", "with the flag off": the values of a flag by their usual words. */
function readFlagStates(text: MarkedText, flags: ReadonlySet<string>): void {
  const state = String.raw`(?:(?:is|was|being|turned|switched|set\s+to|=)\s+)*`;
  const both = String.raw`(?:${ON})\s*(?:or|and|vs\.?|versus|/|than|compared\s+(?:to|with))\s*(?:(?:when\s+)?(?:it\s+is\s+)?)(?:${OFF})|(?:${OFF})\s*(?:or|and|vs\.?|versus|/|than|compared\s+(?:to|with))\s*(?:${ON})`;
  text.take(
    new RegExp(String.raw`(?<field>${FIELD})\s*${state}(?:(?<both>${both})|(?<on>${ON})|(?<off>${OFF}))\b`, 'g'),
    ({ field = '', both: isBoth, on }) => {
      const name = text.get('field', field);
      if (!flags.has(name)) return undefined;
      if (isBoth !== undefined) return ` by ${field} `;
      return text.mark('condition', { kind: 'in', field: name, values: [on === undefined ? 'false' : 'true'] });
    },
  );
}

const HAVING = String.raw`(?:carr(?:y|ies|ied|ying)|ha(?:s|ve|d|ving)|contain(?:s|ed|ing)?|includ(?:es?|ed|ing)|sen[dt]s?|set)`;

/** "Requests without a tenant id": the attribute is missing. */
export function readMissing(text: MarkedText): void {
  text.take(
    new RegExp(
      String.raw`\b(?:without|with\s+no|missing|lacking|${HAVING}\s+no|(?:do|does|did|has|have|had)\s+not\s+(?:${HAVING}\s+)?)\s*(?:an?\s+|any\s+|the\s+)?(?<field>${FIELD})(?!\s*(?:${MARK.value}|=))`,
      'g',
    ),
    ({ field = '' }) => {
      const name = text.get('field', field);
      return name.includes('.') && !name.startsWith('event.')
        ? text.mark('condition', { kind: 'not', term: { kind: 'exists', field: name } })
        : undefined;
    },
  );
}

/** People and things that have the value before or after them: "gold customers", "free users". */
const BEARER =
  /^(?:users?|customers?|clients?|people|buyers?|shoppers?|visitors?|members?|subscribers?|folks?|guys|ones?|environments?|env|flag|variant)$/;
const COUNTED = String.raw`(?<counted>\b(?:how\s+many|number\s+of|count\s+of|which|what)\s+(?:different\s+|distinct\s+|of\s+)*)?`;

/**
 * Nouns beside a value that say whose it is: those of its attribute ("customers" for `customer.tier`). After "how many"
 * they are what is counted, which is no condition.
 */
export function readBearers(text: MarkedText): void {
  const isBearer = (mark: string, noun: string): boolean => {
    const condition = text.get('condition', mark);
    return (
      condition.kind === 'in' &&
      condition.field.includes('.') &&
      (BEARER.test(noun) || splitIdentifier(condition.field).includes(singularize(noun)))
    );
  };
  // What is counted are the exceptions themselves.
  const isOfException = (mark: string): boolean => {
    const condition = text.get('condition', mark);
    return condition.kind === 'in' && condition.field.startsWith('event.');
  };
  text.take(
    new RegExp(String.raw`${COUNTED}(?<mark>${CONDITION})\s*(?<noun>[a-z]+)\b`, 'g'),
    ({ counted, mark = '', noun = '' }) =>
      (counted === undefined || isOfException(mark)) && isBearer(mark, noun) ? `${counted ?? ''} ${mark} ` : undefined,
  );
  text.take(
    new RegExp(
      String.raw`${COUNTED}\b(?<noun>[a-z]+)\s+(?:(?:is|=|in|on|of|with|from|called)\s+)?(?<mark>${CONDITION})`,
      'g',
    ),
    ({ counted, mark = '', noun = '' }) =>
      counted === undefined && !isReservedBearer(noun) && isBearer(mark, noun) ? ` ${mark} ` : undefined,
  );
}

/** "Which ones of gold": only nouns of the attribute stand before a value. */
function isReservedBearer(noun: string): boolean {
  return /^(?:ones?|is|in|on|of|with|from|called)$/.test(noun);
}

/** Not failed is successful: every record is one of them. */
function negate(condition: QuestionCondition): QuestionCondition {
  if (condition.kind === 'in' && condition.field === 'status' && condition.values.length === 1)
    return { ...condition, values: [condition.values[0] === 'ERROR' ? 'OK' : 'ERROR'] };
  return { kind: 'not', term: condition };
}

/** "cart or payment", "1.5.0 with 1.4.0": values of one field are alternatives. */
function mergeValues(text: MarkedText): void {
  const pair = new RegExp(`(?<first>${CONDITION})${AND}(?<second>${CONDITION})`, 'g');
  for (let before = ''; before !== text.text;) {
    before = text.text;
    text.take(pair, ({ first = '', second = '' }) => {
      const [a, b] = [text.get('condition', first), text.get('condition', second)];
      return a.kind === 'in' && b.kind === 'in' && a.field === b.field
        ? text.mark('condition', { kind: 'in', field: a.field, values: [...new Set([...a.values, ...b.values])] })
        : undefined;
    });
  }
}

/** What is compared may stand apart: "does new-ranking make search slower than control". */
function mergeCompared(text: MarkedText): void {
  const marks = [...text.text.matchAll(new RegExp(CONDITION, 'g'))].map(([mark]) => mark);
  for (const [at, mark] of marks.entries()) {
    const own = text.get('condition', mark);
    const other = marks.slice(at + 1).find((each) => {
      const condition = text.get('condition', each);
      return own.kind === 'in' && condition.kind === 'in' && condition.field === own.field;
    });
    const second = other === undefined ? undefined : text.get('condition', other);
    if (own.kind !== 'in' || second?.kind !== 'in' || other === undefined) continue;
    const merged = text.mark('condition', { ...own, values: [...new Set([...own.values, ...second.values])] });
    text.text = text.text.replace(other, ' ').replace(mark, merged);
    return;
  }
}

function mergeAlternatives(text: MarkedText): void {
  const pair = new RegExp(
    String.raw`(?<first>${CONDITION})\s*,?\s*\bor\s+(?:(?:that|which|were|was|are|is|had|took|with|from|on|in|the|those|a)\s+)*(?<second>${CONDITION})`,
    'g',
  );
  for (let before = ''; before !== text.text;) {
    before = text.text;
    text.take(pair, ({ first = '', second = '' }) => {
      const [a, b] = [text.get('condition', first), text.get('condition', second)];
      return text.mark('condition', { kind: 'any', terms: [...(a.kind === 'any' ? a.terms : [a]), b] });
    });
  }
}

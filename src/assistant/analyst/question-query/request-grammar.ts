import type { EntityVocabulary } from '../entities/entity-vocabulary.js';
import { readComparison } from './comparison-grammar.js';
import { readBearers, readConditions, readFieldConditions } from './condition-grammar.js';
import { readGroups, type GroupReading } from './group-grammar.js';
import { MARK, type MarkedText } from './marked-text.js';
import { readMeasures } from './measure-grammar.js';
import { readOperationWords } from './name-reader.js';
import { readCalls } from './call-grammar.js';
import type { MeasureBound, QuestionCondition, RecordSubject } from './question-query.js';
import type { FoundValue } from './question-query.js';
import { SHARE_PIVOT } from './share-pivot.js';

/** What a question asks for, as it says it; `buildQuery` completes it. */
export interface QuestionRequest extends GroupReading {
  readonly subject: RecordSubject | undefined;
  readonly conditions: readonly QuestionCondition[];
  /** How many of the conditions describe the whole that a share is taken of. */
  readonly shareOf?: number;
  readonly touched?: readonly string[];
  readonly having: readonly MeasureBound[];
  readonly isListed: boolean;
  readonly edge?: 'first' | 'last';
  readonly isComparison: boolean;
  /** Its records are compared with all others. */
  readonly besideRest?: QuestionCondition;
  /** Operations that the question names by one word only. */
  readonly guessed?: readonly string[];
  /** Whether figures changed: "did checkout get worse after the deployment?" */
  readonly isChange: boolean;
}

const SUBJECTS: readonly (readonly [RegExp, RecordSubject])[] = [
  [
    /\b(?:logs?(?:\s+(?:lines?|entr(?:y|ies)|messages?|records?))?|log\w*\s+(?:entries|lines)|entr(?:y|ies)|lines?|messages?|logged(?!\s+(?:in|on|out)\b))\b/g,
    'logs',
  ],
  [/\bspans?\b/g, 'spans'],
  [/\b(?:traces?(?:\s+ids)?|transactions?)\b/g, 'traces'],
  [/\b(?:calls?|called|quer(?:y|ies)|queried|invocations?|invoked)\b/g, 'calls'],
  [/\b(?:requests?|responses?|traffic|hits)\b/g, 'requests'],
];

/** Verbs and nouns that say no more than the rest of the question. */
const IDLE =
  /(?<![\w-])(?:went(?:\s+(?:out|to|via|by|from|into|through))?|caus(?:e|es|ed|ing)|occurrences?|emit(?:s|ted)?|throw(?:s|n|ing)?|threw|serv(?:e|ed|es|ing)|handl(?:e|ed|es|ing)|process(?:ed|es|ing)?|appear(?:ed|s)?|last(?:ed|s)|spen[dt]|respond(?:ed|s|ing)?|perform(?:ed|s|ing)?|experienc(?:e|ed|ing)|contribut(?:e|ed)|belong(?:s|ing|ed)?|break\s?down|breakdown|broken\s+down|respectively|altogether|in\s+total|total|in\s+all|display|find|calculate|compute|determine|utc|whole|entire|combined|rank(?:ed|ing)?|sort(?:ed)?|order(?:ed)?\s+by|order|compare[ds]?|comparison|vs|versus|against|period|window|interval|timeframe|range|ended|involved|seen|visible|distribution|split|grouped|values?|overall|single|individual|respective|only|together|hits?|creat(?:e|ed|es)|live|deployed|(?:is|are)\s+(?:active|current))(?![\w-])/g;
const COMPARISON = /\b(?:compare[ds]?|comparison|vs|versus|against|difference|differ)\b/;
const MORE_THAN = /\b(?:more|fewer|less)\s+[^,\d]{1,40}\bthan\b(?!\s*\d)/;
const LISTED = /\b(?:show|list|find|give|display|which|what|print)\b/;
const FIRST = new RegExp(String.raw`\b(?:first|earliest|oldest)\b`, 'g');
const LAST = /\b(?:last|latest|newest|most\s+recent)\b/g;
const SHARE =
  /(?<!\b(?:errors?|failures?|fail)\s+)\b(?:(?:what|which)\s+)?(?:percentages?|percent|share|ratio|proportion|fraction|portion|part|%)\s+of\b/;
/** "The share of misses among lookups": the whole comes last. */
const AMONG = /^(?<part>[^,]*?)\s+(?:among(?:st)?|out\s+of)\s+(?<whole>.*)$/;
/** After the noun, what is asked about it begins with a verb; without one, with a preposition. */
const PIVOTS: readonly RegExp[] = [
  /\b(?:that|which|took|takes?|were|was|are|is|had|have|has|return(?:ed|s)?|came|comes?|went|goes|ran|runs?|did|do|does|answered|ended|failed|fail|succeed(?:ed)?|get|got)\b/,
  /\b(?:with|on)\b/,
];
/** "Express orders: what percentage ended in …": the whole comes first. */
const SHARE_LAST =
  /^(?<whole>.*?)[\s,:]*\b(?:what|which)\s+(?:percentage|percent|share|fraction|proportion|part)\s+(?=(?:of\s+(?:them|those|these)\s+)?(?:were|was|are|is|had|have|has|end(?:s|ed)?|fail(?:s|ed)?|succeed(?:s|ed)?|took|takes?|got|gets?|return(?:s|ed)?)\b)(?:of\s+(?:them|those|these)\s+)?/;
/** The share of requests that succeed. */
const AVAILABILITY = /\b(?:availability|success\s+(?:rate|ratio|percentage|share))\b/;

/** Reads what is asked: names, values, measures, groups and conditions, in the order in which they depend on each other. */
export function readRequest(
  text: MarkedText,
  vocabulary: EntityVocabulary,
  values: ReadonlyMap<string, FoundValue>,
  { readNames, guessesOperations }: { readonly readNames: () => void; readonly guessesOperations: boolean },
): QuestionRequest {
  const isComparison = COMPARISON.test(text.text);
  const isMore = MORE_THAN.test(text.text);
  text.take(
    new RegExp(
      String.raw`\b(?<all>everything|everybody|everyone|everywhere|anything|anybody|anyone|(?:all|every|each|any|no)\s+(?:the\s+|other\s+)?(?:${MARK.field}|\w+))\s*but\b`,
      'g',
    ),
    ({ all = '' }) => `${all} except`,
  );
  const isShare = readShare(text);
  readKnownValues(text, values);
  readFieldConditions(text);
  readVersions(text, vocabulary);
  readNames();
  const guessed = guessesOperations ? readOperationWords(text, vocabulary) : [];
  readBearers(text);
  refuseMemberBound(text);
  const { isCompared, besideRest } = readComparison(text);
  const isLog = /\b(?:logs?|log\s?lines?|entr(?:y|ies)|lines|logged(?!\s+(?:in|on|out)\b)|warnings?)\b/.test(text.text);
  const isRanked = readComparative(text);
  const isChange = readChange(text);
  const having = readMeasures(text, isLog);
  const { isCall, touched } = readCalls(text, vocabulary);
  const groups = readGroups(text, having.length > 0);
  const isListed = LISTED.test(text.text);
  const edge = readEdge(text);
  const subject = readSubject(text, isLog, isCall);
  const { conditions, pivotAt } = readConditions(text, isLog, isCompared || isComparison);
  // "More errors than warnings" compares the values that have become one condition.
  const alternatives = conditions.filter((each) => each.kind === 'in' && each.values.length > 1);
  const areCompared = isMore && alternatives.length > 0;
  // Values within each of the groups are not compared.
  if (areCompared && groups.groupBy.length > 0 && !alternatives.some((each) => hasGroup(groups, each)))
    text.faults.push('than');
  // Groups are those of one field: "which is slower, free or Europe" has values of two.
  if (
    (isRanked || isCompared) &&
    groups.groupBy.length === 0 &&
    (alternatives.length > 1 || conditions.some(isOfTwoFields))
  )
    text.faults.push('which');
  text.take(IDLE, () => ' ');
  return {
    ...groups,
    subject,
    conditions,
    having,
    isListed,
    isComparison:
      isComparison ||
      isCompared ||
      areCompared ||
      (isRanked && conditions.some((each) => each.kind === 'in' && each.values.length > 1)),
    isChange,
    ...(besideRest !== undefined && { besideRest }),
    ...(isShare && pivotAt !== undefined && { shareOf: pivotAt }),
    ...(touched.length > 0 && { touched }),
    ...(guessed.length > 0 && { guessed }),
    ...(edge !== undefined && { edge }),
  };
}

function isOfTwoFields({ kind }: QuestionCondition): boolean {
  return kind === 'any';
}

function hasGroup({ groupBy }: GroupReading, condition: QuestionCondition): boolean {
  return condition.kind === 'in' && groupBy.includes(condition.field);
}

/** Where the part of a share begins in the text; it stays valid, because a pivot is marked. */
function readShare(text: MarkedText): boolean {
  // "Cache hit ratio" has been read before.
  if (text.text.includes(SHARE_PIVOT)) return true;
  if (AVAILABILITY.test(text.text)) {
    text.text = `${text.text.replace(AVAILABILITY, ' ')} ${SHARE_PIVOT} succeeded`;
    return true;
  }
  const last = SHARE_LAST.exec(text.text);
  if (last?.groups?.whole !== undefined) {
    text.text = `${last.groups.whole} ${SHARE_PIVOT} ${text.text.slice(last[0].length)}`;
    return true;
  }
  const match = SHARE.exec(text.text);
  if (match === null) return false;
  const head = text.text.slice(0, match.index);
  const { part, whole } = AMONG.exec(text.text.slice(match.index + match[0].length))?.groups ?? {};
  if (part !== undefined && whole !== undefined) {
    text.text = `${head} ${whole} ${SHARE_PIVOT} ${part}`;
    return true;
  }
  // The whole may be the failures: "what proportion of search's errors are 504".
  const tail = text.text
    .slice(match.index + match[0].length)
    .replace(
      /^(?<whose>[^,]{0,60}?)\b(?:errors|failures)\b(?!\s+(?:logs?|traces?|rates?)\b)/,
      '$<whose> failed requests',
    );
  const noun =
    /\b(?:requests?|calls?|traces?|spans?|logs?|entries|lines|errors?|failures?|traffic|responses?|quer(?:y|ies))\b/.exec(
      tail,
    );
  const from = noun === null ? 0 : noun.index;
  const pivot = PIVOTS.map((pattern) => pattern.exec(tail.slice(from))).find((found) => found !== null) ?? null;
  const at = pivot === null ? tail.length : from + pivot.index;
  text.text = `${head} ${tail.slice(0, at)} ${SHARE_PIVOT} ${tail.slice(at)}`;
  return true;
}

function readKnownValues(text: MarkedText, values: ReadonlyMap<string, FoundValue>): void {
  for (const [word, { field, value }] of values) {
    const condition = { kind: 'in', field, values: [value] } as const;
    text.take(new RegExp(MARK.value, 'g'), (_, mark) =>
      text.get('value', mark).toLowerCase() === word.toLowerCase() ? text.mark('condition', condition) : undefined,
    );
    text.take(
      new RegExp(
        String.raw`(?<![\w.-])${word.toLowerCase().replace(/[.*+?^${'$'}{}()|[\]\\]/g, String.raw`\$&`)}(?![\w-])`,
        'g',
      ),
      () => text.mark('condition', condition),
    );
  }
}

/** "Which instance is slower?" asks for the slowest of several, unless something says since or than when. */
const COMPARATIVE =
  /(?<before>\b(?:which|what)\b[^,]*?\b(?:is|are|was|were|runs?|ran|takes?|took|responds?|performs?|works?)\s+(?:the\s+)?)(?:(?<slow>slower|longer)|faster|quicker|shorter)\b(?!\s+(?:than|since|after)\b)/;

/** "Which one fails more often?" is about the alternatives that the question names. */
const EITHER = /\b(?:which|what)\s+(?:one|of\s+(?:them|these|those|the\s+two))\b/;
const FAILS_MORE = /\b(?:fails|failed|errors)\s+(?:more|most)(?:\s+(?:often|frequently))?\b(?!\s+than\b)/;

const WHICH = /\b(?:which|what)\b/;
/** "Free or pro: which has more requests?" */
const WHICH_IS_MORE =
  /\b(?:which|what)\b[^,]*?\b(?:more|most|fewer|fewest|less|least|higher|highest|lower|lowest|larger|largest|bigger|biggest|smaller|smallest|greater|greatest|slower|slowest|faster|fastest|worse|worst|better|best)\b(?!\s+than\b)/;

/** "Which plan is faster than pro": no group is compared with one of them. */
function refuseMemberBound(text: MarkedText): void {
  if (!WHICH.test(text.text)) return;
  text.take(
    new RegExp(
      String.raw`\b(?:more|fewer|less|higher|lower|larger|bigger|smaller|greater|slower|faster|quicker|longer|shorter|worse|better)\b(?<between>[^,]{0,40}?)\bthan\s+(?:(?:the|on|in|for|of|with|that|those)\s+)*(?:${MARK.condition}|${MARK.name})`,
      'g',
    ),
    () => {
      text.faults.push('than');
      return undefined;
    },
  );
}

function readComparative(text: MarkedText): boolean {
  const isEither = EITHER.test(text.text);
  if (WHICH.test(text.text)) text.text = text.text.replace(FAILS_MORE, 'has the highest error rate');
  const isFound = isEither || COMPARATIVE.test(text.text) || WHICH_IS_MORE.test(text.text);
  text.text = text.text.replace(COMPARATIVE, (...found: unknown[]) => {
    const { before = '', slow } = found.at(-1) as Readonly<Record<string, string | undefined>>;
    return `${before.replace(/\b(?:takes?|took)\s+(?:the\s+)?$/, 'is ')}${slow === undefined ? 'fastest' : 'slowest'}`;
  });
  return isFound;
}

function readChange(text: MarkedText): boolean {
  let isChange = false;
  text.take(
    /(?<![\w-])(?:(?:go|goes|gone|went|come|came)\s+(?:up|down)|increas(?:e|es|ed|ing)|decreas(?:e|es|ed|ing)|ris(?:e|es|en|ing)|rose|drop(?:s|ped)?|fell|fallen|chang(?:e|es|ed)|improv(?:e|es|ed)|degrad(?:e|es)|worsen(?:s|ed)?)(?![\w-])/g,
    () => {
      isChange = true;
      return ' ';
    },
  );
  text.take(
    /\b(?:(?:get|got|gotten|become|became|getting)\s+)?(?:any\s+)?(?<!\b(?:or|and)\s+)(?:worse|better|slower|faster)\b(?!\s+than\s+(?:the\s+|its\s+)?(?:other|rest))/g,
    () => {
      isChange = true;
      return ' ';
    },
  );
  return isChange;
}

/** `1.5.0` alone is a version. */
function readVersions(text: MarkedText, { attributes }: EntityVocabulary): void {
  if (!attributes.traces.includes('service.version')) return;
  text.take(new RegExp(MARK.value, 'g'), (_, mark) => {
    const value = text.get('value', mark);
    return /^\d+\.\d+/.test(value)
      ? text.mark('condition', { kind: 'in', field: 'service.version', values: [value] })
      : undefined;
  });
}

function readEdge(text: MarkedText): 'first' | 'last' | undefined {
  let edge: 'first' | 'last' | undefined;
  if (/^\W*(?:\w+\s+)?when\s+(?:did|do|does|has|have|had|was|were|is|are)\b/.test(text.text)) {
    text.take(/\b(?:stop(?:ped)?|cease[ds]?|end(?:ed)?)\b/g, () => ((edge ??= 'last'), ' '));
    text.take(/\b(?:start(?:ed)?|beg[aiu]n|appear(?:ed)?)\b/g, () => ((edge ??= 'first'), ' '));
  }
  text.take(FIRST, () => ((edge ??= 'first'), ' '));
  text.take(LAST, () => ((edge ??= 'last'), ' '));
  return edge;
}

function readSubject(text: MarkedText, isLog: boolean, isCall: boolean): RecordSubject | undefined {
  const found: RecordSubject[] = [];
  for (const [pattern, subject] of SUBJECTS)
    text.take(pattern, () => {
      found.push(subject);
      return ' ';
    });
  if (isLog || found.includes('logs')) return 'logs';
  if (found.includes('traces')) return 'traces';
  if (isCall) return 'calls';
  return found[0];
}

/** Words that misspellings are corrected to. */
export const GRAMMAR_WORDS: ReadonlySet<string> = new Set(
  'average maximum minimum median percentile percentage latency duration error errors failed failure failures requests request response responses service services endpoint endpoints operation operations which between instance instances version versions status traces trace spans entries messages message containing mentioning without except excluding highest lowest slowest fastest busiest deployment warnings warning severity dependency dependencies exception exceptions throughput second minute distinct different compare information'.split(
    ' ',
  ),
);

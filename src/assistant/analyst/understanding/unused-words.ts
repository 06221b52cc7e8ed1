import type { EntityVocabulary } from '../entities/entity-vocabulary.js';
import type { Intent } from '../intents/intent.js';
import type { Concept } from '../lexicon/concept-lexicon.js';
import { isLexiconWord, type MatchedPhrase } from '../lexicon/concept-extractor.js';
import { isFunctionWord, isGrouping, isNegation, isReporter } from '../lexicon/function-words.js';
import { isStopWord, splitIdentifier, tokenize, type WordToken } from '../lexicon/tokenizer.js';
import { isWordOfAnyName, singularize } from '../lexicon/word-matching.js';
import { type IntentCoverage, INTENT_COVERAGE } from './intent-coverage.js';
import { extractSeverity } from './literal-extractor.js';
import { ACKNOWLEDGEMENT_WORDS, STATE_WORDS } from './record-states.js';
import type { Slots } from './slots.js';
import type { Utterance } from './utterance-parser.js';

/** Concepts that ask for an answer, but do not restrict it. */
const ASKING_CONCEPTS: ReadonlySet<Concept> = new Set(['show', 'many', 'greeting', 'thanks', 'help']);

/** After these, a noun restricts even an explanation: "slow for gold customers". */
const RESTRICTING_PREPOSITION =
  /^(?:in|for|from|on|with|without|at|via|by|among|using|where|whose|only|except|inside|within)$/;

/** Nouns between a negation and what it negates: "no requests failed". */
const NEGATED_THROUGH: ReadonlySet<Concept> = new Set([
  ...ASKING_CONCEPTS,
  'requests',
  'services',
  'endpoints',
  'traces',
  'using',
]);

/** "AWS status" asks for the state of something that is not in the Grid. */
const STATE_NOUN = /^(?:status|state|health)$/;

/** Kinds of failures, which no answer distinguishes from others. */
const FAILURE_KIND = /^(?:[45]xx|500s|status 500|http 500|time ?outs?|timed out|times out|timing out|crashes)$/;

/** Words of the question that the answer of the intent does not take into account, in order; none if it uses all. */
export function findUnusedWords(
  { text, phrases, exclusions, negatedFailures }: Utterance,
  { name, cues }: Pick<Intent, 'name' | 'cues'>,
  slots: Slots,
  vocabulary: Pick<EntityVocabulary, 'measured'>,
): readonly WordToken[] {
  const coverage = INTENT_COVERAGE[name];
  if (coverage.isUnrestricted === true) return [];
  const isUsed = (concept: Concept): boolean =>
    cues[concept] !== undefined || ASKING_CONCEPTS.has(concept) || coverage.tolerates?.includes(concept) === true;
  const isExplained = createExplainer(coverage, slots, vocabulary);
  const isAnchored = isAboutSomething(phrases, slots);
  const isDeedAsked = DEED_ASKED.test(text);
  return phrases.flatMap((phrase, at) => {
    const [{ word }] = phrase.tokens;
    const next = phrases[at + 1]?.tokens[0]?.word ?? '';
    if (exclusions.has(phrase.tokens[0]) || isReporter(word, next) || isInstanceCount(name, word, next)) return [];
    if (phrase.tokens.every((token) => isExplained(token.word))) return [];
    if (coverage.isNarrative !== true && FAILURE_KIND.test(joinWords(phrase))) return phrase.tokens;
    if (coverage.isNarrative !== true && isRank(word, next, phrases[at - 1]?.tokens.at(-1)?.word) && !isUsed('most'))
      return phrase.tokens;
    if (phrase.tokens.every((token) => isExplained(token.word) || isFunctionWord(token.word))) return [];
    if (coverage.isNewestFirst === true && word === 'first' && isNewest(phrases[at - 1])) return [];
    if (isOtherSeverity(name, word, slots)) return phrase.tokens;
    if (isNegation(word)) return isNegationUsed(phrases, at, coverage, slots, negatedFailures) ? [] : phrase.tokens;
    if (isGrouping(word)) return isGroupUsed(next, coverage, slots) ? [] : phrase.tokens;
    if (phrase.concepts.some(isUsed)) return [];
    const isStateOfOther = phrase.concepts.length === 0 && !isStopWord(word) && STATE_NOUN.test(next);
    if (coverage.isNarrative === true && (isAskedFor(phrases, at) || (isDeedAsked && isUnknown(phrase))))
      return phrase.tokens;
    if (coverage.isNarrative === true && name === 'onset' && !isAnchored && !isFunctionWord(word)) return phrase.tokens;
    return coverage.isNarrative === true && !isStateOfOther && !isRestricting(phrases, at) ? [] : phrase.tokens;
  });
}

/** "The most connections", "the least memory": one of several is asked for. "Most recent" and "most likely" ask for none. */
function isRank(word: string, next: string, previous = ''): boolean {
  return (
    previous !== 'at' &&
    /^(?:most|least|fewest)$/.test(word) &&
    !/^(?:recent|recently|likely|probably|probable|of|\d+)$/.test(next)
  );
}

/** "What did the outage cost us?": the verb is what is asked for. */
const DEED_ASKED =
  /^\W*(?:(?:and|so|but)\s+)?(?:what|whom?|how\s+much)\s+(?:did|does|do|has|have|will|would|could|can)\b/i;

function isUnknown({ tokens, concepts }: MatchedPhrase): boolean {
  return concepts.length === 0 && tokens.some(({ word }) => !isFunctionWord(word));
}

/** "Newest first" is the order of the list. */
function isNewest(phrase: MatchedPhrase | undefined): boolean {
  return phrase !== undefined && NEWEST_WORDS.test(phrase.tokens.at(-1)?.word ?? '');
}

/** "Which region is suffering": the answer would be about something else than regions. */
function isAskedFor(phrases: readonly MatchedPhrase[], at: number): boolean {
  const before = phrases.slice(0, at).reverse();
  const [previous] = before.filter(({ tokens }) => !/^(?:of|the|our|my)$/.test(tokens[0].word));
  return phrases[at].concepts.length === 0 && /^(?:which|what|many|much)$/.test(previous?.tokens.at(-1)?.word ?? '');
}

/** Whether an explanation has a subject: a name, a state that is explained, or what was talked about before. */
function isAboutSomething(phrases: readonly MatchedPhrase[], { services, thing, exception }: Slots): boolean {
  return (
    services.length > 0 ||
    (thing ?? exception) !== undefined ||
    phrases.some(
      ({ tokens, concepts }) =>
        tokens.some(({ word }) => /^(?:it|this|that|they|these|those)$/.test(word)) ||
        concepts.some((concept) => concept !== 'since' && concept !== 'when' && !ASKING_CONCEPTS.has(concept)),
    )
  );
}

const MEASURE_WORDS = /^(?:average|avg|mean|median|typical|typically|percent|percentage|share|total)$/;
const NEWEST_WORDS = /^(?:last|latest|newest)$/;
const EDGE_WORDS = /^(?:first|earliest|oldest|initial|last|latest|newest|final|longest)$/;
const RATE_UNITS = /^(?:s|sec|second|m|min|minute)$/;
const RECORD_WORDS = /^(?:traces?|spans?|id)$/;
const LENGTH_WORDS = /^(?:long|last|lasted|duration)$/;
const SUCCESS_WORDS = /^free$/;
const LEAVING_OUT_WORDS = /^(?:counting|including|other|apart)$/;
const RANK_WORDS = /^(?:fastest|slowest|most|worst|least)$/;
const SEVERITY_WORDS = /^(?:criticals?|warn(?:ing)?s?|info(?:s|rmational)?|nor)$/;
const ALERT_STATES =
  /^(?:active|open|unresolved|unsolved|ongoing|still|firing|resolved|cleared|clear|ended|closed|over)$/;

/** Whether a word is covered by the slots, or by what the intent reports anyway. */
function createExplainer(
  coverage: IntentCoverage,
  slots: Slots,
  { measured }: Pick<EntityVocabulary, 'measured'>,
): (word: string) => boolean {
  const charted = (slots.chartWords ?? []).filter(
    (word) => isLexiconWord(word) || isWordOfAnyName(singularize(word), measured),
  );
  const words = new Set([...collectExplainedWords(slots), ...charted.map(singularize)]);
  const prefixes = [...words].filter((word) => word.endsWith('*')).map((word) => word.slice(0, -1));
  const patterns = [
    ...(coverage.isMeasuring === true ? [MEASURE_WORDS] : []),
    ...(coverage.isNewestFirst === true ? [NEWEST_WORDS] : []),
    ...(slots.edge === undefined && slots.isLasting !== true ? [] : [EDGE_WORDS]),
    ...(slots.measure === 'requestRate' ? [RATE_UNITS] : []),
    ...(slots.alertStatus === undefined ? [] : [ALERT_STATES]),
    ...((slots.traceId ?? slots.spanId) === undefined ? [] : [RECORD_WORDS]),
    ...(slots.recordStates === undefined ? [] : [STATE_WORDS]),
    ...(slots.isAcknowledged === undefined ? [] : [ACKNOWLEDGEMENT_WORDS]),
    ...(slots.isRankedByBurn === true ? [RANK_WORDS] : []),
    ...(slots.otherAlertSeverity === undefined ? [] : [LEAVING_OUT_WORDS]),
    ...((slots.alertSeverity ?? slots.otherAlertSeverity) === undefined ? [] : [SEVERITY_WORDS]),
    ...(slots.status === 'OK' ? [SUCCESS_WORDS] : []),
    ...(slots.isLasting === true ? [LENGTH_WORDS] : []),
  ];
  return (word) =>
    words.has(singularize(word)) ||
    coverage.words?.includes(singularize(word)) === true ||
    prefixes.some((prefix) => word.startsWith(prefix)) ||
    (slots.severity !== undefined && extractSeverity(word) === slots.severity) ||
    patterns.some((pattern) => pattern.test(word));
}

/** A search of logs has one severity. */
function isOtherSeverity(name: Intent['name'], word: string, { severity }: Slots): boolean {
  const named = name === 'logs' ? extractSeverity(word) : undefined;
  return named !== undefined && named !== severity;
}

/** "Since when does cart have 4 instances": changes contain the counts. */
function isInstanceCount(name: Intent['name'], word: string, next: string): boolean {
  return name === 'changes' && /^\d+$/.test(word) && /^(?:instance|replica|pod)s?$/.test(next);
}

/** Words that are in the slots. */
function collectExplainedWords({
  thing = '',
  exception = '',
  operation = '',
  words = '',
  namedBy = [],
  subject = '',
  tags = {},
}: Slots): ReadonlySet<string> {
  const texts = [thing, exception, words, subject, ...namedBy, ...Object.values(tags)].flatMap((text) =>
    tokenize(text).map(({ word, to }) => `${singularize(word)}${text[to] === '*' ? '*' : ''}`),
  );
  const names = [operation, ...Object.keys(tags)].flatMap(splitIdentifier).map(singularize);
  return new Set([...texts, ...names]);
}

/** These leave out what follows, which only names can be. */
const EXCLUSION = /^(?:except|excluding|exclude|excludes|besides|unless|minus|ignoring)$/;

function isNegationUsed(
  phrases: readonly MatchedPhrase[],
  at: number,
  { negates = [], isNarrative }: IntentCoverage,
  { exception, alertSeverity, otherAlertSeverity, alertStatus, status, recordStates, isAcknowledged }: Slots,
  negatedFailures: Utterance['negatedFailures'],
): boolean {
  const [negation] = phrases[at].tokens;
  if (exception !== undefined || (EXCLUSION.test(negation.word) && otherAlertSeverity === undefined)) return false;
  if (isNotOnly(phrases, at)) return true;
  // The filters of alerts take their negation into account.
  if (
    isNarrative === true ||
    (alertSeverity ?? otherAlertSeverity ?? alertStatus ?? recordStates ?? isAcknowledged) !== undefined
  )
    return true;
  if (status === 'OK' && negatedFailures.some(({ from, to }) => from <= negation.from && negation.to <= to))
    return true;
  const negated = phrases
    .slice(at)
    .find(({ concepts }) => concepts.length > 0 && !concepts.every((concept) => NEGATED_THROUGH.has(concept)));
  return negated !== undefined && negated.concepts.some((concept) => negates.includes(concept));
}

/** "Not only slow but failed" negates nothing. */
function isNotOnly(phrases: readonly MatchedPhrase[], at: number): boolean {
  const isWord = (phrase: MatchedPhrase | undefined, word: string): boolean => phrase?.tokens[0].word === word;
  return isWord(phrases[at + 1], 'only') && phrases.slice(at + 2).some((phrase) => isWord(phrase, 'but'));
}

function joinWords({ tokens }: MatchedPhrase): string {
  return tokens.map(({ word }) => word).join(' ');
}

function isGroupUsed(next: string, { groups = [] }: IntentCoverage, { measure }: Slots): boolean {
  return (measure === 'requestRate' && RATE_UNITS.test(next)) || groups.includes(singularize(next));
}

/** True if the word, with its adjectives, follows a preposition, or contains a digit. */
function isRestricting(phrases: readonly MatchedPhrase[], at: number): boolean {
  if (phrases[at].tokens.some(({ word }) => /\d/.test(word))) return true;
  const before = phrases
    .slice(0, at)
    .reverse()
    .find(({ tokens: [{ word }] }) => RESTRICTING_PREPOSITION.test(word) || isFunctionWord(word));
  return before !== undefined && RESTRICTING_PREPOSITION.test(before.tokens[0].word);
}

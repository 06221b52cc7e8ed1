import { isStopWord, splitIdentifier, type WordToken } from '../lexicon/tokenizer.js';
import { isOperationWord } from './operation-extractor.js';
import { hasConcept } from '../lexicon/concept-extractor.js';
import { isAbbreviation, isInflection, isMisspelling, singularize } from '../lexicon/word-matching.js';

/** Words with the same meaning. */
const SYNONYMS = new Map(
  Object.entries({
    database: 'db',
    db: 'db',
    mongo: 'mongodb',
    postgresql: 'postgres',
    k8s: 'kubernetes',
    authentication: 'auth',
    authorization: 'auth',
  }),
);

/** Kinds of dependencies, and the products whose names stand for them. */
const DEPENDENCY_KINDS = new Map<string, readonly string[]>(
  Object.entries({
    db: [
      'postgres',
      'postgresql',
      'mysql',
      'mariadb',
      'mongodb',
      'sqlite',
      'mssql',
      'oracle',
      'cassandra',
      'dynamodb',
      'cockroachdb',
      'sql',
    ],
    cache: ['redis', 'memcached', 'valkey'],
    broker: ['kafka', 'rabbitmq', 'sqs', 'nats', 'activemq', 'pulsar'],
  }),
);

/** Scores of a word for a part of a name, by kind of match. */
export const MATCH_SCORES = { exact: 10, plural: 9, kind: 8, prefix: 7, mistyped: 6, shortened: 5 };
const MIN_PREFIX_LENGTH = 3;

/** How well a word of a question matches a part of a name; one of MATCH_SCORES, or 0. */
export function scorePart(word: string, part: string): number {
  const [spoken, expected] = [SYNONYMS.get(word) ?? word, SYNONYMS.get(part) ?? part];
  if (spoken === expected) return MATCH_SCORES.exact;
  if (singularize(spoken) === singularize(expected)) return MATCH_SCORES.plural;
  // Words with a meaning of their own match only in full; `CacheConnectionException` does not match a cache.
  if (isStopWord(word) || hasConcept(word) || /.(?:exception|error)s?$/.test(word)) return 0;
  if (DEPENDENCY_KINDS.get(singularize(spoken))?.includes(expected) === true) return MATCH_SCORES.kind;
  const [shorter, longer] = spoken.length < expected.length ? [singularize(spoken), expected] : [expected, spoken];
  if (
    shorter.length >= MIN_PREFIX_LENGTH &&
    longer.startsWith(shorter) &&
    !isInflection(spoken, expected) &&
    (shorter === expected ? shorter.length >= 5 : true)
  )
    return MATCH_SCORES.prefix;
  if (isMisspelling(spoken, expected)) return MATCH_SCORES.mistyped;
  return isAbbreviation(spoken, expected) ? MATCH_SCORES.shortened : 0;
}

export interface ExtractedNames {
  /** In the order of the question. */
  readonly names: readonly string[];
  /** The first words that match several names equally well. */
  readonly ambiguous?: { readonly phrase: string; readonly candidates: readonly string[] };
  /** Each mention of a name, in the order of the question. */
  readonly mentions: readonly NameMention[];
  /** Indices of the tokens that belong to names. */
  readonly tokenIndexes: ReadonlySet<number>;
}

/** A name, and the indices of the tokens that mention it. */
export interface NameMention {
  readonly name: string;
  readonly tokens: readonly number[];
}

interface NamePattern {
  readonly name: string;
  readonly parts: readonly string[];
  /** Parts without generic ones such as `service`. */
  readonly distinctive: readonly string[];
}

interface NameMatch {
  readonly name: string;
  readonly tokens: readonly number[];
  readonly score: number;
  /** The last distinctive part matched, which says what the thing is: the `db` of `orders-db`. */
  readonly isHead: boolean;
  /** Every distinctive part matched. */
  readonly isWhole: boolean;
  readonly isExact: boolean;
}

/** Parts that do not distinguish names. */
const GENERIC_PARTS = new Set('service services svc srv server app application microservice ms'.split(' '));

/** Parts that identify a name only together with others; on their own they are ordinary words. */
const CONTEXT_DEPENDENT_PARTS = new Set('api web backend internal prod core main data'.split(' '));

/**
 * Finds names in a question: exact, partial, plural or misspelled. Services take precedence over dependencies.
 * Dependencies match only with their last part: "orders" does not mean the database `orders-db`. A word for an operation
 * is no part of another name: "picks" are those of `POST /picks`, not of `picking-api`.
 */
export function extractServiceNames(
  tokens: readonly WordToken[],
  services: readonly string[],
  dependencies: readonly string[],
  operations: readonly string[] = [],
): ExtractedNames {
  // Names without letters and digits cannot be matched.
  const names = [...services, ...dependencies].map(toNamePattern).filter(({ parts }) => parts.length > 0);
  const isService = new Set(services);
  const found: NameMention[] = [];
  const nameIndexes = new Set<number>();
  let ambiguous: ExtractedNames['ambiguous'];
  for (let at = 0; at < tokens.length;) {
    const matches = selectBestMatches(
      names
        .flatMap((name) => matchName(tokens, at, name, operations) ?? [])
        .filter(({ name, isHead }) => isHead || isService.has(name))
        // A dependency called `orders` is no "order-service".
        .filter(
          ({ name, isExact, tokens: own }) =>
            isExact || isService.has(name) || tokens[Math.max(...own) + 1]?.word !== 'service',
        ),
      isService,
    );
    const [first] = matches;
    if (first === undefined) {
      at += 1;
      continue;
    }
    if (matches.length === 1) found.push({ name: first.name, tokens: first.tokens });
    else
      ambiguous ??= {
        phrase: first.tokens.map((index) => tokens[index].word).join(' '),
        candidates: matches.map(({ name }) => name),
      };
    first.tokens.forEach((index) => nameIndexes.add(index));
    at = Math.max(...first.tokens) + 1;
  }
  return {
    names: [...new Set(found.map(({ name }) => name))],
    mentions: found,
    ...(ambiguous !== undefined && { ambiguous }),
    tokenIndexes: nameIndexes,
  };
}

/** Matches a name against the words from `at` on; undefined if it does not match. */
function matchName(
  tokens: readonly WordToken[],
  at: number,
  name: NamePattern,
  operations: readonly string[],
): NameMatch | undefined {
  const isFullName = name.parts.every((part, i) => tokens[at + i]?.word === part);
  if (isFullName && (name.parts.length > 1 || isNameCandidate(tokens, at) || followsNamePreposition(tokens, at))) {
    return {
      name: name.name,
      tokens: name.parts.map((_, i) => at + i),
      score: MATCH_SCORES.exact * name.parts.length + 1,
      isWhole: true,
      isExact: true,
      isHead: true,
    };
  }
  const matched = new Map<string, number>();
  const indices: number[] = [];
  for (let index = at; index < tokens.length; index++) {
    const match = matchPart(tokens, index, name, matched);
    if (match === undefined || isOfOperation(tokens[index].word, match.score, operations)) break;
    matched.set(match.part, match.score);
    indices.push(index);
  }
  if (
    matched.size === 0 ||
    ([...matched.keys()].every((part) => CONTEXT_DEPENDENT_PARTS.has(part)) &&
      name.distinctive.length > 1 &&
      !isDefinite(tokens, at))
  )
    return undefined;
  const score = [...matched.values()].reduce((sum, each) => sum + each, 0);
  return {
    name: name.name,
    tokens: indices,
    score,
    isWhole: matched.size >= name.distinctive.length,
    isExact: false,
    isHead: matched.has(name.distinctive[name.distinctive.length - 1]),
  };
}

function isOfOperation(word: string, score: number, operations: readonly string[]): boolean {
  return score < MATCH_SCORES.kind && isOperationWord(word, operations);
}

/** The part that the word matches best, of those that are not matched yet. */
function matchPart(
  tokens: readonly WordToken[],
  index: number,
  name: NamePattern,
  matched: ReadonlyMap<string, number>,
): { readonly part: string; readonly score: number } | undefined {
  const { word } = tokens[index];
  if (GENERIC_PARTS.has(word) || (!isNameCandidate(tokens, index) && matched.size === 0)) return undefined;
  const scored = name.distinctive
    .filter((part) => !matched.has(part))
    .map((part) => ({ part, score: scorePart(word, part) }));
  return scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)[0];
}

/** The matches with the highest score; exact ones take precedence, then complete ones, then services. */
function selectBestMatches(matches: readonly NameMatch[], isService: ReadonlySet<string>): NameMatch[] {
  const highest = Math.max(0, ...matches.map(({ score }) => score));
  const ranked = matches.filter(({ score }) => score === highest);
  const whole = ranked.filter(({ isWhole }) => isWhole);
  const exact = whole.filter(({ isExact }) => isExact);
  const best = exact.length > 0 ? exact.slice(0, 1) : whole.length > 0 ? whole : ranked;
  const services = best.filter(({ name }) => isService.has(name));
  return services.length === 1 ? services : best;
}

function toNamePattern(name: string): NamePattern {
  const parts = splitIdentifier(name);
  const distinctive = parts.filter((part) => !GENERIC_PARTS.has(part));
  return { name, parts: splitLowerCase(name), distinctive: distinctive.length === 0 ? parts : distinctive };
}

/** Splits a name like the words of a question, in which capitals do not separate parts. */
function splitLowerCase(name: string): readonly string[] {
  return splitIdentifier(name.toLowerCase());
}

/** Words after which a word with a meaning of its own may be a name. */
const PREPOSITIONS = new Set(
  'of in for on by to from is are does do did has was with and or than about the call calls use uses why compare vs versus'.split(
    ' ',
  ),
);

/** Words after which any word is a name if something has exactly that name. */
const NAME_PREPOSITIONS = new Set('of in for on by from with about use uses using call calls calling'.split(' '));

/** Words that refer to a previous subject, to everything, or to a time. */
const REFERRING_WORDS = new Set(
  'it this that there all any anyone anything everyone everything someone something nobody nothing one now today yesterday system service services'.split(
    ' ',
  ),
);

/** True if the word before `at` is one after which even an ordinary word can be a name. */
function followsNamePreposition(tokens: readonly WordToken[], at: number): boolean {
  return NAME_PREPOSITIONS.has(tokens[at - 1]?.word ?? '');
}

/** True if the word can be a name. Words with a meaning of their own are names only in positions where a name is expected. */
function isNameCandidate(tokens: readonly WordToken[], index: number): boolean {
  const { word } = tokens[index];
  if (!isStopWord(word) && !hasConcept(word)) return true;
  if (isStopWord(word)) return tokens[index + 1]?.word === 'service' || isGrammaticalSubject(tokens, index);
  return (
    tokens.length === 1 || tokens[index + 1]?.word === 'service' || PREPOSITIONS.has(tokens[index - 1]?.word ?? '')
  );
}

/**
 * "Is run slow", "how is user doing": the subject of the sentence is a name, unless it is a measure: "is load
 * increasing".
 */
function isGrammaticalSubject(tokens: readonly WordToken[], index: number): boolean {
  const [before, { word }, after] = [tokens[index - 1]?.word ?? '', tokens[index], tokens[index + 1]?.word];
  return (
    /^(?:is|was)$/.test(before) &&
    !REFERRING_WORDS.has(word) &&
    !hasConcept(word) &&
    (after === undefined || hasConcept(after))
  );
}

/** "The API" may be a service, "the API key" is not. */
function isDefinite(tokens: readonly WordToken[], at: number): boolean {
  return tokens[at - 1]?.word === 'the' && !/^keys?$/.test(tokens[at + 1]?.word ?? '');
}

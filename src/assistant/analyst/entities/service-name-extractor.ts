import { isAbbreviation, isMisspelling, singularize } from '../lexicon/word-matching.js';
import { isStopWord } from '../lexicon/stop-words.js';
import { correctSpelling, hasConcept, isLexiconWord } from '../lexicon/concept-extractor.js';
import { splitIdentifier, type WordToken } from '../lexicon/tokenizer.js';

export interface ExtractedNames {
  /** In the order of the question. */
  readonly names: readonly string[];
  /** Words that may mean several names, and no other word decides. */
  readonly ambiguous?: { readonly said: string; readonly candidates: readonly string[] };
  /** Indices of the tokens that names took. */
  readonly taken: ReadonlySet<number>;
}

interface NamePattern {
  readonly name: string;
  readonly parts: readonly string[];
  /** Without those that any name may have. */
  readonly telling: readonly string[];
}

interface NameMatch {
  readonly name: string;
  readonly tokens: readonly number[];
  readonly score: number;
  /** Its last telling part was said, which says what it is: the `db` of `orders-db`. */
  readonly isHead: boolean;
  /** Every telling part was said. */
  readonly isWhole: boolean;
  readonly isExact: boolean;
}

/** Parts of names that tell nothing. */
const GENERIC_PARTS = new Set([
  'service',
  'services',
  'svc',
  'srv',
  'server',
  'app',
  'application',
  'microservice',
  'ms',
]);

/** Parts that tell something beside others only: by themselves they are words of everybody. */
const CONTEXT_DEPENDENT_PARTS = new Set(['api', 'web', 'backend', 'internal', 'prod', 'core', 'main', 'data']);

/** Words for one thing. */
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

/** What people call things whose names say what they are made by. */
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

const PREPOSITIONS = new Set([
  'of',
  'in',
  'for',
  'on',
  'by',
  'to',
  'from',
  'is',
  'are',
  'does',
  'do',
  'did',
  'has',
  'was',
  'with',
  'and',
  'or',
  'than',
  'about',
  'the',
  'call',
  'calls',
  'use',
  'uses',
  'why',
  'compare',
  'vs',
  'versus',
]);

/** Behind these even an everyday word is a name, where something is named so in full. */
const NAME_PREPOSITIONS = new Set([
  'of',
  'in',
  'for',
  'on',
  'by',
  'from',
  'with',
  'about',
  'use',
  'uses',
  'using',
  'call',
  'calls',
  'calling',
]);

/** Words that stand for what was spoken of, for everything, or for the time. */
const REFERRING_WORDS = new Set([
  'it',
  'this',
  'that',
  'there',
  'all',
  'any',
  'anyone',
  'anything',
  'everyone',
  'everything',
  'someone',
  'something',
  'nobody',
  'nothing',
  'one',
  'now',
  'today',
  'yesterday',
  'system',
  'service',
  'services',
]);

const MATCH_SCORES = { exact: 10, plural: 9, kind: 8, prefix: 7, mistyped: 6, shortened: 5 };
const MIN_PREFIX_LENGTH = 3;

/**
 * Names that words mean, exactly, in part, in the plural or mistyped. Of a service and of what services call, the service is
 * meant. What services call needs its last part: "orders" are no database.
 */
export function extractServiceNames(
  tokens: readonly WordToken[],
  services: readonly string[],
  dependencies: readonly string[],
): ExtractedNames {
  // What has no letter and no digit cannot be said.
  const names = [...services, ...dependencies].map(toNamePattern).filter(({ parts }) => parts.length > 0);
  const isService = new Set(services);
  const found: string[] = [];
  const taken = new Set<number>();
  let ambiguous: ExtractedNames['ambiguous'];
  for (let at = 0; at < tokens.length;) {
    const matches = selectBestMatches(
      names
        .flatMap((name) => matchName(tokens, at, name) ?? [])
        .filter(({ name, isHead }) => isHead || isService.has(name)),
      isService,
    );
    const [first] = matches;
    if (first === undefined) {
      at += 1;
      continue;
    }
    if (matches.length === 1) found.push(first.name);
    else
      ambiguous ??= {
        said: first.tokens.map((index) => tokens[index].word).join(' '),
        candidates: matches.map(({ name }) => name),
      };
    first.tokens.forEach((index) => taken.add(index));
    at = Math.max(...first.tokens) + 1;
  }
  return { names: [...new Set(found)], ...(ambiguous !== undefined && { ambiguous }), taken };
}

/** A name whose parts the words from here on say. */
function matchName(tokens: readonly WordToken[], at: number, name: NamePattern): NameMatch | undefined {
  const whole = name.parts.every((part, i) => tokens[at + i]?.word === part);
  if (
    whole &&
    (name.parts.length > 1 || isNameCandidate(tokens, at) || NAME_PREPOSITIONS.has(tokens[at - 1]?.word ?? ''))
  ) {
    return {
      name: name.name,
      tokens: name.parts.map((_, i) => at + i),
      score: MATCH_SCORES.exact * name.parts.length + 1,
      isWhole: true,
      isExact: true,
      isHead: true,
    };
  }
  const said = new Map<string, number>();
  const indices: number[] = [];
  for (let index = at; index < tokens.length; index++) {
    const match = matchPart(tokens, index, name, said);
    if (match === undefined) break;
    said.set(match.part, match.score);
    indices.push(index);
  }
  if (
    said.size === 0 ||
    ([...said.keys()].every((part) => CONTEXT_DEPENDENT_PARTS.has(part)) &&
      name.telling.length > 1 &&
      !isDefinite(tokens, at))
  )
    return undefined;
  const score = [...said.values()].reduce((sum, each) => sum + each, 0);
  return {
    name: name.name,
    tokens: indices,
    score,
    isWhole: said.size >= name.telling.length,
    isExact: false,
    isHead: said.has(name.telling[name.telling.length - 1]),
  };
}

/** The part that a word says best, of those that no word has said yet. */
function matchPart(
  tokens: readonly WordToken[],
  index: number,
  name: NamePattern,
  said: ReadonlyMap<string, number>,
): { readonly part: string; readonly score: number } | undefined {
  const { word } = tokens[index];
  if (GENERIC_PARTS.has(word) || (!isNameCandidate(tokens, index) && said.size === 0)) return undefined;
  const scored = name.telling.filter((part) => !said.has(part)).map((part) => ({ part, score: scorePart(word, part) }));
  return scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)[0];
}

/** Words with a meaning of their own name something only where a name is expected. */
function isNameCandidate(tokens: readonly WordToken[], index: number): boolean {
  const { word } = tokens[index];
  if (!isStopWord(word) && !hasConcept(word)) return true;
  if (isStopWord(word)) return tokens[index + 1]?.word === 'service' || isGrammaticalSubject(tokens, index);
  return (
    tokens.length === 1 || tokens[index + 1]?.word === 'service' || PREPOSITIONS.has(tokens[index - 1]?.word ?? '')
  );
}

/** "Is run slow", "how is user doing": what stands there is what the question is about, unless it is a measure: "is load increasing". */
function isGrammaticalSubject(tokens: readonly WordToken[], index: number): boolean {
  const [before, { word }, after] = [tokens[index - 1]?.word ?? '', tokens[index], tokens[index + 1]?.word];
  return (
    /^(?:is|was)$/.test(before) &&
    !REFERRING_WORDS.has(word) &&
    !hasConcept(word) &&
    (after === undefined || hasConcept(after))
  );
}

/** "The API" is one of this Grid, "the API key" is none. */
function isDefinite(tokens: readonly WordToken[], at: number): boolean {
  return tokens[at - 1]?.word === 'the' && !/^keys?$/.test(tokens[at + 1]?.word ?? '');
}

function scorePart(word: string, part: string): number {
  const [said, meant] = [SYNONYMS.get(word) ?? word, SYNONYMS.get(part) ?? part];
  if (said === meant) return MATCH_SCORES.exact;
  if (singularize(said) === singularize(meant)) return MATCH_SCORES.plural;
  // `CacheConnectionException` is no cache.
  if (isStopWord(word) || hasConcept(word) || /.(?:exception|error)s?$/.test(word)) return 0;
  if (DEPENDENCY_KINDS.get(singularize(said))?.includes(meant) === true) return MATCH_SCORES.kind;
  const [shorter, longer] = said.length < meant.length ? [singularize(said), meant] : [meant, said];
  if (
    shorter.length >= MIN_PREFIX_LENGTH &&
    longer.startsWith(shorter) &&
    (shorter === meant ? shorter.length >= 5 : true)
  )
    return MATCH_SCORES.prefix;
  if (isMisspelling(said, meant)) return MATCH_SCORES.mistyped;
  return isAbbreviation(said, meant) ? MATCH_SCORES.shortened : 0;
}

/** Those with the highest score; of them those that were said in full, where there are some. */
function selectBestMatches(matches: readonly NameMatch[], isService: ReadonlySet<string>): NameMatch[] {
  const highest = Math.max(0, ...matches.map(({ score }) => score));
  const ranked = matches.filter(({ score }) => score === highest);
  const whole = ranked.filter(({ isWhole }) => isWhole);
  const exact = whole.filter(({ isExact }) => isExact);
  const meant = exact.length > 0 ? exact.slice(0, 1) : whole.length > 0 ? whole : ranked;
  const services = meant.filter(({ name }) => isService.has(name));
  return services.length === 1 ? services : meant;
}

function toNamePattern(name: string): NamePattern {
  const parts = splitIdentifier(name);
  const telling = parts.filter((part) => !GENERIC_PARTS.has(part));
  return { name, parts: splitAsSpoken(name), telling: telling.length === 0 ? parts : telling };
}

/** As the words of a question are parted: nobody's capitals tell parts there. */
function splitAsSpoken(name: string): readonly string[] {
  return splitIdentifier(name.toLowerCase());
}

/** Before these two words are one name: "the check out", but "check out the logs". */
const WORDS_BEFORE_COMPOUNDS = new Set([
  'the',
  'a',
  'of',
  'in',
  'for',
  'from',
  'with',
  'on',
  'is',
  'our',
  'my',
  'why',
  'does',
  'did',
  'how',
  'hows',
  'and',
  'by',
]);

const MIN_COMPOUND_LENGTH = 5;

/** Two words that are a part of a name when they are written as one, such as `check out` of `checkout-service`, as one. */
export function joinCompoundNames(tokens: readonly WordToken[], names: readonly string[]): WordToken[] {
  const parts = new Set(
    names.flatMap((name) => splitIdentifier(name.toLowerCase())).filter(({ length }) => length >= MIN_COMPOUND_LENGTH),
  );
  const joined: WordToken[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const [token, next] = [tokens[at], tokens[at + 1]];
    const isOne =
      next !== undefined &&
      parts.has(token.word + next.word) &&
      !parts.has(token.word) &&
      !parts.has(next.word) &&
      WORDS_BEFORE_COMPOUNDS.has(tokens[at - 1]?.word ?? '');
    joined.push(isOne ? { word: token.word + next.word, from: token.from, to: next.to } : token);
    if (isOne) at += 1;
  }
  return joined;
}

/** Words after which a name is expected. */
const WORDS_BEFORE_NAMES = new Set([
  'of',
  'in',
  'for',
  'on',
  'from',
  'with',
  'about',
  'the',
  'compare',
  'by',
  'calls',
  'call',
  'calling',
  'uses',
  'using',
]);

/** After these a name is what something is said of: it does not end the question. */
const WORDS_BEFORE_SUBJECTS = new Set(['is', 'are', 'does', 'did', 'has', 'was', 'why', 'and']);

/** Endings of words that tell how something is. */
const DESCRIPTIVE_ENDINGS = /(?:exceptions?|errors?|est|ed|ly|ive|able|ful|ous|ical)$/;

const MIN_ENTITY_LENGTH = 3;

/** A word that stands where a name is expected, and is no part of anything that is known. */
export function findUnknownEntity(
  tokens: readonly WordToken[],
  taken: ReadonlySet<number>,
  isPartOfKnown: (word: string) => boolean,
): string | undefined {
  return tokens.find(
    ({ word }, at) =>
      !taken.has(at) && isUnknownWord(word) && isNamePosition(tokens, at) && !isPartOfKnown(singularize(word)),
  )?.word;
}

function isUnknownWord(word: string): boolean {
  return (
    word.length >= MIN_ENTITY_LENGTH &&
    !/^\d/.test(word) &&
    !DESCRIPTIVE_ENDINGS.test(word) &&
    !isStopWord(word) &&
    !isLexiconWord(word) &&
    !isLexiconWord(correctSpelling(word))
  );
}

function isNamePosition(tokens: readonly WordToken[], at: number): boolean {
  const before = tokens[at - 1]?.word ?? '';
  if (tokens.length === 1 || tokens[at + 1]?.word === 'service' || WORDS_BEFORE_NAMES.has(before)) return true;
  return WORDS_BEFORE_SUBJECTS.has(before) && (at < tokens.length - 1 || (before === 'and' && at === 1));
}

import { hasConcept } from '../lexicon/concept-extractor.js';
import { isStopWord } from '../lexicon/tokenizer.js';
import { isAbbreviation, isMisspelling, singularize } from '../lexicon/word-matching.js';

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
    (shorter === expected ? shorter.length >= 5 : true)
  )
    return MATCH_SCORES.prefix;
  if (isMisspelling(spoken, expected)) return MATCH_SCORES.mistyped;
  return isAbbreviation(spoken, expected) ? MATCH_SCORES.shortened : 0;
}

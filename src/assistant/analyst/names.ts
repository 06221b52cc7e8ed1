import { isMistyped, isShortened, singular } from './closeness.js';
import { isCommon } from './common-words.js';
import { hasMeaning } from './concepts.js';
import { partsOf, type Token } from './tokens.js';

export interface NamesFound {
  /** In the order of the question. */
  readonly names: readonly string[];
  /** Words that may mean several names, and no other word decides. */
  readonly ambiguous?: { readonly said: string; readonly candidates: readonly string[] };
  /** Indices of the tokens that names took. */
  readonly taken: ReadonlySet<number>;
}

interface Name {
  readonly name: string;
  readonly parts: readonly string[];
  /** Without those that any name may have. */
  readonly telling: readonly string[];
}

interface Match {
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
const GENERIC = new Set(['service', 'services', 'svc', 'srv', 'server', 'app', 'application', 'microservice', 'ms']);
/** Parts that tell something beside others only: by themselves they are words of everybody. */
const DEPENDENT = new Set(['api', 'web', 'backend', 'internal', 'prod', 'core', 'main', 'data']);
/** Words for one thing. */
const SYNONYMS = new Map(Object.entries({ database: 'db', db: 'db', mongo: 'mongodb', postgresql: 'postgres', k8s: 'kubernetes', authentication: 'auth', authorization: 'auth' }));
/** What people call things whose names say what they are made by. */
const KINDS = new Map<string, readonly string[]>(Object.entries({
  db: ['postgres', 'postgresql', 'mysql', 'mariadb', 'mongodb', 'sqlite', 'mssql', 'oracle', 'cassandra', 'dynamodb', 'cockroachdb', 'sql'],
  cache: ['redis', 'memcached', 'valkey'],
  broker: ['kafka', 'rabbitmq', 'sqs', 'nats', 'activemq', 'pulsar'],
}));
const PREPOSITIONS = new Set(['of', 'in', 'for', 'on', 'by', 'to', 'from', 'is', 'are', 'does', 'do', 'did', 'has', 'was', 'with', 'and', 'or', 'than', 'about', 'the', 'call', 'calls', 'use', 'uses', 'why', 'compare', 'vs', 'versus']);
/** Behind these even an everyday word is a name, where something is named so in full. */
const PLACES = new Set(['of', 'in', 'for', 'on', 'by', 'from', 'with', 'about', 'use', 'uses', 'using', 'call', 'calls', 'calling']);

/** Words that stand for what was spoken of, for everything, or for the time. */
const POINTERS = new Set(['it', 'this', 'that', 'there', 'all', 'any', 'anyone', 'anything', 'everyone', 'everything', 'someone', 'something', 'nobody', 'nothing', 'one', 'now', 'today', 'yesterday', 'system', 'service', 'services']);

const SCORES = { exact: 10, plural: 9, kind: 8, prefix: 7, mistyped: 6, shortened: 5 };
const SHORTEST_PREFIX = 3;

/**
 * Names that words mean, exactly, in part, in the plural or mistyped. Of a service and of what services call, the service is
 * meant. What services call needs its last part: "orders" are no database.
 */
export function namesIn(tokens: readonly Token[], services: readonly string[], dependencies: readonly string[]): NamesFound {
  // What has no letter and no digit cannot be said.
  const names = [...services, ...dependencies].map(nameOf).filter(({ parts }) => parts.length > 0);
  const isService = new Set(services);
  const found: string[] = [];
  const taken = new Set<number>();
  let ambiguous: NamesFound['ambiguous'];
  for (let at = 0; at < tokens.length; ) {
    const matches = best(names.flatMap((name) => matchFrom(tokens, at, name) ?? []).filter(({ name, isHead }) => isHead || isService.has(name)), isService);
    const [first] = matches;
    if (first === undefined) {
      at += 1;
      continue;
    }
    if (matches.length === 1) found.push(first.name);
    else ambiguous ??= { said: first.tokens.map((index) => tokens[index].word).join(' '), candidates: matches.map(({ name }) => name) };
    first.tokens.forEach((index) => taken.add(index));
    at = Math.max(...first.tokens) + 1;
  }
  return { names: [...new Set(found)], ...(ambiguous !== undefined && { ambiguous }), taken };
}

/** A name whose parts the words from here on say. */
function matchFrom(tokens: readonly Token[], at: number, name: Name): Match | undefined {
  const whole = name.parts.every((part, i) => tokens[at + i]?.word === part);
  if (whole && (name.parts.length > 1 || isFirm(tokens, at) || PLACES.has(tokens[at - 1]?.word ?? ''))) {
    return { name: name.name, tokens: name.parts.map((_, i) => at + i), score: SCORES.exact * name.parts.length + 1, isWhole: true, isExact: true, isHead: true };
  }
  const said = new Map<string, number>();
  const indices: number[] = [];
  for (let index = at; index < tokens.length; index++) {
    const match = partSaid(tokens, index, name, said);
    if (match === undefined) break;
    said.set(match.part, match.score);
    indices.push(index);
  }
  if (said.size === 0 || ([...said.keys()].every((part) => DEPENDENT.has(part)) && name.telling.length > 1 && !isDefinite(tokens, at))) return undefined;
  const score = [...said.values()].reduce((sum, each) => sum + each, 0);
  return { name: name.name, tokens: indices, score, isWhole: said.size >= name.telling.length, isExact: false, isHead: said.has(name.telling[name.telling.length - 1]) };
}

/** The part that a word says best, of those that no word has said yet. */
function partSaid(tokens: readonly Token[], index: number, name: Name, said: ReadonlyMap<string, number>): { readonly part: string; readonly score: number } | undefined {
  const { word } = tokens[index];
  if (GENERIC.has(word) || (!isFirm(tokens, index) && said.size === 0)) return undefined;
  const scored = name.telling.filter((part) => !said.has(part)).map((part) => ({ part, score: scoreOf(word, part) }));
  return scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)[0];
}

/** Words with a meaning of their own name something only where a name is expected. */
function isFirm(tokens: readonly Token[], index: number): boolean {
  const { word } = tokens[index];
  if (!isCommon(word) && !hasMeaning(word)) return true;
  if (isCommon(word)) return tokens[index + 1]?.word === 'service' || isSubject(tokens, index);
  return tokens.length === 1 || tokens[index + 1]?.word === 'service' || PREPOSITIONS.has(tokens[index - 1]?.word ?? '');
}

/** "Is run slow", "how is user doing": what stands there is what the question is about, unless it is a measure: "is load increasing". */
function isSubject(tokens: readonly Token[], index: number): boolean {
  const [before, { word }, after] = [tokens[index - 1]?.word ?? '', tokens[index], tokens[index + 1]?.word];
  return /^(?:is|was)$/.test(before) && !POINTERS.has(word) && !hasMeaning(word) && (after === undefined || hasMeaning(after));
}

/** "The API" is one of this Grid, "the API key" is none. */
function isDefinite(tokens: readonly Token[], at: number): boolean {
  return tokens[at - 1]?.word === 'the' && !/^keys?$/.test(tokens[at + 1]?.word ?? '');
}

function scoreOf(word: string, part: string): number {
  const [said, meant] = [SYNONYMS.get(word) ?? word, SYNONYMS.get(part) ?? part];
  if (said === meant) return SCORES.exact;
  if (singular(said) === singular(meant)) return SCORES.plural;
  // `CacheConnectionException` is no cache.
  if (isCommon(word) || hasMeaning(word) || /.(?:exception|error)s?$/.test(word)) return 0;
  if (KINDS.get(singular(said))?.includes(meant) === true) return SCORES.kind;
  const [shorter, longer] = said.length < meant.length ? [singular(said), meant] : [meant, said];
  if (shorter.length >= SHORTEST_PREFIX && longer.startsWith(shorter) && (shorter === meant ? shorter.length >= 5 : true)) return SCORES.prefix;
  if (isMistyped(said, meant)) return SCORES.mistyped;
  return isShortened(said, meant) ? SCORES.shortened : 0;
}

/** Those with the highest score; of them those that were said in full, where there are some. */
function best(matches: readonly Match[], isService: ReadonlySet<string>): Match[] {
  const highest = Math.max(0, ...matches.map(({ score }) => score));
  const ranked = matches.filter(({ score }) => score === highest);
  const whole = ranked.filter(({ isWhole }) => isWhole);
  const exact = whole.filter(({ isExact }) => isExact);
  const meant = exact.length > 0 ? exact.slice(0, 1) : whole.length > 0 ? whole : ranked;
  const services = meant.filter(({ name }) => isService.has(name));
  return services.length === 1 ? services : meant;
}

function nameOf(name: string): Name {
  const parts = partsOf(name);
  const telling = parts.filter((part) => !GENERIC.has(part));
  return { name, parts: partsAsSaid(name), telling: telling.length === 0 ? parts : telling };
}

/** As the words of a question are parted: nobody's capitals tell parts there. */
function partsAsSaid(name: string): readonly string[] {
  return partsOf(name.toLowerCase());
}

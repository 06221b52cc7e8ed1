import type { WordToken } from '../lexicon/tokenizer.js';
import type { ExtractedNames } from '../entities/service-name-extractor.js';

/** Names that a question leaves out: "not from payment", "except cart and shipping". */
export interface Exclusions {
  readonly excluded: readonly string[];
  /** Indices of the tokens that exclude, such as `except`. */
  readonly tokenIndexes: ReadonlySet<number>;
  /** Indices of "but" where it leaves out something else than a name: "everything but errors". */
  readonly unresolved: readonly number[];
}

const EXCLUDING_WORDS = new Set('not except excluding excludes exclude without besides minus ignoring'.split(' '));
const EXCLUDING_PHRASES = new Set(['other than', 'apart from', 'aside from', 'leaving out']);
/** After these, "but" leaves out what follows: "all services but cart". */
const UNIVERSAL_WORDS = new Set('all any anything every everybody everyone everything'.split(' '));
/** Nouns between a universal word and its "but"; others begin a statement: "everything is fine but cart". */
const LISTED_NOUN =
  /^(?:services?|logs?|lines?|entr(?:y|ies)|messages?|traces?|spans?|requests?|endpoints?|alerts?|changes?|events?)$/;
/** Words between the exclusion and the name. */
const BETWEEN = new Set('for from of in on by the those these that ones service services any'.split(' '));
const JOINING_WORDS = new Set(['and', 'or', 'nor']);

/** Finds the names that follow a word of exclusion, and those that are joined to them. */
export function extractExclusions(tokens: readonly WordToken[], { mentions }: ExtractedNames): Exclusions {
  const excluded: string[] = [];
  const tokenIndexes = new Set<number>();
  let previousEnd: number | undefined;
  for (const { name, tokens: indexes } of mentions) {
    const [first] = indexes;
    const found = findExcludingWords(tokens, first);
    const isJoined =
      previousEnd !== undefined &&
      tokens.slice(previousEnd + 1, first).every(({ word }) => JOINING_WORDS.has(word) || BETWEEN.has(word));
    if (found === undefined && !isJoined) continue;
    excluded.push(name);
    found?.forEach((at) => tokenIndexes.add(at));
    previousEnd = Math.max(...indexes);
  }
  const unresolved = tokens.flatMap((_, at) => (isExcludingBut(tokens, at) && !tokenIndexes.has(at) ? [at] : []));
  return { excluded: [...new Set(excluded)], tokenIndexes, unresolved };
}

function isExcludingBut(tokens: readonly WordToken[], at: number): boolean {
  if (tokens[at].word !== 'but' || at + 1 >= tokens.length) return false;
  const universalAt = LISTED_NOUN.test(tokens[at - 1]?.word ?? '') ? at - 2 : at - 1;
  return UNIVERSAL_WORDS.has(tokens[universalAt]?.word ?? '');
}

/** Indices of the excluding words before the name; undefined if there are none. */
function findExcludingWords(tokens: readonly WordToken[], nameAt: number): readonly number[] | undefined {
  for (let at = nameAt - 1; at >= 0; at--) {
    const { word } = tokens[at];
    if (EXCLUDING_WORDS.has(word) || isExcludingBut(tokens, at)) return [at];
    if (at > 0 && EXCLUDING_PHRASES.has(`${tokens[at - 1].word} ${word}`)) return [at - 1, at];
    if (!BETWEEN.has(word)) return undefined;
  }
  return undefined;
}

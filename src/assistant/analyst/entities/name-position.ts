import { hasConcept } from '../lexicon/concept-extractor.js';
import { isStopWord } from '../lexicon/stop-words.js';
import type { WordToken } from '../lexicon/tokenizer.js';

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
export function followsNamePreposition(tokens: readonly WordToken[], at: number): boolean {
  return NAME_PREPOSITIONS.has(tokens[at - 1]?.word ?? '');
}

/** True if the word can be a name. Words with a meaning of their own are names only in positions where a name is expected. */
export function isNameCandidate(tokens: readonly WordToken[], index: number): boolean {
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
export function isDefinite(tokens: readonly WordToken[], at: number): boolean {
  return tokens[at - 1]?.word === 'the' && !/^keys?$/.test(tokens[at + 1]?.word ?? '');
}

import { blankOut, isStopWord, splitIdentifier, tokenize, type WordToken } from '../lexicon/tokenizer.js';
import { hasConcept } from '../lexicon/concept-extractor.js';

/** Attribute conditions of a question. */
export interface AttributeConditions {
  /** Values that attributes must have, by key, as searches take them. */
  readonly tags: Readonly<Record<string, string>>;
  /** Conditions on known attributes that no search can apply, such as `customer.tier is not gold`. */
  readonly unsupported: readonly string[];
  /** The text with the conditions replaced by blanks. */
  readonly rest: string;
}

interface KeyMention {
  readonly key: string;
  /** Offsets in the text. */
  readonly from: number;
  readonly to: number;
  /** Written as the key itself; otherwise by some of its words, as in `status code`. */
  readonly isWhole: boolean;
}

/** Longer keys are not written as separate words. */
const MAX_KEY_WORDS = 4;

const VALUE = String.raw`(?:"(?<quoted>[^"]{1,200})"|“(?<curly>[^”]{1,200})”|'(?<single>[^']{1,200})'|(?<plain>[^\s,;?!()"“”]+))`;
/** After a key: `is gold`, `= gold`, `:gold`, `equal to gold`. */
const EQUALS = new RegExp(
  String.raw`^\s*(?:=\s?=?|:|\b(?:is|was|are|were|equals?|being)\b(?:\s+(?:equal\s+)?(?:to|exactly)\b)?)\s*${VALUE}`,
  'i',
);
/** After a key: a value without a verb. */
const FOLLOWS = new RegExp(String.raw`^\s+(?:of\s+)?${VALUE}`, 'i');
/** After a key: comparisons and negations, which searches do not have. */
const UNSUPPORTED = new RegExp(
  String.raw`^\s*(?:!=|<>|[<>]=?|=~|!~|\b(?:(?:is|was|are|were|does|do|did)\s*n['’]?t|(?:is|was|are|were|does|do)\s+not|not|never|(?:(?:is|was|are|were)\s+)?(?:above|over|below|under|(?:more|less|greater|smaller|higher|lower|other|longer|shorter)\s+than|at\s+(?:least|most)|between|one\s+of|in|like|unlike|missing|empty|set|unset|unknown|null)|contains?|containing|starts?|begins?|ends?|matches|matching|exceeds?|exceeding)\b)\s*(?:(?:to|with|equals?|equal)\s+)*(?:${VALUE})?`,
  'i',
);
/** Words for fields of the records themselves; as the last word of a key they do not name an attribute. */
const FIELD_WORDS = new Set(
  'name service operation status duration kind type severity level message body time error id trace span'.split(' '),
);
/** Keys that a word means, where several keys end with it. */
const USUAL_KEYS: Readonly<Record<string, readonly string[]>> = {
  version: ['service.version'],
  region: ['cloud.region'],
  instance: ['service.instance.id'],
  environment: ['deployment.environment.name', 'deployment.environment'],
  host: ['host.name'],
  pod: ['k8s.pod.name'],
  'status code': ['http.response.status_code', 'http.status_code'],
};
/** Words before a condition that belong to it. */
const CONNECTOR = /(?:\b(?:where|with|whose|having|when|if|and|for|of|in|on|from|an?|the|attribute|tag|label)\s+)+$/i;
/** A class of status codes, which no search has. */
const STATUS_CLASS = /^[1-5]xx$/i;
/** A value that is more than a word of the sentence. */
const DISTINCTIVE = /["“']|\d|[-./_:]/;

/**
 * Extracts conditions on attributes that the Grid has. A key is written as it is, or by its last words (`tier` for
 * `customer.tier`) where they belong to one key only.
 */
export function extractAttributeConditions(
  text: string,
  keys: readonly string[],
  isName: (word: string) => boolean,
): AttributeConditions {
  const tags: Record<string, string> = {};
  const unsupported: string[] = [];
  let rest = text;
  for (const mention of findKeys(text, keys)) {
    const found = readCondition(rest, mention, isName);
    if (found === undefined || rest.slice(mention.from, mention.to).trim() === '') continue;
    const [from, to] = [found.from, found.to];
    const isConflict = found.value !== undefined && (tags[mention.key] ?? found.value) !== found.value;
    if (found.value === undefined || isConflict || STATUS_CLASS.test(found.value))
      unsupported.push(rest.slice(from, to).trim());
    else tags[mention.key] = found.value;
    const before = CONNECTOR.exec(rest.slice(0, from));
    rest = blankOut(rest, before?.index ?? from, to);
  }
  return { tags, unsupported, rest };
}

interface FoundCondition {
  readonly from: number;
  readonly to: number;
  /** Undefined if no search can apply the condition. */
  readonly value?: string;
}

function readCondition(
  text: string,
  mention: KeyMention,
  isName: (word: string) => boolean,
): FoundCondition | undefined {
  const { from, to, isWhole } = mention;
  const after = text.slice(to);
  const other = UNSUPPORTED.exec(after);
  if (other !== null && (isWhole || /\d|[<>=~]|not|n['’]t/.test(other[0]))) return { from, to: to + other[0].length };
  const equal = EQUALS.exec(after);
  if (equal !== null && isValue(readValue(equal), isWhole || /^\s*[=:]/.test(equal[0]), isName))
    return { from, to: to + equal[0].length - trailingStops(equal), value: readValue(equal) };
  const follows = FOLLOWS.exec(after);
  if (follows !== null && isValue(readValue(follows), isWhole && !isStopWord(readValue(follows).toLowerCase()), isName))
    return { from, to: to + follows[0].length - trailingStops(follows), value: readValue(follows) };
  return isWhole ? undefined : readValueBefore(text, mention, isName);
}

/** `gold tier`: the value stands before the words of the key. */
function readValueBefore(
  text: string,
  { from, to }: KeyMention,
  isName: (word: string) => boolean,
): FoundCondition | undefined {
  const before = new RegExp(String.raw`(?:^|\s)${VALUE}[\s-]+$`).exec(text.slice(0, from));
  const value = before === null ? undefined : readValue(before);
  if (before === null || value === undefined || !isValue(value, false, isName)) return undefined;
  return { from: before.index + before[0].indexOf(value), to, value };
}

/** Words with a meaning of their own are values only where the syntax says so. */
function isValue(value: string, isCertain: boolean, isName: (word: string) => boolean): boolean {
  if (value === '') return false;
  if (isCertain || DISTINCTIVE.test(value)) return true;
  const word = value.toLowerCase();
  return !isStopWord(word) && !hasConcept(word) && !isName(word);
}

function readValue({ groups }: RegExpExecArray): string {
  const { quoted, curly, single, plain = '' } = groups ?? {};
  return quoted ?? curly ?? single ?? plain.replace(/[.:]+$/, '');
}

function trailingStops({ groups }: RegExpExecArray): number {
  return /[.:]*$/.exec(groups?.plain ?? '')![0].length;
}

/** Keys that the text mentions, in order; the longest of overlapping ones. */
function findKeys(text: string, keys: readonly string[]): readonly KeyMention[] {
  const whole = new Set(keys.map((key) => key.toLowerCase()));
  const byLower = new Map(keys.map((key) => [key.toLowerCase(), key]));
  const written = [...text.matchAll(/[\p{L}\p{N}_][\p{L}\p{N}_.:/-]*/gu)].flatMap(
    ({ 0: match, index }): KeyMention[] => {
      const name = match.toLowerCase().replace(/[.:/-]+$/, '');
      return whole.has(name) && /[._]/.test(name)
        ? [{ key: byLower.get(name)!, from: index, to: index + name.length, isWhole: true }]
        : [];
    },
  );
  const isFree = ({ from, to }: KeyMention): boolean => !written.some((each) => from < each.to && to > each.from);
  return [...written, ...findKeysByWords(text, keys).filter(isFree)].sort((a, b) => a.from - b.from);
}

function findKeysByWords(text: string, keys: readonly string[]): readonly KeyMention[] {
  const tokens = tokenize(text);
  const endings = indexEndings(keys, new Set(tokens.map(({ word }) => word)));
  const found: KeyMention[] = [];
  for (let at = 0; at < tokens.length;) {
    const mention = matchEnding(tokens, at, endings);
    if (mention !== undefined) found.push(mention.found);
    at += mention?.length ?? 1;
  }
  return found;
}

function matchEnding(
  tokens: readonly WordToken[],
  at: number,
  endings: ReadonlyMap<string, string | undefined>,
): { readonly found: KeyMention; readonly length: number } | undefined {
  for (let length = Math.min(MAX_KEY_WORDS, tokens.length - at); length > 0; length--) {
    const words = tokens.slice(at, at + length);
    const key = endings.get(words.map(({ word }) => word).join(' '));
    if (key !== undefined)
      return { found: { key, from: words[0].from, to: words[length - 1].to, isWhole: false }, length };
  }
  return undefined;
}

/** Keys by their last words; undefined where several keys end alike. Only keys whose last word the text has. */
function indexEndings(keys: readonly string[], words: ReadonlySet<string>): ReadonlyMap<string, string | undefined> {
  const endings = new Map<string, string | undefined>();
  for (const key of keys) {
    const parts = splitIdentifier(key);
    if (!words.has(parts.at(-1) ?? '')) continue;
    for (let length = 1; length <= Math.min(MAX_KEY_WORDS, parts.length); length++) {
      const ending = parts.slice(-length).join(' ');
      if (!FIELD_WORDS.has(ending)) endings.set(ending, endings.has(ending) ? undefined : key);
    }
  }
  for (const [ending, usual] of Object.entries(USUAL_KEYS)) {
    const key = usual.find((each) => keys.includes(each));
    if (key !== undefined) endings.set(ending, key);
  }
  return endings;
}

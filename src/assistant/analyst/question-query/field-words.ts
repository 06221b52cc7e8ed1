import { CALLEE_GROUP, CALLER_GROUP } from './question-query.js';
import { MARK, type MarkedText } from './marked-text.js';
import { splitIdentifier } from '../lexicon/tokenizer.js';
import { singularize } from '../lexicon/word-matching.js';
import { isFunctionWord } from '../lexicon/function-words.js';

/** Words for fields: intrinsics of the query language, and keys of which the Grid must have one. */
const FIELD_WORDS: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /\b(?:(?:http|response)\s+)?(?:status|response|return)\s+codes?\b/g,
    ['http.response.status_code', 'http.status_code'],
  ],
  [/\bhttp\s+(?:methods?|verbs?)\b|\bmethods?\b/g, ['http.request.method', 'http.method']],
  [/\b(?:exception|error)\s+(?:types?|classes|class|kinds?)\b/g, ['event.exception.type']],
  [/\b(?:exception|error)\s+(?:messages?|texts?)\b/g, ['event.exception.message']],
  [
    /(?<=\b(?:which|what|top|by|per|different|distinct|unique|(?:most|least)\s+(?:common|frequent)|commonest|rarest)\s+(?:(?:kinds?|types?)\s+of\s+)?)exceptions?\b/g,
    ['event.exception.type'],
  ],
  [
    /\b(?:log\s+)?(?:severity|severities)(?:\s+levels?)?\b|\blog\s+levels?\b|(?<=\b(?:by|per|each|every|which|what)\s+)levels?\b/g,
    ['severity'],
  ],
  [/\b(?:span\s+)kinds?\b/g, ['kind']],
  [/\b(?:endpoints?|operations?|routes?)\b/g, ['operation']],
  [/\b(?:micro)?services?\b/g, ['service']],
  [/\b(?:hosts?|hostnames?|nodes?|machines?)\b/g, ['host.name', 'k8s.node.name']],
  [/\bpods?\b/g, ['k8s.pod.name', 'service.instance.id']],
  [/\b(?:instances?|replicas?)\b/g, ['service.instance.id']],
  [/\bversions?\b/g, ['service.version']],
  [/\bregions?\b/g, ['cloud.region']],
  [/\b(?:dependency|dependencies|callees?|targets?)\b/g, [CALLEE_GROUP]],
  [/\bcallers?\b/g, [CALLER_GROUP]],
];

const INTRINSICS = new Set(['severity', 'kind', 'operation', 'service', CALLEE_GROUP, CALLER_GROUP]);
const ALWAYS_KNOWN = new Set(['event.exception.type', 'event.exception.message']);

/** Words after a key that are not its value. */
const NO_VALUE =
  /^(?:not|above|below|over|under|more|less|greater|smaller|higher|lower|at|between|by|per|each|since|before|after|with|without|where|exists?|missing|set|on|off|enabled|disabled|active|inactive|requests?|spans?|traces?|logs?|calls?|errors?|failed|slower|faster|highest|lowest)$/i;

/** Keys of attributes written as they are: `http.route`, `customer.tier`. */
export function readAttributeKeys(text: MarkedText, keys: readonly string[]): void {
  const byLower = new Map(keys.map((key) => [key.toLowerCase(), key]));
  const isKey = (word: string): boolean => byLower.has(word.toLowerCase()) && /[._]/.test(word);
  text.take(
    // "The largest invoice.amount of acme" is no value of the amount.
    /(?<![\w.-])(?<key>[a-z]\w*(?:[._-]\w+)+)\s*(?:=+|:|\b(?:is|equals?|equal\s+to)\b|(?<!\b(?:largest|highest|biggest|greatest|smallest|lowest|max(?:imum)?|min(?:imum)?|avg|average|mean|sum|total)\s+(?:of\s+)?(?:the\s+)?[\w.-]+\s*)\bof\b)?\s*(?<word>[a-z0-9_/][\w./:-]*)/gi,
    ({ key = '', word = '' }) =>
      isKey(key) && !isFunctionWord(word.toLowerCase()) && !NO_VALUE.test(word)
        ? text.mark('condition', {
            kind: 'in',
            field: byLower.get(key.toLowerCase())!,
            values: [word.replace(/[.:]+$/, '')],
          })
        : undefined,
  );
  text.take(/(?<![\w.-])[a-z]\w*(?:[._-]\w+)+(?![\w-])/gi, (_, found) =>
    isKey(found) ? text.mark('field', byLower.get(found.toLowerCase())!) : undefined,
  );
}

/** Words for fields, such as "status code", "host", and the last words of the Grid's own keys: "tier" for `customer.tier`. */
export function readFieldWords(text: MarkedText, keys: readonly string[]): void {
  const known = new Set(keys);
  for (const [pattern, candidates] of FIELD_WORDS) {
    const field = candidates.find((each) => INTRINSICS.has(each) || ALWAYS_KNOWN.has(each) || known.has(each));
    if (field !== undefined) text.take(pattern, () => text.mark('field', field));
  }
  // "Distinct users", "users with the most errors": values of `user.id`, also where the word means something else.
  text.take(
    /(?<=\b(?:distinct|different|unique|how\s+many(?:\s+of\s+(?:our|the))?)\s+)[a-z]+\b|\b[a-z]+s(?=\s+(?:with|having)\s+(?:the\s+)?(?:most|highest|largest|lowest|fewest|slowest|worst)\b)/g,
    (_, word) => {
      if (RECORDS.test(word)) return undefined;
      const [key, ...others] = keys.filter((each) =>
        ['id', 'name'].some((last) => each.toLowerCase().endsWith(`${singularize(word)}.${last}`)),
      );
      return key === undefined || others.length > 0 ? undefined : text.mark('field', key);
    },
  );
  for (const [words, key] of indexKeyWords(keys))
    text.take(new RegExp(String.raw`(?<![\w.-])${words.replaceAll(' ', String.raw`[\s._-]+`)}s?(?![\w.-])`, 'g'), () =>
      text.mark('field', key),
    );
  readGroupingKeys(text, keys);
  readQuantities(text, keys);
  // "Amounts invoiced" is `invoice.amount`: the verb says the same.
  const parts = new Set(text.remaining('field').flatMap((field) => splitIdentifier(field).slice(0, -1)));
  text.take(/(?<![\w.-])(?<stem>[a-z]{3,}?)(?<ending>e?d)(?![\w-])/g, ({ stem = '' }) =>
    parts.has(stem) || parts.has(`${stem}e`) ? ' ' : undefined,
  );
  // "The weight of parcels" is `parcel.weight`.
  text.take(
    new RegExp(String.raw`(?<field>${MARK.field})\s*(?:of|for)\s+(?:the\s+|all\s+|our\s+)*(?<noun>[a-z]+)\b`, 'g'),
    ({ field = '', noun = '' }) => {
      const parts = splitIdentifier(text.get('field', field));
      return parts.slice(0, -1).includes(singularize(noun)) ? ` ${field} ` : undefined;
    },
  );
}

/** "The sum of amounts", where one attribute is an amount: alone, the word restricts nothing. */
function readQuantities(text: MarkedText, keys: readonly string[]): void {
  text.take(
    /(?<=\b(?:sum|total|average|avg|mean|median|highest|lowest|largest|smallest|biggest)\s+(?:of\s+)?(?:the\s+|all\s+|our\s+)*)(?:amount|price|cost|weight|volume|quantit(?:y|ie))s?\b/g,
    (_, word) => {
      const [key, ...others] = keys.filter(
        (each) => each.includes('.') && splitIdentifier(each).at(-1) === singularize(word),
      );
      return key === undefined || others.length > 0 ? undefined : text.mark('field', key);
    },
  );
}

/** A key may be a word that restricts nothing elsewhere, such as `site`: where something is grouped, it is the attribute. */
function readGroupingKeys(text: MarkedText, keys: readonly string[]): void {
  for (const key of keys.filter((each) => isFunctionWord(each) && /^[a-z]+$/.test(each)))
    text.take(
      new RegExp(
        String.raw`(?<=(?:\b(?:by|per|each|every|which|what|across|different|distinct|busiest|quietest|slowest|fastest|worst|best|top|most\s+\w+|least\s+\w+)|${MARK.field}\s*(?:,|\band\b))\s+(?:the\s+|of\s+)*)${key}s?\b|\b${key}s(?=\s+(?:with|having)\s+(?:the\s+)?(?:most|highest|lowest|fewest|worst)\b)`,
        'g',
      ),
      () => text.mark('field', key),
    );
}

/** First key that the Grid has. */
export function findKnownKey(keys: readonly string[], ...candidates: readonly string[]): string | undefined {
  return candidates.find((candidate) => keys.includes(candidate));
}

/** Single words by which questions name attributes: "region" for `cloud.region`. */
export function listKeyWords(keys: readonly string[]): readonly string[] {
  return [...new Set(indexKeyWords(keys).flatMap(([words]) => (/^[a-z]{5,}$/.test(words) ? [words] : [])))];
}

/** What is counted are these records themselves, though they have ids. */
const RECORDS = /^(?:requests?|responses?|spans?|traces?|calls?|logs?|entries|errors?|messages?|times|of|the|more)$/;

/** Words that mean something of their own in a question. */
const RESERVED = new Set(
  'hit name id type code status method service version host level message address port system count total size time duration start end state stack trace span log request response error kind path url query user agent operation route scheme pid language schema'.split(
    ' ',
  ),
);

/** Last words of keys, and "tenant" for `tenant.id`, with the key that alone is called so; the longest first. */
function indexKeyWords(keys: readonly string[]): readonly (readonly [string, string])[] {
  const owners = new Map<string, Set<string>>();
  for (const key of keys) {
    const parts = splitIdentifier(key);
    for (let length = 1; length <= Math.min(3, parts.length); length++) {
      const words = parts.slice(-length).join(' ');
      owners.set(words, (owners.get(words) ?? new Set()).add(key));
    }
    // "Client app" for `app.client`.
    const [first, second, ...more] = parts;
    if (second !== undefined && more.length === 0) {
      const reversed = `${second} ${first}`;
      owners.set(reversed, (owners.get(reversed) ?? new Set()).add(key));
    }
    const identified = /^(?:id|name|code)$/.test(parts.at(-1) ?? '') ? parts.slice(0, -1).slice(-2).join(' ') : '';
    if (identified !== '') owners.set(identified, (owners.get(identified) ?? new Set()).add(key));
  }
  return [...owners]
    .flatMap(([words, [key, ...others]]) =>
      others.length === 0 && isDistinctive(words) ? [[words, key] as const] : [],
    )
    .sort(([a], [b]) => b.length - a.length);
}

function isDistinctive(words: string): boolean {
  return (
    words.includes(' ') || (words.length > 2 && !RESERVED.has(words) && !isFunctionWord(words) && !/\d/.test(words))
  );
}

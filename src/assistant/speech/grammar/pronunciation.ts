import type { PronunciationDictionary } from './pronunciation-dictionary.js';

/** Technical terms that the dictionary lacks, or has in one accent only. */
const TECHNICAL_TERMS = new Map<string, readonly string[]>(
  Object.entries({
    apdex: ['AE P D EH K S'],
    slow: ['S L OW', 'S L AH UW'],
    kafka: ['K AA F K AH', 'K AE F K AH'],
    db: ['D IY B IY', 'D EY T AH B EY S'],
    redis: ['R EH D IH S', 'R IY D IH S'],
    nginx: ['EH N JH IH N EH K S'],
    envoy: ['EH N V OY', 'AA N V OY'],
    postgres: ['P OW S T G R EH S'],
    postgresql: ['P OW S T G R EH S', 'P OW S T G R EH S K Y UW EH L'],
    mysql: ['M AY EH S K Y UW EH L', 'M AY S IY K W AH L'],
    sql: ['EH S K Y UW EH L', 'S IY K W AH L'],
    mongo: ['M AA NG G OW'],
    mongodb: ['M AA NG G OW D IY B IY', 'M AA NG G OW'],
    rabbitmq: ['R AE B AH T EH M K Y UW'],
    valkey: ['V AE L K IY'],
    memcached: ['M EH M K AE SH D', 'M EH M K AE SH D IY'],
    jaeger: ['Y EY G ER'],
    kubernetes: ['K UW B ER N EH T IY Z'],
    etcd: ['EH T S IY D IY'],
    grpc: ['JH IY AA R P IY S IY'],
    graphql: ['G R AE F K Y UW EH L'],
    oauth: ['OW AO TH'],
    svc: ['S ER V AH S'],
    cfg: ['K AA N F IH G'],
    otel: ['OW T EH L'],
    async: ['EY S IH NG K'],
    sync: ['S IH NG K'],
  }),
);

const NUMBERS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
];
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];

/** Per word or phrase. */
const MAX_PRONUNCIATIONS = 4;

/** Minimum length of the parts of a compound: shorter words occur everywhere. */
const MIN_PART_LENGTH = 3;

/**
 * Pronunciations of a word: from the dictionary, otherwise as a compound of known words, otherwise spelled or by
 * letter-to-sound rules. Empty if it cannot be pronounced.
 */
export function pronounceWord(word: string, lexicon: PronunciationDictionary): readonly string[] {
  const lower = word.toLowerCase();
  if (/^\d+$/.test(lower)) return pronouncePhrase(spellNumber(lower), lexicon);
  const dictionaryEntries = TECHNICAL_TERMS.get(lower) ?? lexicon.pronunciations(lower);
  if (dictionaryEntries.length > 0) return dictionaryEntries.slice(0, MAX_PRONUNCIATIONS);
  const letters = lower.normalize('NFD').replace(/[^a-z]/g, '');
  // Letters of other scripts cannot be pronounced.
  if (letters === '') return [];
  if (letters !== lower) return pronounceWord(letters, lexicon);
  if (!/[aeiouy]/.test(letters) || letters.length < MIN_PART_LENGTH) return [spellLetters(letters)];
  const parts = splitCompound(letters, lexicon);
  if (parts !== undefined) return pronouncePhrase(parts, lexicon);
  return letters.length === MIN_PART_LENGTH
    ? [applyLetterToSoundRules(letters), spellLetters(letters)]
    : [applyLetterToSoundRules(letters)];
}

/** Pronunciations of a phrase, likeliest first. Empty if one of the words cannot be pronounced. */
export function pronouncePhrase(words: readonly string[], lexicon: PronunciationDictionary): readonly string[] {
  return words.reduce<readonly string[]>(
    (pronunciations, word) => {
      const next = pronounceWord(word, lexicon);
      return pronunciations
        .flatMap((before) => next.map((after) => `${before} ${after}`.trim()))
        .slice(0, MAX_PRONUNCIATIONS);
    },
    [''],
  );
}

/** Splits into two known words; a longer first part is preferred. */
function splitCompound(letters: string, lexicon: PronunciationDictionary): readonly string[] | undefined {
  for (let at = letters.length - 2; at >= MIN_PART_LENGTH; at--) {
    const [first, second] = [letters.slice(0, at), letters.slice(at)];
    if (isWord(first, lexicon) && isWord(second, lexicon)) return [first, second];
  }
  return undefined;
}

function isWord(letters: string, lexicon: PronunciationDictionary): boolean {
  return (
    TECHNICAL_TERMS.has(letters) || (letters.length >= MIN_PART_LENGTH && lexicon.pronunciations(letters).length > 0)
  );
}

function spellNumber(digits: string): readonly string[] {
  const number = Number(digits);
  if (digits.length > 2 || digits.startsWith('0')) return [...digits].map((digit) => NUMBERS[Number(digit)]);
  if (number < NUMBERS.length) return [NUMBERS[number]];
  return number % 10 === 0 ? [TENS[number / 10]] : [TENS[Math.floor(number / 10)], NUMBERS[number % 10]];
}

/**
 * Letter-to-sound rules of English in CMU phones, for names that are not in the dictionary. `_` is the end of a word,
 * `^` its start, `~` a following consonant, `&` one of e, i, y. The first match wins.
 */
const LETTER_TO_SOUND_RULES: readonly (readonly [letters: string, after: string, phones: string])[] = [
  ['^kn', '', 'N'],
  ['^wr', '', 'R'],
  ['^ps', '', 'S'],
  ['^x', '', 'Z'],
  ['^rh', '', 'R'],
  ['^gn', '', 'N'],
  ['tion', '', 'SH AH N'],
  ['sion', '', 'ZH AH N'],
  ['ture', '', 'CH ER'],
  ['cious', '', 'SH AH S'],
  ['tious', '', 'SH AH S'],
  ['ough', '', 'AO'],
  ['augh', '', 'AO'],
  ['eigh', '', 'EY'],
  ['igh', '', 'AY'],
  ['tch', '', 'CH'],
  ['sch', '', 'SH'],
  ['dge', '', 'JH'],
  ['air', '', 'EH R'],
  ['ear', '', 'IH R'],
  ['eer', '', 'IH R'],
  ['our', '', 'AO R'],
  ['oor', '', 'AO R'],
  ['are', '_', 'EH R'],
  ['ire', '', 'AY ER'],
  ['ore', '_', 'AO R'],
  ['ure', '', 'Y UH R'],
  ['age', '_', 'IH JH'],
  ['ive', '_', 'IH V'],
  ['ing', '_', 'IH NG'],
  ['ang', '_', 'AE NG'],
  ['ong', '_', 'AO NG'],
  ['ey', '_', 'IY'],
  ['ies', '_', 'IY Z'],
  ['ied', '_', 'IY D'],
  ['le', '_', 'AH L'],
  ['que', '_', 'K'],
  ['ch', '', 'CH'],
  ['ck', '', 'K'],
  ['gh', '', 'G'],
  ['ph', '', 'F'],
  ['sh', '', 'SH'],
  ['th', '', 'TH'],
  ['wh', '', 'W'],
  ['ng', '', 'NG'],
  ['nk', '', 'NG K'],
  ['qu', '', 'K W'],
  ['sc', '&', 'S'],
  ['kh', '', 'K'],
  ['zh', '', 'ZH'],
  ['cc', '&', 'K S'],
  ['mb', '_', 'M'],
  ['ai', '', 'EY'],
  ['ay', '', 'EY'],
  ['au', '', 'AO'],
  ['aw', '', 'AO'],
  ['ar', '', 'AA R'],
  ['al', 'k', 'AO'],
  ['ea', '', 'IY'],
  ['ee', '', 'IY'],
  ['ei', '', 'IY'],
  ['eu', '', 'UW'],
  ['ew', '', 'UW'],
  ['er', '', 'ER'],
  ['es', '_', 'Z'],
  ['ia', '', 'IY AH'],
  ['ie', '', 'IY'],
  ['io', '', 'IY OW'],
  ['ir', '', 'ER'],
  ['oa', '', 'OW'],
  ['oe', '', 'OW'],
  ['oi', '', 'OY'],
  ['oo', '', 'UW'],
  ['ou', '', 'AW'],
  ['ow', '', 'OW'],
  ['oy', '', 'OY'],
  ['or', '', 'AO R'],
  ['ue', '', 'UW'],
  ['ui', '', 'UW'],
  ['ur', '', 'ER'],
  ['yr', '', 'ER'],
  ['a', '~e_', 'EY'],
  ['e', '~e_', 'IY'],
  ['i', '~e_', 'AY'],
  ['o', '~e_', 'OW'],
  ['u', '~e_', 'UW'],
  ['y', '~e_', 'AY'],
  ['a', '_', 'AH'],
  ['e', '_', ''],
  ['i', '_', 'IY'],
  ['o', '_', 'OW'],
  ['u', '_', 'UW'],
  ['^y', '', 'Y'],
  ['y', '_', 'IY'],
  ['a', '', 'AE'],
  ['e', '', 'EH'],
  ['i', '', 'IH'],
  ['o', '', 'AA'],
  ['u', '', 'AH'],
  ['y', '', 'IH'],
  ['c', '&', 'S'],
  ['g', '&', 'JH'],
  ['b', '', 'B'],
  ['c', '', 'K'],
  ['d', '', 'D'],
  ['f', '', 'F'],
  ['g', '', 'G'],
  ['h', '', 'HH'],
  ['j', '', 'JH'],
  ['k', '', 'K'],
  ['l', '', 'L'],
  ['m', '', 'M'],
  ['n', '', 'N'],
  ['p', '', 'P'],
  ['q', '', 'K'],
  ['r', '', 'R'],
  ['s', '', 'S'],
  ['t', '', 'T'],
  ['v', '', 'V'],
  ['w', '', 'W'],
  ['x', '', 'K S'],
  ['z', '', 'Z'],
];

const RULE_CONTEXTS: Readonly<Record<string, string>> = { _: '$', '~': '[^aeiouy]', '&': '[eiy]' };

const RULE_MATCHERS = LETTER_TO_SOUND_RULES.map(([letters, after, phones]) => {
  const start = letters.startsWith('^') ? '(?<![a-z])' : '';
  const follows = [...after].map((sign) => RULE_CONTEXTS[sign] ?? sign).join('');
  return {
    matcher: new RegExp(`${start}${letters.replace('^', '')}(?=${follows})`, 'y'),
    length: letters.replace('^', '').length,
    phones,
  };
});

/** Phones of a word with letters a to z. Double consonants sound once. */
export function applyLetterToSoundRules(word: string): string {
  const letters = word.toLowerCase().replace(/([^aeiou])\1+/g, '$1');
  const phones: string[] = [];
  for (let at = 0; at < letters.length;) {
    const rule = RULE_MATCHERS.find(({ matcher }) => {
      matcher.lastIndex = at;
      return matcher.test(letters);
    });
    if (rule !== undefined && rule.phones !== '') phones.push(rule.phones);
    at += rule?.length ?? 1;
  }
  return phones.join(' ');
}

/** Phones of the letters' names. */
const LETTER_NAMES: Readonly<Record<string, string>> = {
  a: 'EY',
  b: 'B IY',
  c: 'S IY',
  d: 'D IY',
  e: 'IY',
  f: 'EH F',
  g: 'JH IY',
  h: 'EY CH',
  i: 'AY',
  j: 'JH EY',
  k: 'K EY',
  l: 'EH L',
  m: 'EH M',
  n: 'EH N',
  o: 'OW',
  p: 'P IY',
  q: 'K Y UW',
  r: 'AA R',
  s: 'EH S',
  t: 'T IY',
  u: 'Y UW',
  v: 'V IY',
  w: 'D AH B AH L Y UW',
  x: 'EH K S',
  y: 'W AY',
  z: 'Z IY',
};

/** Phones of letters that are spelled one by one. */
export function spellLetters(letters: string): string {
  return [...letters.toLowerCase()]
    .map((letter) => LETTER_NAMES[letter])
    .filter(Boolean)
    .join(' ');
}

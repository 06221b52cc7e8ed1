import { letterSounds, spelled } from './letter-sounds.js';
import type { Lexicon } from './lexicon.js';

/** Words of our trade that the dictionary lacks, or knows in one accent alone. */
const TRADE = new Map<string, readonly string[]>(Object.entries({
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
}));

const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'];
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];

/** Of one word or of several together. */
const MOST = 4;
/** A compound is taken apart into words of so many letters at least: shorter ones are found everywhere. */
const LEAST_PART = 3;

/** How a word may be said, none where nobody can: by the dictionary, else as a compound of its words, else letter by letter or by the letters' sounds. */
export function pronunciationsOf(word: string, lexicon: Lexicon): readonly string[] {
  const lower = word.toLowerCase();
  if (/^\d+$/.test(lower)) return sayings(numberWords(lower), lexicon);
  const known = TRADE.get(lower) ?? lexicon.pronunciations(lower);
  if (known.length > 0) return known.slice(0, MOST);
  const letters = lower.normalize('NFD').replace(/[^a-z]/g, '');
  // Letters of other scripts have no sounds here.
  if (letters === '') return [];
  if (letters !== lower) return pronunciationsOf(letters, lexicon);
  if (!/[aeiouy]/.test(letters) || letters.length < LEAST_PART) return [spelled(letters)];
  const parts = compound(letters, lexicon);
  if (parts !== undefined) return sayings(parts, lexicon);
  return letters.length === LEAST_PART ? [letterSounds(letters), spelled(letters)] : [letterSounds(letters)];
}

/** How words may be said one after the other, the likeliest first. None where one of them cannot be said. */
export function sayings(words: readonly string[], lexicon: Lexicon): readonly string[] {
  return words.reduce<readonly string[]>((said, word) => {
    const next = pronunciationsOf(word, lexicon);
    return said.flatMap((before) => next.map((after) => `${before} ${after}`.trim())).slice(0, MOST);
  }, ['']);
}

/** Two words that make up the letters, the longest first part before others. */
function compound(letters: string, lexicon: Lexicon): readonly string[] | undefined {
  for (let at = letters.length - 2; at >= LEAST_PART; at--) {
    const [first, second] = [letters.slice(0, at), letters.slice(at)];
    if (isWord(first, lexicon) && isWord(second, lexicon)) return [first, second];
  }
  return undefined;
}

function isWord(letters: string, lexicon: Lexicon): boolean {
  return TRADE.has(letters) || (letters.length >= LEAST_PART && lexicon.pronunciations(letters).length > 0);
}

function numberWords(digits: string): readonly string[] {
  const number = Number(digits);
  if (digits.length > 2 || digits.startsWith('0')) return [...digits].map((digit) => NUMBERS[Number(digit)]);
  if (number < NUMBERS.length) return [NUMBERS[number]];
  return number % 10 === 0 ? [TENS[number / 10]] : [TENS[Math.floor(number / 10)], NUMBERS[number % 10]];
}

import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  applyLetterToSoundRules,
  pronouncePhrase,
  pronounceWord,
  spellLetters,
} from '../../../../../src/assistant/speech/grammar/pronunciation.js';
import { SphinxDictionary } from '../../../../../src/assistant/speech/grammar/pronunciation-dictionary.js';
import { pronounceNames } from '../../../../../src/assistant/speech/grammar/recognition-grammar.js';

const TEXT = `a AH
a(2) EY
ad AE D
an AE N
ab's AE B Z
b B IY
cart K AA R T
carts K AA R T S
data D EY T AH
data(2) D AE T AH
generator JH EH N ER EY T ER
load L OW D
ninety N AY N T IY
orders AO R D ER Z
five F AY V
service S ER V AH S
service(2) S ER V IH S
two T UW
zoo Z UW`;

const lexicon = new SphinxDictionary(TEXT);

const PHONES = new Set(
  'AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH'.split(' '),
);

describe('The lexicon', () => {
  it('knows every pronunciation of a word, and of no other that begins alike', () => {
    assert.deepEqual(lexicon.pronunciations('a'), ['AH', 'EY']);
    assert.deepEqual(lexicon.pronunciations('cart'), ['K AA R T']);
    assert.deepEqual(lexicon.pronunciations('carts'), ['K AA R T S']);
    assert.deepEqual(lexicon.pronunciations('data'), ['D EY T AH', 'D AE T AH']);
    assert.deepEqual(lexicon.pronunciations('zoo'), ['Z UW']);
    for (const unknown of ['', 'car', 'zooo', 'x', 'ab'])
      assert.deepEqual(lexicon.pronunciations(unknown), [], unknown);
  });

  it('finds what a plain search finds', () => {
    const words = TEXT.split('\n').map((line) => line.split(' ')[0].replace(/\(\d\)$/, ''));
    for (const word of words)
      assert.deepEqual(
        lexicon.pronunciations(word),
        TEXT.split('\n')
          .filter((line) => line.replace(/\(\d\)/, '').startsWith(`${word} `))
          .map((line) => line.slice(line.indexOf(' ') + 1)),
      );
  });
});

describe('Sounds of letters', () => {
  const sounds: Record<string, string> = {
    kite: 'K AY T',
    fone: 'F OW N',
    photon: 'F AA T AA N',
    shipping: 'SH IH P IH NG',
    quota: 'K W AA T AH',
    knative: 'N AE T IH V',
    city: 'S IH T IY',
    gopher: 'G AA F ER',
    station: 'S T AE SH AH N',
    light: 'L AY T',
    tracker: 'T R AE K ER',
    queue: 'K W UW',
    payee: 'P EY IY',
    zipkin: 'Z IH P K IH N',
    tempo: 'T EH M P OW',
    loki: 'L AA K IY',
  };
  for (const [word, phones] of Object.entries(sounds))
    it(`of "${word}"`, () => assert.equal(applyLetterToSoundRules(word), phones));

  it('are phones of the dictionary, for any letters', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), maxLength: 30 }), (word) => {
        for (const phones of [applyLetterToSoundRules(word), spellLetters(word)])
          for (const phone of phones.split(' ').filter(Boolean)) assert.ok(PHONES.has(phone), `${word}: ${phone}`);
      }),
    );
  });

  it('of letters that are spelled', () => assert.equal(spellLetters('QL'), 'K Y UW EH L'));
});

describe('Pronunciations', () => {
  const said: Record<string, readonly string[]> = {
    cart: ['K AA R T'],
    Cart: ['K AA R T'],
    db: ['D IY B IY', 'D EY T AH B EY S'],
    loadgenerator: ['L OW D JH EH N ER EY T ER'],
    cartservice: ['K AA R T S ER V AH S', 'K AA R T S ER V IH S'],
    // No compound of words of two letters: their sounds.
    adan: ['AE D AE N'],
    crm: ['S IY AA R EH M'],
    sku: ['S K UW', 'EH S K EY Y UW'],
    95: ['N AY N T IY F AY V'],
    5: ['F AY V'],
    café: ['K EY F'],
    日本: [],
  };
  for (const [word, phones] of Object.entries(said))
    it(`of ${word}`, () => assert.deepEqual(pronounceWord(word, lexicon), phones));

  it('of several words are all their combinations, four at most', () => {
    assert.deepEqual(pronouncePhrase(['cart', 'service'], lexicon), ['K AA R T S ER V AH S', 'K AA R T S ER V IH S']);
    assert.equal(pronouncePhrase(['data', 'service', 'data'], lexicon).length, 4);
  });
});

describe('Names as people say them', () => {
  it('may come with "service" or without', () => {
    const said = pronounceNames(['cart', 'ad-service', 'orders-db'], lexicon);
    assert.deepEqual(said.get('cart'), ['K AA R T', 'K AA R T S ER V AH S', 'K AA R T S ER V IH S']);
    assert.deepEqual(said.get('ad-service'), ['AE D S ER V AH S', 'AE D S ER V IH S', 'AE D']);
    assert.ok(said.get('orders-db')!.includes('AO R D ER Z D EY T AH B EY S'));
  });

  it('are left to the service that is named exactly so', () => {
    const said = pronounceNames(['cart', 'cart-service'], lexicon);
    assert.deepEqual(said.get('cart'), ['K AA R T']);
    assert.deepEqual(said.get('cart-service'), ['K AA R T S ER V AH S', 'K AA R T S ER V IH S']);
  });

  it('are not said when they are long, or have nothing to say', () => {
    assert.deepEqual([...pronounceNames(['', '---', '日本', 'GET /a/b/c/d/e/f/g/h/i'], lexicon).keys()], []);
  });
});

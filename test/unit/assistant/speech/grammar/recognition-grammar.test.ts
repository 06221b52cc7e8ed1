import assert from 'node:assert/strict';
import fc from 'fast-check';
import { buildGrammar, MAX_NAMES } from '../../../../../src/assistant/speech/grammar/recognition-grammar.js';
import type { PronunciationDictionary } from '../../../../../src/assistant/speech/grammar/pronunciation-dictionary.js';
import { QUESTION_FORMS, FORM_SLOTS } from '../../../../../src/assistant/speech/grammar/question-forms.js';

/** Knows every word, with the same pronunciation. */
const lexicon: PronunciationDictionary = { pronunciations: () => ['AH'] };

const wordsIn = (dictionary: string) =>
  new Set(
    dictionary
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' ')[0].replace(/\(\d+\)$/, '')),
  );

describe('Forms of questions', () => {
  it('are about 60 or more', () => assert.ok(QUESTION_FORMS.length >= 60, String(QUESTION_FORMS.length)));

  for (const form of [...QUESTION_FORMS, ...Object.values(FORM_SLOTS)]) {
    it(`"${form.slice(0, 60)}" is well formed`, () => {
      assert.match(form, /^[a-zA-Z0-9 ()[\]|\s]+$/);
      const open: string[] = [];
      for (const sign of form.match(/[()[\]]/g) ?? []) {
        if (sign === '(' || sign === '[') open.push(sign);
        else assert.equal(open.pop(), sign === ')' ? '(' : '[');
      }
      assert.deepEqual(open, []);
      for (const [slot] of form.matchAll(/\b[A-Z][A-Z]+\b/g)) assert.ok(slot === 'SERVICE' || slot in FORM_SLOTS, slot);
      // An empty alternative would make everything optional.
      assert.doesNotMatch(form, /[(|[]\s*[|)\]]/);
    });
  }
});

describe('The grammar', () => {
  it('has a rule for each slot, and one public rule', () => {
    const { jsgf } = buildGrammar(['cart'], lexicon);
    assert.match(jsgf, /^#JSGF V1.0;\ngrammar questions;\n/);
    assert.equal(jsgf.match(/^public <question> = /gm)?.length, 1);
    const defined = new Set([...jsgf.matchAll(/^(?:public )?<(\w+)> =/gm)].map(([, rule]) => rule));
    for (const [, used] of jsgf.matchAll(/<(\w+)>/g)) assert.ok(defined.has(used), used);
  });

  it('has each of its words in the dictionary, and no other', () => {
    const { jsgf, dictionary } = buildGrammar(['cart', 'orders-db', 'POST /checkout'], lexicon);
    const body = jsgf
      .replace(/^.*\n.*\n/, '')
      .replace(/^public /gm, '')
      .replace(/<\w+>/g, '');
    assert.deepEqual(wordsIn(dictionary), new Set(body.match(/[a-z0-9]+/g)));
  });

  it('writes names as they are', () => {
    const { jsgf, toText: written } = buildGrammar(['cart', 'POST /checkout'], lexicon);
    assert.match(jsgf, /<SERVICE> = it \| this service \| n0n \| n1n;/);
    assert.equal(written(['why', 'is', 'n1n', 'slow']), 'why is POST /checkout slow');
  });

  it('contains nothing of what a name contains', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (names) => {
        const { jsgf, dictionary } = buildGrammar(names, lexicon);
        assert.match(jsgf, /^<SERVICE> = it \| this service(?: \| n\d+n)*;$/m);
        for (const line of dictionary.split('\n').filter(Boolean))
          assert.match(line, /^[a-z0-9]+(?:\(\d+\))?(?: [A-Z]{1,2})+$/);
      }),
      { numRuns: 30 },
    );
  });

  it('takes the first of too many names, and each once', () => {
    const names = Array.from({ length: MAX_NAMES + 50 }, (_, i) => `service${i}`);
    const { jsgf } = buildGrammar(['cart', 'cart', ...names], lexicon);
    assert.equal(jsgf.match(/n\d+n/g)?.length, MAX_NAMES);
  });

  it('has names that are what every object of JavaScript has', () => {
    const nobody: PronunciationDictionary = { pronunciations: () => [] };
    const names = ['constructor', 'toString', '__proto__'];
    const { toText: written } = buildGrammar(names, nobody);
    assert.deepEqual(
      names.map((_, i) => written([`n${i}n`])),
      names,
    );
  });

  it('leaves out names that nobody says whole', () => {
    const spelling: PronunciationDictionary = { pronunciations: () => [] };
    const { toText: written } = buildGrammar(['x'.repeat(1_024), 'w'.repeat(80), 'cart'], spelling);
    assert.equal(written(['n0n', 'n1n']), 'cart n1n');
  });
});

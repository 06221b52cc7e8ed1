import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseIfMatch, computeEntityTag, matchesEntityTag } from '../../../../src/http/requests/request-headers.js';

const TAG = '"a-1"';

describe('entity tag', () => {
  it('is strong, and of equal content equal', () => {
    fc.assert(
      fc.property(fc.object(), fc.object(), (a, b) => {
        assert.match(computeEntityTag(a), /^"[\w-]{43}"$/);
        assert.equal(computeEntityTag(a) === computeEntityTag(b), JSON.stringify(a) === JSON.stringify(b));
      }),
    );
  });

  const naming = [
    [TAG],
    [`W/${TAG}`],
    ['"x"', TAG],
    [`"x",${TAG}`],
    [` "x" ,\t${TAG} `],
    ['*'],
    [' * '],
    [`"a,b", ${TAG}`],
    [`"*", ${TAG}`],
  ];
  for (const values of naming)
    it(`is named by ${JSON.stringify(values)}`, () => assert.equal(matchesEntityTag(values, TAG), true));

  const others = [
    [],
    [''],
    ['""'],
    ['"a-2"'],
    ['a-1'],
    ['"*"'],
    ['*, "x"'],
    ['"A-1"'],
    ['"xa-1"'],
    [`"x${TAG}`],
    ['"a-1'],
    ['"W/a-1"'],
  ];
  for (const values of others)
    it(`is not named by ${JSON.stringify(values)}`, () => assert.equal(matchesEntityTag(values, TAG), false));

  it('is found in any list of tags', () => {
    const tag = fc.stringMatching(/^[!#-~]{0,8}$/).map((text) => `"${text}"`);
    fc.assert(
      fc.property(fc.array(tag, { minLength: 1 }), tag, fc.boolean(), (tags, one, weak) => {
        assert.equal(
          matchesEntityTag([tags.map((each) => (weak ? `W/${each}` : each)).join(', ')], one),
          tags.includes(one),
        );
      }),
    );
  });
});

describe('the condition of a change', () => {
  const CONTENT = { title: 'Heap', unit: 'By' };
  const OF_CONTENT = computeEntityTag(CONTENT);

  const met = [
    [OF_CONTENT],
    ['"x"', OF_CONTENT],
    [`"x",${OF_CONTENT}`],
    [`, "a,b" ,\t${OF_CONTENT} ,`],
    ['*'],
    [' * '],
  ];
  for (const values of met)
    it(`is met by ${JSON.stringify(values)}`, () => assert.equal(parseIfMatch(values)?.(CONTENT), true));

  const unmet = [['"x"'], [`W/${OF_CONTENT}`], [`W/${OF_CONTENT}`, '"x"'], ['""'], ['"*"']];
  for (const values of unmet)
    it(`is not met by ${JSON.stringify(values)}`, () => assert.equal(parseIfMatch(values)?.(CONTENT), false));

  const unreadable = [
    [''],
    ['x'],
    [','],
    ['*, "x"'],
    ['"x'],
    ['"x" "y"'],
    ['"x"y'],
    ['w/"x"'],
    ['W/ "x"'],
    [OF_CONTENT, 'x'],
    [OF_CONTENT, '*'],
    ["'x'"],
  ];
  for (const values of unreadable)
    it(`cannot be read from ${JSON.stringify(values)}`, () => assert.equal(parseIfMatch(values), undefined));
});

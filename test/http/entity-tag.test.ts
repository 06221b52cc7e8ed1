import assert from 'node:assert/strict';
import fc from 'fast-check';
import { entityTagOf, namesEntity } from '../../src/http/entity-tag.js';

const TAG = '"a-1"';

describe('entity tag', () => {
  it('is strong, and of equal content equal', () => {
    fc.assert(fc.property(fc.object(), fc.object(), (a, b) => {
      assert.match(entityTagOf(a), /^"[\w-]{43}"$/);
      assert.equal(entityTagOf(a) === entityTagOf(b), JSON.stringify(a) === JSON.stringify(b));
    }));
  });

  const naming = [[TAG], [`W/${TAG}`], ['"x"', TAG], [`"x",${TAG}`], [` "x" ,\t${TAG} `], ['*'], [' * '], [`"a,b", ${TAG}`], [`"*", ${TAG}`]];
  for (const values of naming) it(`is named by ${JSON.stringify(values)}`, () => assert.equal(namesEntity(values, TAG), true));

  const others = [[], [''], ['""'], ['"a-2"'], ['a-1'], ['"*"'], ['*, "x"'], ['"A-1"'], ['"xa-1"'], [`"x${TAG}`], ['"a-1'], ['"W/a-1"']];
  for (const values of others) it(`is not named by ${JSON.stringify(values)}`, () => assert.equal(namesEntity(values, TAG), false));

  it('is found in any list of tags', () => {
    const tag = fc.stringMatching(/^[!#-~]{0,8}$/).map((text) => `"${text}"`);
    fc.assert(fc.property(fc.array(tag, { minLength: 1 }), tag, fc.boolean(), (tags, one, weak) => {
      assert.equal(namesEntity([tags.map((each) => (weak ? `W/${each}` : each)).join(', ')], one), tags.includes(one));
    }));
  });
});

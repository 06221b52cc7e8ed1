import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseWhere } from '../../../../src/queries/query/language/where-parser.js';
import {
  addCondition,
  CONDITION_OPERATORS,
  writeCondition,
  writeField,
} from '../../../../portal/src/pages/explore/condition-writer.js';

const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 });

describe('conditions that the portal writes', () => {
  it('are read by the service as what they mean, whatever names and values are', () => {
    fc.assert(
      fc.property(name, fc.string({ unit: 'binary', maxLength: 60 }), (field, value) => {
        const condition = writeCondition(`span.${field}`, '=', value);
        if (field.includes('`')) assert.equal(condition, undefined);
        else {
          const parsed = parseWhere('spans', condition!);
          assert.ok('predicate' in parsed, JSON.stringify({ condition, parsed }));
          const {
            kind,
            field: read,
            values,
          } = parsed.predicate as unknown as {
            kind: string;
            field: { text: string };
            values: { text: string }[];
          };
          assert.deepEqual([kind, read.text, values.map(({ text }) => text)], ['in', `span.${field}`, [value]]);
        }
      }),
    );
  });

  it('quote words of the language', () => {
    assert.equal(writeField('and'), '`and`');
    assert.equal(writeField('my field'), '`my field`');
    assert.equal(writeField('customer.tier'), 'customer.tier');
    assert.equal(writeCondition('x', '=', 'or'), 'x = "or"');
    assert.equal(writeCondition('x', '=', 'say "hi"'), 'x = "say \\"hi\\""');
  });

  it('mean the text of a value that reads like a size, and the size where values are ordered', () => {
    const valueOf = (operator: '=' | '>='): unknown => {
      const parsed = parseWhere('spans', writeCondition('plan', operator, '5GB')!);
      if (!('predicate' in parsed)) return parsed;
      const { predicate } = parsed;
      if (predicate?.kind === 'in') return predicate.values[0].text;
      return predicate?.kind === 'compare' ? predicate.value.number : predicate;
    };
    assert.equal(valueOf('='), '5GB');
    assert.equal(valueOf('>='), 5e9);
    assert.equal(writeCondition('duration', '=', '250ms'), 'duration = 250ms');
  });

  it('tell records without the field from those with an empty one', () => {
    assert.equal(writeCondition('x', '=', null), 'not exists(x)');
    assert.equal(writeCondition('x', '!=', null), 'exists(x)');
    assert.equal(writeCondition('x', '=', ''), 'x = ""');
  });

  it('parse with every operator', () => {
    for (const operator of CONDITION_OPERATORS)
      assert.ok('predicate' in parseWhere('spans', writeCondition('size', operator, '3')!), operator);
  });
});

describe('adding a condition', () => {
  it('keeps what stands there', () => {
    assert.equal(addCondition('', 'b = 2'), 'b = 2');
    assert.equal(addCondition(' a = 1 ', 'b = 2'), 'a = 1 and b = 2');
    assert.equal(addCondition('a = 1 or c = 3', 'b = 2'), '(a = 1 or c = 3) and b = 2');
    assert.equal(addCondition('not a = 1', 'b = 2'), 'not a = 1 and b = 2');
  });

  it('adds none that is there already', () => {
    assert.equal(addCondition('b = 2', 'b = 2'), 'b = 2');
    assert.equal(addCondition('a = 1 and b = 2 c = 3', 'b = 2'), 'a = 1 and b = 2 c = 3');
    assert.equal(addCondition('a = 1 or b = 2', 'b = 2'), '(a = 1 or b = 2) and b = 2');
  });
});

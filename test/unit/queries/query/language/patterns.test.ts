import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { PredicateEvaluator } from '../../../../../src/queries/query/predicate-evaluator.js';
import type { RecordBatch } from '../../../../../src/queries/query/columns/record-batch.js';
import { measurePattern } from '../../../../../src/queries/query/language/pattern-size.js';
import { parseWhere } from '../../../../../src/queries/query/language/where-parser.js';

const messageOf = (where: string): string | undefined => {
  const parsed = parseWhere('spans', where);
  return 'fault' in parsed ? parsed.fault.message : undefined;
};

const part = fc.oneof(
  fc.constantFrom('a', '.', '\\d', '\\pL', '[a-z]', '[[:alpha:]_]', '\\x{1F600}', '[]a]', '^', '{', 'é'),
  fc.constantFrom('(?:ab|c)', '(x)', '()', '\\Qa{9}\\E', '[^\\]{5}]'),
);
const pattern: fc.Arbitrary<string> = fc.letrec<{ group: string; whole: string }>((tie) => ({
  whole: fc
    .array(
      fc.tuple(
        fc.oneof({ maxDepth: 2 }, part, tie('group')),
        fc.constantFrom('', '', '*', '?', '{3}', '{2,5}', '{2,}'),
      ),
      {
        maxLength: 4,
      },
    )
    .map((parts) => parts.map((each) => each.join('')).join('')),
  group: tie('whole').map((inner) => `(${inner})`),
})).whole;

describe('patterns of conditions', () => {
  it('are measured so that their automata are bounded', () =>
    fc.assert(
      fc.property(pattern, (text) => {
        let compiled: RE2JS;
        try {
          compiled = RE2JS.compile(text);
        } catch {
          return; // measured all the same, but never used
        }
        const states = compiled.programSize();
        assert.ok(states <= 4 + 3 * measurePattern(text), `${text}: ${states} of ${measurePattern(text)}`);
      }),
      { numRuns: 300 },
    ));

  it('are refused at their position if they are too large', () => {
    for (const large of ['(\\pL{1000})(\\pL{1000})', '((a{10}){10}b){10}', '(){1000}'])
      assert.match(
        messageOf(`service = a and operation =~ "${large.replaceAll('\\', '\\\\')}"`) ?? '',
        /^is wrong at position 30: expected a regular expression \(RE2\): the patterns of a condition have at most 1000 char/,
      );
    assert.equal(messageOf('operation =~ "^/api/v[12]/.{1,500}$"'), undefined);
  });

  it('are bounded over all of a condition', () => {
    assert.match(messageOf('a =~ "x{600}" or b =~ "y{600}"') ?? '', /at position 23/);
    assert.match(messageOf(Array.from({ length: 33 }, () => 'a=~b').join(' or ')) ?? '', /has at most 32 of them/);
  });

  it('let other queries have their turn between two values', async () => {
    const values = ['ax', 'b', 'ac'];
    const column = { kind: 'coded' as const, codes: Uint8Array.of(0, 1, 2, 0), values };
    let yields = 0;
    const timeSlice = {
      yieldIfDue: () => {
        yields++;
        return undefined;
      },
    };
    const batch = { size: 4, readColumn: () => Promise.resolve(column) } as unknown as RecordBatch;
    const field = { text: 'x', scope: 'any', name: 'x' } as const;
    const evaluator = new PredicateEvaluator({ kind: 'matches', field, pattern: '^a' }, timeSlice);
    assert.deepEqual([...(await evaluator.select(batch, Uint16Array.of(0, 1, 2, 3)))], [0, 2, 3]);
    assert.equal(yields, values.length);
  });
});

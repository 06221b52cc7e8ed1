import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseWhere } from '../../../../../src/queries/query/language/where-parser.js';
import type { Literal } from '../../../../../src/queries/query/query-model.js';

const DIGITS = { ns: 0, us: 3, ms: 6, s: 9 } as const;

/** Nanoseconds as a decimal number of a unit. */
function write(nanos: number, unit: keyof typeof DIGITS): string {
  const digits = String(nanos).padStart(DIGITS[unit] + 1, '0');
  const whole = digits.slice(0, digits.length - DIGITS[unit]);
  return DIGITS[unit] === 0 ? `${whole}ns` : `${whole}.${digits.slice(whole.length)}${unit}`;
}

function read(where: string): Literal | string {
  const parsed = parseWhere('spans', where);
  if ('fault' in parsed) return parsed.fault.message;
  const { predicate } = parsed;
  if (predicate?.kind === 'compare') return predicate.value;
  return predicate?.kind === 'in' ? predicate.values[0] : assert.fail(where);
}

describe('values of conditions', () => {
  it('have exactly the number of a span of so many nanoseconds, in any unit', () =>
    fc.assert(
      fc.property(fc.oneof(fc.nat(100_000), fc.nat(1e15)), fc.constantFrom('ns', 'us', 'ms', 's'), (nanos, unit) => {
        const literal = read(`duration = ${write(nanos, unit)}`) as Literal;
        assert.equal(literal.number, nanos / 1e6, write(nanos, unit));
      }),
    ));

  it('keep fractions of nanoseconds, which no span has', () =>
    assert.equal((read('duration > 0.5ns') as Literal).number, 0.5 / 1e6));

  it('with a unit of time are refused where an attribute is ordered, at their position', () => {
    assert.equal(
      read('queue.wait > 250ms'),
      'is wrong at position 14: expected a number in the unit of the attribute, or a quoted string, for queue.wait',
    );
    assert.equal((read('queue.wait > "250ms"') as Literal).text, '250ms');
    assert.equal((read('commit = 12d') as Literal).text, '12d');
  });

  it('with an unknown unit are refused where an attribute is ordered', () => {
    for (const value of ['5kb', '90%', '2.5x'])
      assert.match(read(`size > ${value}`) as string, /at position 8: expected a number in the unit of the attribute/);
    assert.equal((read('size > "5kb"') as Literal).text, '5kb');
    assert.equal((read('version > 2.4.0') as Literal).text, '2.4.0');
  });

  it('with a unit of size are bytes for attributes only', () => {
    assert.deepEqual(read('size >= 1MiB'), { text: '1048576', number: 1_048_576 });
    assert.equal((read('operation = 5B') as Literal).text, '5B');
  });

  it('may end like members of every object', () => {
    assert.equal((read('x = 5constructor') as Literal).text, '5constructor');
    assert.match(read('duration > 5constructor') as string, /expected a unit of time: ns, us/);
  });

  it('of severities are ordered by level, not as texts', () => {
    const levels = (where: string): readonly string[] => {
      const parsed = parseWhere('logs', where);
      const predicate = 'fault' in parsed ? undefined : parsed.predicate;
      return predicate?.kind === 'in' ? predicate.values.map(({ text }) => text) : assert.fail(where);
    };
    assert.deepEqual(levels('severity >= warning'), ['Warning', 'Error', 'Fatal']);
    assert.deepEqual(levels('severity > Error'), ['Fatal']);
    assert.deepEqual(levels('severity < information'), ['Trace', 'Debug']);
    assert.deepEqual(levels('severity <= Trace'), ['Trace']);
    assert.deepEqual(levels('severity > Fatal'), []);
  });

  it('of ids are in lower case', () => {
    const id = 'ABCDEF0123456789';
    for (const field of ['traceId', 'spanId', 'parentSpanId', 'link.traceId'])
      assert.equal((read(`${field} = ${id}`) as Literal).text, id.toLowerCase());
    assert.equal((read(`span.traceId = ${id}`) as Literal).text, id);
  });
});

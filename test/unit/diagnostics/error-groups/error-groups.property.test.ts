import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ErrorGroup } from '../../../../src/diagnostics/error-groups/error-group.js';
import { ErrorGroupKeys } from '../../../../src/diagnostics/error-groups/error-group-key.js';
import { ErrorGroups, groupExceptions } from '../../../../src/diagnostics/error-groups/error-groups.js';
import type { ExceptionOccurrence } from '../../../../src/diagnostics/error-groups/exception-occurrence.js';

const STACKS = ['', 'at charge (/app/pay.js:1:1)', 'at charge (/app/pay.js:9:1)', 'at ship (/app/ship.js:1:1)'];

const exception: fc.Arbitrary<ExceptionOccurrence> = fc
  .record({
    source: fc.constantFrom('span', 'log'),
    type: fc.constantFrom('CardDeclined', 'Timeout', ''),
    message: fc.constantFrom('no order 17', 'no order 18', 'slow', ''),
    stackTrace: fc.constantFrom(...STACKS),
    service: fc.constantFrom('checkout', 'payment'),
    version: fc.constantFrom('', '1.0', '1.1'),
    timeUs: fc.nat(20),
    trace: fc.nat(7),
    span: fc.nat(2),
  })
  .map(({ trace, span, ...rest }) => ({
    ...rest,
    knownUs: rest.timeUs,
    traceId: rest.source === 'log' && trace === 0 ? '' : `trace-${trace}`,
    spanId: rest.source === 'log' && trace === 0 ? '' : `span-${trace}-${span}`,
  }));
const exceptions = fc.array(exception, { maxLength: 60 });

const byId = (groups: ErrorGroups): ErrorGroup[] => groups.list().sort((a, b) => (a.groupId < b.groupId ? -1 : 1));

/** What counts, by the definition: the earliest of a span's equal events, and log records of which no event tells. */
function countOnce(given: readonly ExceptionOccurrence[]): ExceptionOccurrence[] {
  const same = (a: ExceptionOccurrence, b: ExceptionOccurrence): boolean =>
    a.traceId === b.traceId && a.spanId === b.spanId && a.type === b.type && a.message === b.message;
  const events = given
    .filter(({ source }) => source === 'span')
    .sort((a, b) => a.timeUs - b.timeUs || (a.stackTrace < b.stackTrace ? -1 : 1));
  return [
    ...events.filter((event, at) => !events.slice(0, at).some((other) => same(other, event))),
    ...given.filter((each) => each.source === 'log' && !events.some((event) => same(event, each))),
  ];
}

describe('groups of exceptions', () => {
  it('count what counts, exactly', () =>
    fc.assert(
      fc.property(exceptions, (given) => {
        const counted = countOnce(given);
        const groups = groupExceptions(given);
        assert.equal(
          groups.list().reduce((sum, { count }) => sum + count, 0),
          counted.length,
        );
        const keys = new ErrorGroupKeys();
        for (const group of groups.list()) {
          const own = counted.filter((each) => keys.find(each).groupId === group.groupId);
          assert.equal(group.count, own.length);
          assert.equal(group.firstSeenUs, Math.min(...own.map(({ timeUs }) => timeUs)));
          assert.equal(group.lastSeenUs, Math.max(...own.map(({ timeUs }) => timeUs)));
          for (const { name, count } of group.versions)
            assert.equal(count, own.filter(({ version }) => version === name).length);
          for (const { name, count } of group.services)
            assert.equal(count, own.filter(({ service }) => service === name).length);
          const traces = new Set(own.map(({ traceId }) => traceId).filter((id) => id !== ''));
          assert.equal(group.sampleTraces.length, Math.min(5, traces.size));
        }
      }),
    ));

  it('do not depend on the order of the exceptions', () =>
    fc.assert(
      fc.property(
        exceptions.chain((given) =>
          fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length })),
        ),
        ([given, shuffled]) => {
          // Of equal events of one span one counts: which of their resources that is, the order decides.
          const alike = (each: ExceptionOccurrence): ExceptionOccurrence => ({ ...each, service: 'one', version: '' });
          assert.deepEqual(byId(groupExceptions(shuffled.map(alike))), byId(groupExceptions(given.map(alike))));
        },
      ),
    ));

  it('of two parts, merged, are those of the whole', () =>
    fc.assert(
      fc.property(exceptions, fc.infiniteStream(fc.boolean()), (given, sides) => {
        const whole = new ErrorGroups();
        const parts = [new ErrorGroups(), new ErrorGroups()];
        for (const each of countOnce(given)) {
          whole.add(each);
          parts[Number(sides.next().value)].add(each);
        }
        parts[0].merge(parts[1]);
        assert.deepEqual(byId(parts[0]), byId(whole));
      }),
    ));

  it('beyond the bound count together, and no exception is lost', () =>
    fc.assert(
      fc.property(exceptions, fc.integer({ min: 1, max: 4 }), (given, most) => {
        const groups = new ErrorGroups({ maxGroups: most });
        for (const each of given) groups.add(each);
        assert.ok(groups.size <= most);
        assert.equal(
          groups.list().reduce((sum, { count }) => sum + count, groups.folded),
          given.length,
        );
      }),
    ));
});

describe('keys of error groups', () => {
  const find = (type: string, message: string, stackTrace = '') =>
    new ErrorGroupKeys().find({ type, message, stackTrace });

  it('are the same in every process', () =>
    assert.deepEqual(find('CardDeclined', 'no order 17', STACKS[1]), {
      groupId: GROUP_ID,
      type: 'CardDeclined',
      messagePattern: 'no order *',
      topFrames: ['charge (pay.js)'],
    }));

  const VARYING: Readonly<Record<string, readonly [string, string]>> = {
    numbers: ['took 17 ms', 'took 1800.5 ms'],
    ids: ['no order o-17 of user_8', 'no order o-18 of user_9'],
    UUIDs: ['no 7f0c1d52-6f0e-4b6b-9a53-2a1f0f2f6a10', 'no 00000000-0000-4000-8000-000000000001'],
    'hex numbers': ['at 0xdeadbeef of a1b2c3d4e5f6', 'at 0x1 of deadbeefcafe'],
    'quoted values': ['no field "name" in \'order\'', 'no field "card number" in \'it\''],
    'paths with ids': ['GET /orders/17/items failed', 'GET /orders/o-93/items failed'],
    'e-mail addresses': ['no mail to ann@shop.example', 'no mail to bob.b+x@other.example'],
  };
  for (const [what, [one, other]] of Object.entries(VARYING))
    it(`ignore ${what} in messages`, () => assert.equal(find('E', one).groupId, find('E', other).groupId));

  it('ignore lines, and tell apart types, words and functions', () => {
    assert.equal(find('E', 'm', STACKS[1]).groupId, find('E', 'm', STACKS[2]).groupId);
    const ids = [find('E', 'm'), find('F', 'm'), find('E', 'n'), find('E', 'm', STACKS[1]), find('E', 'm', STACKS[3])];
    assert.equal(new Set(ids.map(({ groupId }) => groupId)).size, 5);
  });

  it('are the same when remembered', () => {
    const keys = new ErrorGroupKeys();
    const given = { type: 'E', message: 'no order 17', stackTrace: STACKS[1] };
    assert.deepEqual(keys.find(given), keys.find({ ...given }));
  });
});

const GROUP_ID = 'bcebdbf30788a659792c6a3491b73ded';

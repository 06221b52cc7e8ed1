import assert from 'node:assert/strict';
import type { SharedRegister } from '../../src/projections/sharding/shared-register.js';

/** One test per sentence of the port. `open` returns two clients of one new, empty register. `describeSuite` skips the suite if its server is absent. */
export function sharedRegisterContract(
  name: string,
  open: () => Promise<readonly [SharedRegister, SharedRegister]>,
  describeSuite: Mocha.SuiteFunction | Mocha.PendingSuiteFunction = describe,
): void {
  describeSuite(`SharedRegister: ${name}`, () => {
    let [here, there]: SharedRegister[] = [];
    beforeEach(async () => ([here, there] = await open()));

    it('is empty at revision 0 before anything is written', async () => {
      assert.deepEqual(await here.read(), { value: undefined, revision: 0 });
    });

    it('returns the last written value with its revision to every client', async () => {
      const revision = await here.write('Grüße', 0);
      assert.ok(revision !== undefined && revision > 0);
      assert.deepEqual(await there.read(), { value: 'Grüße', revision });
      const next = await there.write('2', revision);
      assert.ok(next !== undefined && next > revision);
      assert.deepEqual(await here.read(), { value: '2', revision: next });
    });

    it('rejects a write with a stale revision', async () => {
      const first = (await here.write('1', 0))!;
      const second = (await here.write('2', first))!;
      for (const expected of [0, first, second + 1]) assert.equal(await there.write('other', expected), undefined);
      assert.deepEqual(await there.read(), { value: '2', revision: second });
    });

    it('accepts exactly one of many writes with the same revision', async () => {
      const first = (await here.write('1', 0))!;
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_none, i) => [here, there][i % 2].write(`by ${i}`, first)),
      );
      const [taken, ...others] = outcomes.flatMap((revision, i) =>
        revision === undefined ? [] : [{ value: `by ${i}`, revision }],
      );
      assert.deepEqual(others, []);
      assert.deepEqual(await here.read(), taken);
    });

    it('keeps a value of 64 KiB', async () => {
      const value = 'x'.repeat(65_536);
      await here.write(value, 0);
      assert.equal((await there.read()).value, value);
    });
  });
}

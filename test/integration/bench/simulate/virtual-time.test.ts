import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { VirtualTime } from '../../../../bench/simulate/virtual-time.js';

describe('Virtual time', () => {
  it('lets things happen by their time, and those of one moment in the order in which they were planned', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { maxLength: 60 }), (delays) => {
        const time = new VirtualTime();
        const happened: [number, number][] = [];
        delays.forEach((delay, order) => time.schedule(delay, () => happened.push([time.now, order])));
        time.runUntil(20);
        assert.deepEqual(
          happened,
          delays.map((delay, order): [number, number] => [delay, order]).sort((a, b) => a[0] - b[0] || a[1] - b[1]),
        );
      }),
    );
  });

  it('stands where it was set, and what is planned for later waits', () => {
    const time = new VirtualTime();
    const happened: number[] = [];
    const again = (): void => time.schedule(10, () => (happened.push(time.now), again()));
    again();
    time.runUntil(25);
    assert.equal(time.now, 25);
    time.runUntil(30);
    assert.deepEqual(happened, [10, 20, 30]);
  });
});

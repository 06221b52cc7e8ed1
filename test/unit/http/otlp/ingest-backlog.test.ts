import assert from 'node:assert/strict';
import fc from 'fast-check';
import { IngestBacklog, decideBackpressure } from '../../../../src/http/otlp/ingest-backlog.js';
import type { Position } from '../../../../src/streams/event-store.js';

const at = (n: number): Position => String(n).padStart(12, '0') as Position;

describe('paceFor', () => {
  it('lets everything through below a quarter of a second of work', () => {
    assert.deepEqual(decideBackpressure(0), { admit: true, delayAckMs: 0 });
    assert.deepEqual(decideBackpressure(250), { admit: true, delayAckMs: 0 });
  });

  it('delays acknowledgements by the excess over a quarter of a second, at most half a second', () => {
    assert.deepEqual(decideBackpressure(370.5), { admit: true, delayAckMs: 121 });
    assert.deepEqual(decideBackpressure(999.9), { admit: true, delayAckMs: 500 });
  });

  it('refuses from one second on, until the backlog would delay nobody', () => {
    assert.deepEqual(decideBackpressure(1_000), { admit: false, retryAfterMs: 750 });
    assert.deepEqual(decideBackpressure(3_700), { admit: false, retryAfterMs: 3_450 });
  });
});

describe('Backlog', () => {
  it('counts what is durable and not yet projected', () => {
    const backlog = new IngestBacklog();
    backlog.recordAccepted(at(1), 100, 'a');
    backlog.recordAccepted(at(2), 50, 'a');
    assert.equal(backlog.records, 150);
    backlog.recordProjected(at(1), 10);
    assert.equal(backlog.records, 50);
    backlog.recordProjected(at(2), 20);
    assert.equal(backlog.records, 0);
  });

  it('assumes 100,000 records a second until it knows better', () => {
    const backlog = new IngestBacklog();
    backlog.recordAccepted(at(1), 24_000, 'a');
    assert.deepEqual(backlog.decide('a'), { admit: true, delayAckMs: 0 });
    backlog.recordAccepted(at(2), 26_000, 'a');
    assert.deepEqual(backlog.decide('a'), { admit: true, delayAckMs: 250 });
    backlog.recordAccepted(at(3), 50_000, 'a');
    assert.deepEqual(backlog.decide('a'), { admit: false, retryAfterMs: 750 });
  });

  it('is not misled by a report that overtakes the acknowledgement, comes twice or comes late', () => {
    const backlog = new IngestBacklog();
    backlog.recordProjected(at(2), 5);
    backlog.recordAccepted(at(1), 10, 'a');
    backlog.recordAccepted(at(2), 10, 'a');
    assert.equal(backlog.records, 0);
    backlog.recordAccepted(at(3), 7, 'a');
    backlog.recordProjected(at(1), 6);
    backlog.recordProjected(at(2), 7);
    assert.equal(backlog.records, 7);
  });

  it('goes by the time that the projector says it worked', () => {
    const backlog = new IngestBacklog();
    for (let n = 1; n <= 50; n++) {
      backlog.recordAccepted(at(n), 1_000, 'a');
      backlog.recordProjected(at(n), n * 1_000, 100);
    }
    assert.ok(Math.abs(backlog.recordsPerSecond - 10_000) < 1_000, `${backlog.recordsPerSecond}`);
  });

  it('does not take a quiet sender for a slow projector', () => {
    const backlog = new IngestBacklog();
    for (let n = 1; n <= 100; n++) {
      backlog.recordAccepted(at(n), 10, 'a');
      backlog.recordProjected(at(n), n * 250);
    }
    assert.equal(backlog.recordsPerSecond, 100_000);
  });

  it('learns that the projector is slow from a backlog that it does not get through', () => {
    const backlog = new IngestBacklog();
    for (let n = 1; n <= 200; n++) backlog.recordAccepted(at(n), 1_000, 'a');
    for (let n = 1; n <= 60; n++) backlog.recordProjected(at(n), n * 200);
    assert.ok(backlog.recordsPerSecond < 7_000, `${backlog.recordsPerSecond}`);
  });

  it('learns that the projector is fast from any interval', () => {
    const backlog = new IngestBacklog();
    for (let n = 1; n <= 40; n++) {
      backlog.recordAccepted(at(n), 100_000, 'a');
      backlog.recordProjected(at(n), n * 250);
    }
    assert.ok(backlog.recordsPerSecond > 350_000, `${backlog.recordsPerSecond}`);
  });

  describe('with several Grids', () => {
    /** Of so many milliseconds of work. */
    const backlogOf = (ms: Readonly<Record<string, number>>): IngestBacklog => {
      const backlog = new IngestBacklog();
      Object.entries(ms).forEach(([grid, each], n) => backlog.recordAccepted(at(n), each * 100, grid));
      return backlog;
    };

    it('holds back those that have more than an even share waiting, and nobody else for another second', () => {
      const backlog = backlogOf({ greedy: 1_400, modest: 100 });
      assert.deepEqual(backlog.decide('greedy'), { admit: false, retryAfterMs: 1_250 });
      assert.deepEqual(backlog.decide('modest'), { admit: true, delayAckMs: 250 });
      assert.deepEqual(backlog.decide('silent so far'), { admit: true, delayAckMs: 250 });
    });

    it('refuses everybody at two seconds of work', () => {
      const backlog = backlogOf({ greedy: 1_900, modest: 100 });
      assert.deepEqual(backlog.decide('modest'), { admit: false, retryAfterMs: 750 });
    });

    it('treats those alike that send as much', () => {
      const backlog = backlogOf({ one: 600, other: 600 });
      assert.equal(backlog.decide('one').admit, false);
      assert.equal(backlog.decide('other').admit, false);
    });

    it('forgets a Grid of which nothing waits', () => {
      const backlog = backlogOf({ gone: 400, greedy: 1_000, modest: 900 });
      assert.equal(backlog.decide('greedy').admit, false);
      backlog.recordProjected(at(0), 1, 400);
      assert.equal(backlog.decide('modest').admit, true);
      backlog.recordProjected(at(2), 2, 1_900);
      for (const grid of ['gone', 'greedy', 'modest'])
        assert.deepEqual(backlog.decide(grid), { admit: true, delayAckMs: 0 });
    });
  });

  it('holds exactly what lies after the last reported position, however acceptances and reports mix', () => {
    const step = fc.record({
      records: fc.integer({ min: 1, max: 9 }),
      projectTo: fc.option(fc.integer({ min: 0, max: 40 })),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const backlog = new IngestBacklog();
        let reported = -1;
        steps.forEach(({ records, projectTo }, n) => {
          backlog.recordAccepted(at(n), records, 'a');
          if (projectTo === null) return;
          backlog.recordProjected(at(projectTo), n);
          reported = Math.max(reported, projectTo);
        });
        const expected = steps.reduce((sum, { records }, n) => (n > reported ? sum + records : sum), 0);
        assert.equal(backlog.records, expected);
      }),
    );
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { IngestBacklog, decideBackpressure } from '../../../../src/http/otlp/ingest-backlog.js';
import type { WorkShare } from '../../../../src/scheduling/fair-queue.js';
import type { Position } from '../../../../src/streams/event-store.js';

const at = (n: number): Position => String(n).padStart(12, '0') as Position;

/** The Grid of an owner of the same name. */
const shareOf = (name: string): WorkShare => ({ ownerId: name, gridId: name });

function accept(backlog: IngestBacklog, position: Position, records: number, name: string): void {
  backlog.begin(shareOf(name), records).settle(position);
}

/** The decision for the only Grid of the only owner. */
const decideAlone = (totalMs: number) =>
  decideBackpressure({
    totalMs,
    ownerMs: totalMs,
    owners: 1,
    gridMs: totalMs,
    grids: 1,
    ownerLimitMs: 1_000,
    gridLimitMs: 1_000,
  });

describe('decideBackpressure', () => {
  it('lets everything through below a quarter of a second of work', () => {
    assert.deepEqual(decideAlone(0), { admit: true, delayAckMs: 0 });
    assert.deepEqual(decideAlone(250), { admit: true, delayAckMs: 0 });
  });

  it('delays acknowledgements by the excess over a quarter of a second, at most half a second', () => {
    assert.deepEqual(decideAlone(370.5), { admit: true, delayAckMs: 121 });
    assert.deepEqual(decideAlone(999.9), { admit: true, delayAckMs: 500 });
  });

  it('refuses from one second on, until the backlog would delay nobody', () => {
    assert.deepEqual(decideAlone(1_000), { admit: false, retryAfterMs: 750 });
    assert.deepEqual(decideAlone(3_700), { admit: false, retryAfterMs: 3_450 });
  });
});

describe('IngestBacklog', () => {
  it('counts what is durable and not yet projected', () => {
    const backlog = new IngestBacklog();
    accept(backlog, at(1), 100, 'a');
    accept(backlog, at(2), 50, 'a');
    assert.equal(backlog.records, 150);
    backlog.recordProjected(at(1), 10);
    assert.equal(backlog.records, 50);
    backlog.recordProjected(at(2), 20);
    assert.equal(backlog.records, 0);
  });

  it('assumes 100,000 records a second until it knows better', () => {
    const backlog = new IngestBacklog();
    accept(backlog, at(1), 24_000, 'a');
    assert.deepEqual(backlog.decide(shareOf('a')), { admit: true, delayAckMs: 0 });
    accept(backlog, at(2), 26_000, 'a');
    assert.deepEqual(backlog.decide(shareOf('a')), { admit: true, delayAckMs: 250 });
    accept(backlog, at(3), 50_000, 'a');
    assert.deepEqual(backlog.decide(shareOf('a')), { admit: false, retryAfterMs: 750 });
  });

  it('is not misled by a report that overtakes the acknowledgement, comes twice or comes late', () => {
    const backlog = new IngestBacklog();
    backlog.recordProjected(at(2), 5);
    accept(backlog, at(1), 10, 'a');
    accept(backlog, at(2), 10, 'a');
    assert.equal(backlog.records, 0);
    accept(backlog, at(3), 7, 'a');
    backlog.recordProjected(at(1), 6);
    backlog.recordProjected(at(2), 7);
    assert.equal(backlog.records, 7);
  });

  it('goes by the time that the projector says it worked', () => {
    const backlog = new IngestBacklog();
    for (let n = 1; n <= 50; n++) {
      accept(backlog, at(n), 1_000, 'a');
      backlog.recordProjected(at(n), n * 1_000, 100);
    }
    assert.ok(Math.abs(backlog.recordsPerSecond - 10_000) < 1_000, `${backlog.recordsPerSecond}`);
  });

  it('does not take a quiet sender for a slow projector', () => {
    const backlog = new IngestBacklog();
    for (let n = 1; n <= 100; n++) {
      accept(backlog, at(n), 10, 'a');
      backlog.recordProjected(at(n), n * 250);
    }
    assert.equal(backlog.recordsPerSecond, 100_000);
  });

  it('learns that the projector is slow from a backlog that it does not get through', () => {
    const backlog = new IngestBacklog();
    for (let n = 1; n <= 200; n++) accept(backlog, at(n), 1_000, 'a');
    for (let n = 1; n <= 60; n++) backlog.recordProjected(at(n), n * 200);
    assert.ok(backlog.recordsPerSecond < 7_000, `${backlog.recordsPerSecond}`);
  });

  it('learns that the projector is fast from any interval', () => {
    const backlog = new IngestBacklog();
    for (let n = 1; n <= 40; n++) {
      accept(backlog, at(n), 100_000, 'a');
      backlog.recordProjected(at(n), n * 250);
    }
    assert.ok(backlog.recordsPerSecond > 350_000, `${backlog.recordsPerSecond}`);
  });

  describe('with several Grids', () => {
    /** Of so many milliseconds of work. */
    const backlogOf = (ms: Readonly<Record<string, number>>): IngestBacklog => {
      const backlog = new IngestBacklog();
      Object.entries(ms).forEach(([grid, each], n) => accept(backlog, at(n), each * 100, grid));
      return backlog;
    };

    it('holds back those that have more than an even share waiting, and neither delays nor refuses others for it', () => {
      const backlog = backlogOf({ greedy: 1_400, modest: 100 });
      assert.deepEqual(backlog.decide(shareOf('greedy')), { admit: false, retryAfterMs: 1_250 });
      assert.deepEqual(backlog.decide(shareOf('modest')), { admit: true, delayAckMs: 0 });
      assert.deepEqual(backlog.decide(shareOf('silent so far')), { admit: true, delayAckMs: 0 });
    });

    it('continues to admit those with little waiting, however large the backlog of others is', () => {
      const backlog = backlogOf({ greedy: 60_000, modest: 100 });
      assert.deepEqual(backlog.decide(shareOf('greedy')), { admit: false, retryAfterMs: 10_000 });
      assert.deepEqual(backlog.decide(shareOf('modest')), { admit: true, delayAckMs: 0 });
    });

    it('refuses whoever has used up an even part of the limit', () => {
      const backlog = backlogOf({ greedy: 3_000, modest: 500 });
      assert.equal(backlog.decide(shareOf('modest')).admit, false);
    });

    it('treats those alike that send as much', () => {
      const backlog = backlogOf({ one: 600, other: 600 });
      assert.equal(backlog.decide(shareOf('one')).admit, false);
      assert.equal(backlog.decide(shareOf('other')).admit, false);
    });

    it('forgets a Grid of which nothing waits', () => {
      const backlog = backlogOf({ gone: 400, greedy: 1_000, modest: 400 });
      assert.equal(backlog.decide(shareOf('greedy')).admit, false);
      assert.equal(backlog.decide(shareOf('modest')).admit, false, 'a third of the limit is used up');
      backlog.recordProjected(at(0), 1, 400);
      assert.equal(backlog.decide(shareOf('modest')).admit, true, 'half of the limit is not');
      backlog.recordProjected(at(2), 2, 1_900);
      for (const grid of ['gone', 'greedy', 'modest'])
        assert.deepEqual(backlog.decide(shareOf(grid)), { admit: true, delayAckMs: 0 });
    });

    it('counts the Grids of one owner together: a flood over forty is refused like one from a single Grid', () => {
      const backlog = new IngestBacklog();
      const flood = Array.from({ length: 40 }, (_, n): WorkShare => ({ ownerId: 'attacker', gridId: `grid ${n}` }));
      flood.forEach((share, n) => backlog.begin(share, 5_000).settle(at(n)));
      assert.ok(flood.every((share) => !backlog.decide(share).admit));
      assert.equal(backlog.decide({ ownerId: 'attacker', gridId: 'one more' }).admit, false);
      assert.deepEqual(backlog.decide(shareOf('neighbour')), { admit: true, delayAckMs: 0 });
    });

    it('stays within its limit but for one request of each owner, however many owners there are', () => {
      const backlog = new IngestBacklog();
      for (let round = 0; round < 20; round++)
        for (let n = 0; n < 300; n++)
          if (backlog.decide(shareOf(`owner ${n}`)).admit) backlog.begin(shareOf(`owner ${n}`), 100);
      assert.ok(backlog.workMs < 1_000 + 300, `${backlog.workMs} ms`);
    });

    it('refuses nobody who has little waiting because a few others have filled the backlog', () => {
      const small = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`small ${n}`, 1]));
      const backlog = backlogOf({ ...small, large: 60_000, larger: 90_000 });
      for (const grid of Object.keys(small)) assert.equal(backlog.decide(shareOf(grid)).admit, true, grid);
      for (const grid of ['large', 'larger']) assert.equal(backlog.decide(shareOf(grid)).admit, false, grid);
    });

    it('lets a small Grid of the same owner in longer than a large one', () => {
      const backlog = new IngestBacklog();
      const [large, small] = ['large', 'small'].map((gridId): WorkShare => ({ ownerId: 'owner', gridId }));
      backlog.begin(large, 150_000).settle(at(0));
      assert.equal(backlog.decide(large).admit, false);
      assert.equal(backlog.decide(small).admit, true);
      backlog.begin(large, 50_000).settle(at(1));
      assert.equal(backlog.decide(small).admit, false, 'twice the limit of the owner');
    });
  });

  it('counts what is being appended, until it is durable and projected or has failed', () => {
    const backlog = new IngestBacklog();
    const [stored, failed] = [backlog.begin(shareOf('a'), 60_000), backlog.begin(shareOf('a'), 60_000)];
    assert.equal(backlog.decide(shareOf('a')).admit, false, 'admitted requests count before they are durable');
    failed.cancel();
    assert.equal(backlog.records, 60_000);
    stored.settle(at(3));
    backlog.recordProjected(at(3), 1);
    assert.equal(backlog.records, 0);
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
          accept(backlog, at(n), records, 'a');
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

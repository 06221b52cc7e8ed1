import assert from 'node:assert/strict';
import { toShardFindings } from '../../../src/cli/engine-findings.js';
import type { ShardDiagnostics } from '../../../src/runtime/offline/shard-diagnostics.js';
import { formatRanges, describeOwners, describeOtherOwners } from '../../../src/operations/shard-owner-descriptions.js';

const keeper = (name: string, shares: readonly number[], isAlive = true) => ({ name, shares, isAlive });
const SEATS = { count: 4, keepers: [keeper('one:1', [0, 1]), keeper('two:2', [2, 3])], free: [] };
const WELL: ShardDiagnostics = {
  count: 4,
  seats: SEATS,
  lags: [
    { projection: 'access', waitingMs: 0 },
    { projection: 'traces/3', waitingMs: 0 },
  ],
  parked: 0,
};
const told = (look: ShardDiagnostics): string[] =>
  toShardFindings(look).map(({ check, ok, detail }) => `${ok ? 'ok' : 'FAULT'} ${check}: ${detail}`);

describe('what is found of the shares', () => {
  it('is who has which, and that nothing is behind', () => {
    assert.deepEqual(told(WELL), [
      'ok shares: 4: 0-1 with one:1; 2-3 with two:2',
      'ok read models: have all that the log has',
    ]);
  });

  it('tells of the dead, of what nobody has, and of nobody at all', () => {
    const dying = told({
      ...WELL,
      seats: { count: 4, keepers: [keeper('one:1', [0, 1]), keeper('two:2', [2], false)], free: [3] },
    });
    assert.deepEqual(dying.slice(0, 3), [
      'ok shares: 4: 0-1 with one:1',
      'FAULT shares: two:2 gives no sign of life and has 2',
      'FAULT shares: nobody keeps 3',
    ]);
    assert.match(
      told({ ...WELL, seats: { count: 4, keepers: [], free: [] } })[0],
      /^FAULT shares: nobody keeps any of the 4 shares$/,
    );
    assert.match(
      told({ ...WELL, seats: { count: 4, keepers: [keeper('one:1', [0, 1, 2, 3], false)], free: [] } })[0],
      /^FAULT shares: 4: none with anybody who is alive$/,
    );
  });

  it('tells of another number of shares than the settings have', () => {
    assert.match(
      told({ ...WELL, count: 16 })[0],
      /^FAULT shares: the running processes divide the Grids into 4 shares, PROJECTOR_SHARES here is 16$/,
    );
  });

  it('knows nobody by name without NATS', () => {
    assert.match(told({ ...WELL, seats: undefined })[0], /^ok shares: 4, all kept by the one process/);
  });

  it('says so where NATS does not tell, and how late all are all the same', () => {
    assert.deepEqual(told({ ...WELL, seats: { unknown: 'NATS cannot be reached' } }), [
      'FAULT shares: nobody can tell who keeps them: NATS cannot be reached',
      'ok read models: have all that the log has',
    ]);
  });

  it('names what is behind for long, and not what is about to be read', () => {
    const lags = (waitingMs: number) => [
      { projection: 'access', waitingMs: 0 },
      { projection: 'traces/3', waitingMs },
    ];
    assert.equal(
      told({ ...WELL, lags: lags(1_200) })[1],
      'ok read models: follow the log: the oldest event they lack came 1.2 s ago',
    );
    assert.equal(told({ ...WELL, lags: lags(90_000) })[1], 'FAULT read models: traces/3 lacks what came 90.0 s ago');
    assert.equal(told({ ...WELL, lags: lags(3_600_000) })[1], 'FAULT read models: traces/3 lacks what came 60 min ago');
  });

  it('counts what is parked as a fault', () => {
    assert.match(told({ ...WELL, parked: 2 })[2], /^FAULT projections: 2 events could not be projected$/);
  });
});

describe('who keeps the read models', () => {
  it('is told by those who live', () => {
    assert.match(describeOwners(SEATS), /: one:1 \(shares 0-1\), two:2 \(shares 2-3\)$/);
    assert.match(
      describeOwners({ count: 4, keepers: [keeper('one:1', [0], false)], free: [] }),
      /of which none is alive$/,
    );
    assert.match(describeOwners(undefined), /with the role project$/);
  });

  it('is told of the shares that one has not, also of those that nobody keeps', () => {
    assert.equal(describeOtherOwners(SEATS, [0, 1, 2, 3]), undefined);
    assert.equal(describeOtherOwners(SEATS, [0, 1]), 'shares 2-3 are kept by two:2');
    const dying = { count: 4, keepers: [keeper('one:1', [0, 1]), keeper('two:2', [2], false)] };
    assert.equal(describeOtherOwners(dying, [0, 1]), 'shares 2-3 by nobody at the moment');
    assert.equal(
      describeOtherOwners({ count: 4, keepers: [keeper('one:1', [1]), keeper('two:2', [2])] }, [0]),
      'shares 1 are kept by one:1, shares 2 are kept by two:2, shares 3 by nobody at the moment',
    );
  });

  it('has its shares written as ranges', () => {
    assert.deepEqual([[], [0], [0, 1, 2], [0, 2, 3, 7]].map(formatRanges), ['none', '0', '0-2', '0, 2-3, 7']);
  });
});

import assert from 'node:assert/strict';
import { toShardFindings } from '../../../src/cli/engine-findings.js';
import type { ShardDiagnostics } from '../../../src/runtime/offline/shard-diagnostics.js';
import { formatRanges, describeOwners, describeOtherOwners } from '../../../src/operations/shard-owner-descriptions.js';

const owner = (name: string, shards: readonly number[], isAlive = true) => ({ name, shards, isAlive });
const OWNERSHIP = { count: 4, owners: [owner('one:1', [0, 1]), owner('two:2', [2, 3])], free: [] };
const WELL: ShardDiagnostics = {
  count: 4,
  ownership: OWNERSHIP,
  lags: [
    { projection: 'access', waitingMs: 0 },
    { projection: 'traces/3', waitingMs: 0 },
  ],
  deadLetters: 0,
  records: { grids: [], uncounted: [], unreadableEvents: 0 },
};
const toLines = (diagnostics: ShardDiagnostics): string[] =>
  toShardFindings(diagnostics).map(({ check, ok, detail }) => `${ok ? 'ok' : 'FAULT'} ${check}: ${detail}`);

describe('findings on shards', () => {
  it('list the owners, and that nothing lags', () => {
    assert.deepEqual(toLines(WELL), [
      'ok shards: 4: 0-1 on one:1; 2-3 on two:2',
      'ok read models: up to date with the event log',
      'ok records: none received yet',
    ]);
  });

  it('report dead owners, shards without owner, and no owners at all', () => {
    const dying = toLines({
      ...WELL,
      ownership: { count: 4, owners: [owner('one:1', [0, 1]), owner('two:2', [2], false)], free: [3] },
    });
    assert.deepEqual(dying.slice(0, 3), [
      'ok shards: 4: 0-1 on one:1',
      'FAULT shards: two:2 does not respond and owns 2',
      'FAULT shards: 3 have no owner',
    ]);
    assert.match(
      toLines({ ...WELL, ownership: { count: 4, owners: [], free: [] } })[0],
      /^FAULT shards: none of the 4 shards has an owner$/,
    );
    assert.match(
      toLines({ ...WELL, ownership: { count: 4, owners: [owner('one:1', [0, 1, 2, 3], false)], free: [] } })[0],
      /^FAULT shards: 4: no shard has an active owner$/,
    );
  });

  it('report another number of shards than in the settings', () => {
    assert.match(
      toLines({ ...WELL, count: 16 })[0],
      /^FAULT shards: the running processes use 4 shards, but PROJECTOR_SHARES here is 16$/,
    );
  });

  it('name no owner without NATS', () => {
    assert.match(toLines({ ...WELL, ownership: undefined })[0], /^ok shards: 4, all owned by the only process/);
  });

  it('report that NATS is unreachable, and still the lag', () => {
    assert.deepEqual(toLines({ ...WELL, ownership: { unknown: 'NATS cannot be reached' } }), [
      'FAULT shards: cannot read the shard owners: NATS cannot be reached',
      'ok read models: up to date with the event log',
      'ok records: none received yet',
    ]);
  });

  it('name projections that lag for long, but not shortly', () => {
    const lags = (waitingMs: number) => [
      { projection: 'access', waitingMs: 0 },
      { projection: 'traces/3', waitingMs },
    ];
    assert.equal(
      toLines({ ...WELL, lags: lags(1_200) })[1],
      'ok read models: following the event log; the oldest unprojected event is 1.2 s old',
    );
    assert.equal(toLines({ ...WELL, lags: lags(90_000) })[1], 'FAULT read models: traces/3 is 90.0 s behind');
    assert.equal(toLines({ ...WELL, lags: lags(3_600_000) })[1], 'FAULT read models: traces/3 is 60 min behind');
  });

  it('report dead letters as a fault', () => {
    assert.match(toLines({ ...WELL, deadLetters: 2 })[2], /^FAULT projections: 2 events could not be projected$/);
  });
});

describe('descriptions of shard owners', () => {
  it('name the living owners', () => {
    assert.match(describeOwners(OWNERSHIP), /: one:1 \(shards 0-1\), two:2 \(shards 2-3\)$/);
    assert.match(
      describeOwners({ count: 4, owners: [owner('one:1', [0], false)], free: [] }),
      /none of them is running$/,
    );
    assert.match(describeOwners(undefined), /with the role project$/);
  });

  it('name the owners of other shards, and shards without owner', () => {
    assert.equal(describeOtherOwners(OWNERSHIP, [0, 1, 2, 3]), undefined);
    assert.equal(describeOtherOwners(OWNERSHIP, [0, 1]), 'two:2 owns shards 2-3');
    const dying = { count: 4, owners: [owner('one:1', [0, 1]), owner('two:2', [2], false)] };
    assert.equal(describeOtherOwners(dying, [0, 1]), 'shards 2-3 have no owner');
    assert.equal(
      describeOtherOwners({ count: 4, owners: [owner('one:1', [1]), owner('two:2', [2])] }, [0]),
      'one:1 owns shards 1, two:2 owns shards 2, shards 3 have no owner',
    );
  });

  it('format shards as ranges', () => {
    assert.deepEqual([[], [0], [0, 1, 2], [0, 2, 3, 7]].map(formatRanges), ['none', '0', '0-2', '0, 2-3, 7']);
  });
});

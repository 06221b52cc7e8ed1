import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { NO_RECORDS } from '../../../src/accounting/record-account.js';
import { reportRecords, sumBySignal } from '../../../src/operations/record-report.js';
import type { RecordAccount, RecordSource } from '../../../src/projections/record-account-reader.js';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import { type Position, START } from '../../../src/streams/event-store.js';
import { TELEMETRY_RECEIVED_TYPES } from '../../../src/streams/events/telemetry-events.js';
import { TELEMETRY_PREFIX, telemetryStream } from '../../../src/streams/stream-names.js';
import { SIGNALS, type Signal } from '../../../src/telemetry/signals.js';

const GRID = '0f0c4b2a-1111-4222-8333-444455556666';
const OTHER_GRID = '99999999-2222-4333-8444-555555555555';

describe('the report on records', () => {
  let log: MemoryEventStore;

  beforeEach(() => {
    log = new MemoryEventStore();
  });

  async function receive(signal: Signal, accepted: number, rejected = 0, gridId = GRID): Promise<Position> {
    const data = { gridId, signal, accepted, rejected: Array.from({ length: rejected }, (_none, n) => n) };
    const event = { id: randomUUID(), type: TELEMETRY_RECEIVED_TYPES[signal], data };
    const result = await log.append(telemetryStream(gridId), 'any', [event]);
    return result.ok ? result.position : assert.fail('conflict');
  }

  const account = (more: Partial<RecordAccount>): RecordAccount => ({
    ...NO_RECORDS,
    gridId: GRID,
    signal: 'traces',
    since: 1,
    ...more,
  });
  const source = (upTo: Position, accounts: readonly RecordAccount[], more: Partial<RecordSource> = {}) => ({
    accounts,
    positions: Object.fromEntries(SIGNALS.map((signal) => [signal, upTo])),
    rebuilding: [],
    unreadable: [],
    prefixes: [TELEMETRY_PREFIX],
    ...more,
  });

  it('counts what the log holds after the checkpoint as pending, by Grid and signal', async () => {
    const upTo = await receive('traces', 5);
    await receive('traces', 3, 1);
    await receive('logs', 2, 0, OTHER_GRID);
    const { grids } = await reportRecords([source(upTo, [account({ received: 5, searchable: 5 })])], log);
    const figures = grids.map(({ gridId, signal, received, searchable, pending, unaccounted }) => {
      return { gridId, signal, received, searchable, pending, unaccounted };
    });
    assert.deepEqual(figures, [
      { gridId: GRID, signal: 'traces', received: 9, searchable: 5, pending: 4, unaccounted: 0 },
      { gridId: OTHER_GRID, signal: 'logs', received: 2, searchable: 0, pending: 2, unaccounted: 0 },
    ]);
  });

  it('reports a difference between received records and their outcomes, in both directions', async () => {
    const upTo = await receive('traces', 5);
    const accounts = [
      account({ received: 5, searchable: 3, expired: 1 }),
      account({ received: 5, searchable: 7, signal: 'logs' }),
    ];
    const { grids } = await reportRecords([source(upTo, accounts)], log);
    assert.deepEqual(
      grids.map(({ signal, unaccounted }) => [signal, unaccounted]),
      [
        ['traces', 1],
        ['logs', -2],
      ],
    );
  });

  it('finds requests that the projector passed over, if it compares the whole log', async () => {
    await receive('traces', 5, 1);
    await receive('logs', 2);
    const upTo = await receive('traces', 4);
    const sources = [source(upTo, [account({ received: 6, rejected: 1, searchable: 5 })])];
    const brief = await reportRecords(sources, log);
    assert.deepEqual(
      brief.grids.map(({ unaccounted }) => unaccounted),
      [0],
    );
    const whole = await reportRecords(sources, log, { wholeLog: true });
    assert.deepEqual(
      whole.grids.map(({ signal, received, unaccounted }) => [signal, received, unaccounted]),
      [
        ['traces', 10, 4],
        ['logs', 2, 2],
      ],
    );
  });

  it('expects less in a log from which retention has deleted events', async () => {
    const upTo = await receive('traces', 1);
    const { grids } = await reportRecords(
      [source(upTo, [account({ received: 100, expired: 99, searchable: 1 })])],
      log,
      { wholeLog: true },
    );
    assert.deepEqual([grids[0].received, grids[0].unaccounted], [100, 0]);
  });

  it('counts requests that the projector could not read as dead letters, once it finds how many records they have', async () => {
    const position = await receive('traces', 3, 1);
    const upTo = await receive('traces', 5);
    const unreadable = [{ position, signals: ['traces' as const] }];
    const sources = [source(upTo, [account({ received: 5, searchable: 5 })], { unreadable })];
    const brief = await reportRecords(sources, log);
    assert.deepEqual([brief.unreadableEvents, brief.grids[0].deadLetters], [1, 0]);
    const whole = await reportRecords(sources, log, { wholeLog: true });
    const [{ received, rejected, deadLetters, unaccounted }] = whole.grids;
    assert.deepEqual(
      { unreadable: whole.unreadableEvents, received, rejected, deadLetters, unaccounted },
      { unreadable: 0, received: 9, rejected: 1, deadLetters: 3, unaccounted: 0 },
    );
    const rebuilt = [
      source(upTo, [account({ received: 9, rejected: 1, searchable: 8 })], {
        unreadable: [{ position, signals: ['logs' as const] }],
      }),
    ];
    const [again] = (await reportRecords(rebuilt, log, { wholeLog: true })).grids;
    assert.deepEqual([again.received, again.deadLetters, again.unaccounted], [9, 0, 0], 'traces were rebuilt with it');
  });

  it('does not compare signals that are being rebuilt, and names them', async () => {
    const upTo = await receive('traces', 5);
    await receive('logs', 5);
    const { grids, uncounted } = await reportRecords([source(upTo, [], { rebuilding: ['traces', 'logs'] })], log, {
      wholeLog: true,
    });
    assert.deepEqual([grids, uncounted], [[], ['traces', 'logs']]);
  });

  it('reads nothing of the log while all signals are being rebuilt', async () => {
    const unread = { readAll: () => assert.fail('the log was read') };
    const unreadable = [{ position: await receive('traces', 5), signals: [] }];
    const { unreadableEvents, uncounted } = await reportRecords(
      [{ ...source(START, [], { rebuilding: SIGNALS, unreadable }), positions: {} }],
      unread,
    );
    assert.deepEqual([unreadableEvents, uncounted], [1, SIGNALS]);
  });

  it('sums accounts by signal', () => {
    const sums = sumBySignal([
      account({ received: 2, searchable: 2 }),
      account({ received: 3, searchable: 1, expired: 2, gridId: OTHER_GRID }),
    ]);
    assert.deepEqual(sums.traces, { ...NO_RECORDS, received: 5, searchable: 3, expired: 2 });
    assert.deepEqual(sums.logs, NO_RECORDS);
  });
});

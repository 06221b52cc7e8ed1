import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { MongoRateCounter } from '../../../../../src/http/adapters/mongodb/mongo-rate-counter.js';
import {
  createLocalRateCounter,
  RateLimiter,
  type RateLimitSettings,
} from '../../../../../src/http/limits/rate-limiter.js';
import { FallbackRateCounter } from '../../../../../src/http/limits/fallback-rate-counter.js';
import { callCountsContract } from '../../../../contracts/call-counts.contract.js';
import { MongoServer } from '../../../../support/mongodb-server/mongodb-server.js';
import { elapsedMs, shortest } from '../../../../support/measurement.js';

/** The machine may be busy with other tests, and with all servers of this one. */
const TIMEOUT_MS = 15_000;

describe('counts of calls in MongoDB', () => {
  let server: MongoServer;
  const opened: { close(): Promise<void> }[] = [];
  /** Told by each process that counts together with the others again. */
  const back: (() => void)[] = [];

  beforeEach(async () => {
    server = await MongoServer.start();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
    await server.stop();
  });

  const open = (windowSeconds = 60): MongoRateCounter => {
    const counts = new MongoRateCounter(server.url, windowSeconds, TIMEOUT_MS);
    opened.push(counts);
    return counts;
  };
  /** The limits of one more process. */
  const start = (settings: RateLimitSettings, timeoutMs = TIMEOUT_MS): RateLimiter => {
    const log = { warn: () => undefined, info: () => back.pop()?.() };
    const counts = new FallbackRateCounter({
      shared: new MongoRateCounter(server.url, 60, timeoutMs),
      own: createLocalRateCounter(60),
      log,
      timeoutMs,
      pauseMs: 20,
    });
    opened.push(counts);
    return new RateLimiter({ ...settings, counts });
  };
  const spendMany = async (
    processes: readonly RateLimiter[],
    each: number,
    caller = 'user x',
    gridId?: string,
  ): Promise<number> => {
    const waits = await Promise.all(
      processes.flatMap((limits) => Array.from({ length: each }, () => limits.consume(caller, gridId))),
    );
    return waits.filter((ms) => ms === 0).length;
  };
  const counted = (): number => server.received.filter((command) => command.findAndModify !== undefined).length;

  describe('keep the contract', () => callCountsContract(open));
  describe('keep the contract on a standalone server', () => {
    beforeEach(async () => {
      await server.stop();
      server = await MongoServer.start({ members: 0 });
    });
    callCountsContract(open);
  });

  it('go on counting where another member is elected', async () => {
    await server.stop();
    server = await MongoServer.start({ members: 3 });
    const counts = open();
    await counts.increment('a');
    server.stepDown();
    assert.equal((await counts.increment('a')).calls, 2);
  });

  it('let in exactly as many calls of one caller as the limit says, over eight processes at once', async () => {
    const processes = Array.from({ length: 8 }, () => start({ userPerMinute: 100, gridPerMinute: 0 }));
    assert.equal(await spendMany(processes, 20), 100);
    assert.equal(await spendMany(processes, 5), 0);
  });

  it('let in exactly as many calls in a Grid, whoever makes them where', async () => {
    const processes = Array.from({ length: 4 }, () => start({ userPerMinute: 1_000, gridPerMinute: 60 }));
    const passed = await Promise.all(processes.map((limits, at) => spendMany([limits], 30, `user ${at}`, 'grid')));
    assert.equal(
      passed.reduce((sum, each) => sum + each, 0),
      60,
    );
  });

  it('charge a caller nothing for what the Grid refuses, also in another process', async () => {
    const [one, other] = [start({ userPerMinute: 3, gridPerMinute: 1 }), start({ userPerMinute: 3, gridPerMinute: 1 })];
    assert.equal(await one.consume('user x', 'full'), 0);
    for (let i = 0; i < 5; i++) assert.ok((await other.consume('user x', 'full')) > 0);
    assert.equal(await other.consume('user x', 'empty'), 0);
    assert.equal(await one.consume('user x', undefined), 0);
    assert.ok((await one.consume('user x', undefined)) > 0);
  });

  it('ask nobody about a caller who is known to be over the limit', async () => {
    const limits = start({ userPerMinute: 2, gridPerMinute: 100 });
    await spendMany([limits], 2);
    const before = counted();
    for (let i = 0; i < 20; i++) assert.ok((await limits.consume('user x', 'grid')) > 59_000);
    assert.equal(counted(), before);
  });

  it('begin with the index that keeps a key to one document, and one that lets documents go', async () => {
    await open().increment('a');
    assert.deepEqual(
      server.received.map((command) => Object.keys(command)[0]).filter((name) => name !== 'endSessions'),
      ['createIndexes', 'findAndModify'],
    );
    const indexes = server
      .indexesOf('call-counts')
      .map(({ key, unique, expireAfterSeconds }) => ({ key, unique, expireAfterSeconds }));
    assert.deepEqual(indexes.slice(1), [
      { key: { expire: -1 }, unique: undefined, expireAfterSeconds: 0 },
      { key: { key: 1 }, unique: true, expireAfterSeconds: undefined },
    ]);
  });

  it('wait longer for the indexes than for a count: a member may be restarting', async () => {
    const counts = new MongoRateCounter(server.url, 60, 500);
    opened.push(counts);
    server.fail({ command: 'createIndexes', kind: { delayMs: 700 } });
    assert.equal((await counts.increment('a')).calls, 1);
    assert.equal(server.received.filter((command) => command.createIndexes !== undefined).length, 1);
  });

  it('count a call once whose answer is lost on the way', async () => {
    const counts = open();
    await counts.increment('a');
    server.fail({ command: 'findAndModify', kind: 'drop-after' });
    assert.equal((await counts.increment('a')).calls, 2);
    assert.equal((await counts.read('a'))?.calls, 2);
  });

  it('begin again after a first attempt that found no server', async () => {
    const counts = new MongoRateCounter(server.url, 60, 500);
    opened.push(counts);
    await server.goAway();
    await assert.rejects(counts.increment('a'));
    await server.comeBack();
    assert.equal((await counts.increment('a')).calls, 1);
  });

  it('are gone without: each process keeps the limit by itself, and by all of them when the server is back', async () => {
    const processes = [
      start({ userPerMinute: 10, gridPerMinute: 0 }, 2_000),
      start({ userPerMinute: 10, gridPerMinute: 0 }, 2_000),
    ];
    assert.equal(await spendMany(processes, 2, 'user before'), 4);
    await server.goAway();
    assert.equal(await spendMany(processes, 30), 20);
    const bothAreBack = Promise.all(processes.map(() => new Promise<void>((resolve) => back.push(resolve))));
    await server.comeBack();
    await bothAreBack;
    assert.equal(await spendMany(processes, 30, 'user after'), 10);
  });

  it('that freeze hold up no call for longer than their timeout, and those after it not at all', async () => {
    const limits = start({ userPerMinute: 1_000, gridPerMinute: 0 }, 100);
    await limits.consume('user before', undefined);
    server.freeze();
    assert.equal(await limits.consume('user x', undefined), 0);
    const spendHundred = async (): Promise<void> => {
      for (let i = 0; i < 100; i++) assert.equal(await limits.consume('user x', undefined), 0);
    };
    assert.ok((await shortest(100, () => elapsedMs(spendHundred))) < 100, 'a hundred calls did not wait once');
    server.heal();
  });
});

const asked = process.env.READ_STORE_URL;
describe('counts of calls in MongoDB (READ_STORE_URL)', () => {
  if (asked?.startsWith('mongodb') !== true) {
    it(
      "need a server: READ_STORE_URL='mongodb://127.0.0.1:27017/?replicaSet=rs0' npx mocha --no-config --timeout 60000 'dist/test/integration/http/adapters/mongodb/**/*.test.js'",
    );
    return;
  }
  const clients: MongoClient[] = [];
  const opened: MongoRateCounter[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
    for (const client of clients.splice(0))
      await client
        .db()
        .dropDatabase()
        .finally(() => client.close());
  });
  callCountsContract((windowSeconds) => {
    const url = databaseOn(asked);
    clients.push(new MongoClient(url));
    opened.push(new MongoRateCounter(url, windowSeconds));
    return opened[0];
  });
});

/** A database of its own on that server; what the address says of a database is left out. */
function databaseOn(url: string): string {
  const [, hosts, options = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(url)!;
  return `${hosts}/hindsight-contract-${randomUUID()}${options}`;
}

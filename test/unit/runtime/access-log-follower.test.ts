import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type HindsightError } from '../../../src/errors.js';
import type { AccessSnapshot } from '../../../src/auth/access-registry.js';
import { AccessLogFollower } from '../../../src/runtime/access-log-follower.js';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import { START, type EventReader, type Position } from '../../../src/streams/event-store.js';
import type { Upcast } from '../../../src/streams/events/event-registry.js';
import {
  gridStream,
  retentionStream,
  telemetryStream,
  RETENTION_WITHDRAWALS_STREAM,
} from '../../../src/streams/stream-names.js';
import { waitUntil } from '../../support/wait-until.js';

const GRID = '5e5b0a44-3b3c-4f4b-8a55-0f2f6d2c9d10';
const by = { actor: 'alice', at: 1, gridId: GRID };

describe('access log follower', () => {
  let store: MemoryEventStore;
  let stopping: AbortController;
  let warnings: string[];
  let changes: number;
  let nowMs: number;
  /** Reads of the log so far, by name. */
  let reads: string[];
  /** Runs before each read: throws, or delays it. */
  let fault: (() => void | Promise<void>) | undefined;
  /** Key ids and types whose events are damaged. */
  let damaged: Set<string>;
  /** Pauses of the follower that have not ended, by their length (ms). */
  let pauses: { readonly ms: number; readonly end: () => void }[];

  beforeEach(() => {
    damaged = new Set();
    const upcast: Upcast = (type, data) => {
      if (damaged.has((data as { keyId?: string }).keyId ?? '') || damaged.has(type)) throw new Error('on purpose');
      return { type, data };
    };
    store = new MemoryEventStore({ upcast });
    [stopping, warnings, changes, nowMs, reads, fault, pauses] = [new AbortController(), [], 0, 0, [], undefined, []];
  });
  afterEach(() => {
    stopping.abort();
    for (const { end } of pauses) end();
  });

  const reader: Pick<EventReader, 'head' | 'readAll' | 'readStream'> = {
    readStream: (...read) => store.readStream(...read),
    async head() {
      reads.push('head');
      await fault?.();
      return store.head();
    },
    async readAll(after, options) {
      reads.push('events');
      await fault?.();
      return store.readAll(after, options);
    },
  };

  function create(isShared: boolean, readSnapshot?: () => Promise<AccessSnapshot | undefined>): AccessLogFollower {
    return new AccessLogFollower({
      log: reader,
      isShared,
      readSnapshot,
      onChange: () => (changes += 1),
      logger: { warn: (message: string) => void warnings.push(message) },
      timeoutMs: 2_000,
      now: () => nowMs,
      // A pause between two polls ends at once, the others when a test ends them.
      pause: (ms) => (ms <= 20 ? Promise.resolve() : new Promise((end) => pauses.push({ ms, end }))),
    });
  }

  async function start(isShared = true): Promise<AccessLogFollower> {
    const follower = create(isShared);
    await follower.start(stopping.signal);
    return follower;
  }

  async function append(type: string, data: object, stream = gridStream(GRID)): Promise<Position> {
    const appended = await store.append(stream, 'any', [{ id: randomUUID(), type, data: { ...by, ...data } }]);
    assert.ok(appended.ok);
    return appended.position;
  }
  const issue = (keyId: string) => append('ApiKeyIssued.v2', { keyId, secretHash: 'ab', name: keyId, kind: 'full' });
  const revoke = (keyId: string) => append('ApiKeyRevoked.v1', { keyId });
  const appendTelemetry = () => append('TracesReceived.v1', {}, telemetryStream(GRID));
  const throwAway = () => {
    throw new Error('the log is unavailable');
  };
  /** Lets the next periodic poll begin. */
  async function endInterval(): Promise<void> {
    await waitUntil(() => pauses.some(({ ms }) => ms === 500), 'the follower pauses');
    pauses
      .splice(
        pauses.findIndex(({ ms }) => ms === 500),
        1,
      )[0]
      .end();
  }

  it('reads everything at the start, in several batches, and reports it once', async () => {
    for (let n = 0; n < 2_001; n++) await issue(`k${n}`);
    await appendTelemetry();
    const follower = await start();
    assert.ok(follower.records.apiKey('k0') && follower.records.apiKey('k2000'));
    assert.equal(follower.records.position, await store.head());
    assert.deepEqual([changes, follower.isCaughtUp, follower.check()], [1, true, { ok: true }]);
  });

  it('reads what other processes append, with the next poll', async () => {
    const follower = await start();
    await issue('k');
    await endInterval();
    await waitUntil(() => follower.records.apiKey('k') !== undefined, 'the key is known');
    await revoke('k');
    await endInterval();
    await waitUntil(() => follower.records.apiKey('k') === undefined, 'the key is gone');
    assert.equal(changes, 2);
  });

  it('reads no events where nothing was appended, and none twice under constant telemetry', async () => {
    await issue('k');
    const follower = await start();
    reads = [];
    await follower.refresh();
    assert.deepEqual(reads, ['head']);
    fault = async () => void (await appendTelemetry());
    reads = [];
    await follower.refresh();
    assert.deepEqual(reads, ['head', 'events'], 'up to the head of the beginning, not further');
    assert.equal(changes, 1);
  });

  it('of a shared log is current for a second, then reads again before it answers', async () => {
    const follower = await start();
    await issue('k');
    nowMs = 1_000;
    await follower.ensureCurrent();
    assert.equal(follower.records.apiKey('k'), undefined);
    nowMs = 1_001;
    await follower.ensureCurrent();
    assert.ok(follower.records.apiKey('k'));
  });

  it('of a log of its own stays current, however long the log cannot be read', async () => {
    const follower = await start(false);
    fault = throwAway;
    nowMs = 3_600_000;
    await follower.ensureCurrent();
    await follower.refresh();
    assert.deepEqual([warnings, reads], [[], ['head']]);
  });

  it('is not current from a change of this process on until it has read it', async () => {
    const follower = await start(false);
    await issue('k');
    const position = await revoke('k');
    let read = (): void => undefined;
    fault = () => new Promise((resolve) => (read = resolve));
    const reached = follower.waitForPosition(position, 60_000);
    let isAnswered = false;
    const answered = follower.ensureCurrent().then(() => (isAnswered = true));
    await waitUntil(() => reads.length > 1, 'the log is read');
    assert.equal(isAnswered, false);
    fault = undefined;
    read();
    assert.equal(await reached, true);
    await answered;
    assert.equal(follower.records.apiKey('k'), undefined);
    assert.equal(follower.records.position, position);
  });

  it('is unavailable while a change of this process cannot be read', async () => {
    const follower = await start(false);
    const position = await issue('k');
    fault = () => {
      nowMs += 1_000;
      throwAway();
    };
    assert.equal(await follower.waitForPosition(position, 2_000), false);
    await assert.rejects(follower.ensureCurrent(), { code: 'unavailable' });
    fault = undefined;
    await endInterval();
    await waitUntil(() => follower.records.apiKey('k') !== undefined, 'it is read in the end');
    await follower.ensureCurrent();
  });

  it('shares a read between all callers that came before it began', async () => {
    const follower = await start();
    reads = [];
    await Promise.all(Array.from({ length: 1_000 }, () => follower.refresh()));
    assert.deepEqual(reads, ['head']);
  });

  it('refreshes by a read that began after the call', async () => {
    const follower = await start();
    let read = (): void => undefined;
    fault = () => new Promise((resolve) => (read = resolve));
    const early = follower.refresh();
    await waitUntil(() => reads.length > 1, 'it reads');
    fault = undefined;
    await issue('k');
    const late = follower.refresh();
    read();
    await early;
    await late;
    assert.ok(follower.records.apiKey('k'));
  });

  it('is unavailable, with the reason, until the log could be read once', async () => {
    await issue('k');
    fault = throwAway;
    const follower = await start();
    await assert.rejects(
      follower.ensureCurrent(),
      (error: HindsightError) => error.code === 'unavailable' && error.message.includes('the log is unavailable'),
    );
    assert.deepEqual(follower.check(), {
      ok: false,
      reason: 'API keys cannot be read from the event log: the log is unavailable',
    });
    assert.equal(follower.isCaughtUp, false);
    fault = undefined;
    await endInterval();
    await waitUntil(() => follower.isCaughtUp, 'it is read');
    await follower.ensureCurrent();
    assert.deepEqual([follower.check(), warnings.length], [{ ok: true }, 1]);
  });

  it('starts without the log, and says what it has read so far', async () => {
    await issue('k');
    fault = () => (reads.length > 1 ? new Promise(() => undefined) : undefined);
    const follower = create(true);
    const started = follower.start(stopping.signal);
    await waitUntil(() => pauses.some(({ ms }) => ms === 2_000), 'it waits for the first read');
    pauses.find(({ ms }) => ms === 2_000)!.end();
    await started;
    assert.deepEqual(follower.check(), {
      ok: false,
      reason: 'API keys are being read from the event log: 0 Grids, keys and members so far',
    });
    await assert.rejects(follower.ensureCurrent(), { code: 'unavailable' });
  });

  it('fails at once while the log is known to be unavailable, instead of waiting for it', async () => {
    const follower = await start();
    fault = throwAway;
    nowMs = 2_000;
    await assert.rejects(follower.ensureCurrent(), { code: 'unavailable' });
    fault = () => new Promise(() => undefined);
    await assert.rejects(follower.ensureCurrent(), { code: 'unavailable' });
    assert.equal(warnings.length, 1);
  });

  it('skips damaged events, with a warning for each, and reads the others', async () => {
    for (const keyId of ['a', 'bad', 'worse', 'b']) await issue(keyId);
    damaged = new Set(['bad', 'worse']);
    const follower = await start();
    assert.deepEqual(
      ['a', 'bad', 'worse', 'b'].map((keyId) => follower.records.apiKey(keyId) !== undefined),
      [true, false, false, true],
    );
    assert.equal(warnings.length, 2);
    assert.equal(follower.records.position, await store.head());
  });

  describe('with a snapshot', () => {
    const snapshotAt = (position: Position): AccessSnapshot => ({
      position,
      accessPosition: position,
      grids: [],
      apiKeys: [{ keyId: 'in snapshot', gridId: GRID, secretHash: 'ab', kind: 'full', issuedBy: 'alice' }],
      members: [],
      retentionWatermarks: [],
    });

    it('reads only the events after it', async () => {
      await issue('before');
      const position = await append('MemberRemoved.v1', { userId: 'bob' });
      await issue('after');
      const follower = create(true, async () => snapshotAt(position));
      await follower.start(stopping.signal);
      assert.deepEqual(
        ['before', 'in snapshot', 'after'].map((keyId) => follower.records.apiKey(keyId) !== undefined),
        [false, true, true],
      );
      assert.equal(follower.records.position, await store.head());
    });

    it('does not bring a revoked key back where its revocation was damaged after the read models had it', async () => {
      const position = await append('MemberRemoved.v1', { userId: 'bob' }); // telemetry is projected up to here
      await issue('revoked');
      const accessPosition = await revoke('revoked');
      await append('TelemetryExpired.v1', { before: 5 }, retentionStream(GRID));
      damaged.add('ApiKeyRevoked.v1');
      const follower = create(true, async () => ({ ...snapshotAt(position), accessPosition }));
      await follower.start(stopping.signal);
      assert.equal(follower.records.apiKey('revoked'), undefined);
      assert.ok(follower.records.apiKey('in snapshot'));
      assert.equal(
        follower.records.retentionWatermark(GRID),
        5,
        'watermarks of telemetry that is not projected yet are applied',
      );
      assert.deepEqual([warnings.length, follower.records.position], [1, await store.head()]);
    });

    it('takes watermarks as the log has them where one was taken back, because read models may not be rebuilt yet', async () => {
      const expire = (before: number) => append('TelemetryExpired.v1', { before }, retentionStream(GRID));
      const withdraw = (before: number) =>
        append('RetentionMarkWithdrawn.v1', { before }, RETENTION_WITHDRAWALS_STREAM);
      const startAt = async (position: Position, before: number): Promise<number> => {
        const follower = create(true, async () => ({
          ...snapshotAt(position),
          retentionWatermarks: [
            { gridId: GRID, before },
            { gridId: 'other', before: 77 },
          ],
        }));
        await follower.start(stopping.signal);
        assert.equal(follower.records.retentionWatermark('other'), 77);
        return follower.records.retentionWatermark(GRID);
      };
      await expire(1_000);
      assert.equal(await startAt(await withdraw(400), 1_000), 400);
      assert.equal(await startAt(await expire(900), 900), 900, 'a later watermark holds');
      assert.equal(await startAt(await withdraw(0), 900), 0);
    });

    it('asks for it until the log was read once, and never again', async () => {
      await issue('k');
      let asked = 0;
      fault = throwAway;
      const follower = create(true, async () => void (asked += 1));
      await follower.start(stopping.signal);
      await endInterval();
      await waitUntil(() => reads.length === 2, 'it tries again');
      fault = undefined;
      await endInterval();
      await waitUntil(() => follower.isCaughtUp, 'it is read');
      await follower.refresh();
      assert.equal(asked, 1);
      assert.ok(follower.records.apiKey('k'));
    });

    it('reads the log from its beginning where the snapshot cannot be read, or belongs to a longer log', async () => {
      const head = await issue('k');
      const follower = create(true, () => Promise.reject(new Error('the read models are unavailable')));
      await follower.start(stopping.signal);
      assert.ok(follower.records.apiKey('k'));
      assert.equal(warnings.length, 1);
      const other = create(true, async () => snapshotAt(`${head}0` as Position));
      await other.start(stopping.signal);
      assert.ok(other.records.apiKey('k'));
      assert.equal(other.records.apiKey('in snapshot'), undefined);
    });
  });

  it('that was never started reads nothing and keeps nobody waiting', async () => {
    const follower = create(true);
    assert.equal(await follower.waitForPosition(await issue('k'), 60_000), false);
    assert.deepEqual([reads, follower.records.position], [[], START]);
  });
});

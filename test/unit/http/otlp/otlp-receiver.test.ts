import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { HindsightError } from '../../../../src/errors.js';
import { CredentialGuard } from '../../../../src/http/limits/credential-guard.js';
import { RequestDeduplicator } from '../../../../src/http/otlp/request-deduplicator.js';
import type { ExportRequest, ReadBodyResult } from '../../../../src/http/otlp/export-request.js';
import { ThrottledErrorLog } from '../../../../src/http/limits/log-throttle.js';
import type { MemoryReservation } from '../../../../src/http/otlp/memory-budget.js';
import { MemoryBudget } from '../../../../src/http/otlp/memory-budget.js';
import { ABANDONED, type ExportOutcome } from '../../../../src/http/otlp/export-outcome.js';
import { OtlpReceiver, type OtlpReceiverOptions } from '../../../../src/http/otlp/otlp-receiver.js';
import type { ExportValidation } from '../../../../src/telemetry/otlp/validation/validate-export-request.js';
import { waitUntil } from '../../../support/wait-until.js';
import type { ContentEncoding } from '../../../../src/telemetry/compression/content-encoding.js';
import type { WorkShare } from '../../../../src/scheduling/fair-queue.js';
import { API_KEY, FakeAccess, GRID } from './support/fake-access.js';
import {
  CountingMeters,
  validateBytes,
  FixedLoad,
  RecordingUsageListener,
  InlineValidator,
  KeptLog,
  UnreliableStore,
} from './support/fakes.js';

const NOW = 1_767_225_600_000;

function setUp(changes: Partial<OtlpReceiverOptions> = {}) {
  const log = new KeptLog();
  const pauses: number[] = [];
  const parts = {
    store: new UnreliableStore(),
    access: new FakeAccess(),
    validator: new InlineValidator(validateBytes),
    backpressure: new FixedLoad(),
    memory: {
      bodies: new MemoryBudget(10_000, { maxWaiting: 2, maxWaitMs: 5 }),
      validation: new MemoryBudget(20_000, { maxWaiting: 2, maxWaitMs: 5 }),
    },
    deduplicator: new RequestDeduplicator(),
    meters: new CountingMeters(),
    guard: new CredentialGuard({ failuresPerMinute: 0 }),
    keyUses: new RecordingUsageListener(),
    failures: new ThrottledErrorLog(log, () => NOW),
    now: () => NOW,
    monotonic: () => performance.now(),
    possibleNow: () => ({ earliest: NOW, latest: NOW }),
    pause: async (ms: number) => void pauses.push(ms),
    maxInflatedBytes: 4_000,
    maxResponseMs: 60_000,
  };
  return { ...parts, log, pauses, receiver: new OtlpReceiver({ ...parts, ...changes }) };
}

function call(
  bytes: readonly number[] | Uint8Array,
  changes: Partial<ExportRequest> & { encoding?: ContentEncoding } = {},
): ExportRequest {
  const { encoding = 'identity', ...rest } = changes;
  const readBody = async (reservation: MemoryReservation): Promise<ReadBodyResult> => {
    const body = new Uint8Array(bytes);
    assert.ok(reservation.tryGrow(body.byteLength));
    return { ok: true, bytes: body, encoding };
  };
  return { signal: 'traces', format: 'protobuf', apiKey: API_KEY, client: '192.0.2.1', readBody, ...rest };
}

const SHARE: WorkShare = { ownerId: GRID, gridId: GRID };

const SUCCESS: ExportOutcome = { kind: 'accepted', rejected: 0, message: '' };

const RESPONSE_MS = 5;

/** Time that passes only when the test says so: a request is late at the step that the test wants, on any machine. */
function setUpLateness(changes: Partial<OtlpReceiverOptions> = {}) {
  let elapsedMs = 0;
  const parts = setUp({ maxResponseMs: RESPONSE_MS, monotonic: () => elapsedMs, ...changes });
  return { ...parts, passDeadline: () => void (elapsedMs += RESPONSE_MS) };
}

describe('OtlpReceiver', () => {
  it('appends one event per request, as it arrived, and counts it as backlog', async () => {
    const { receiver, store, backpressure, meters } = setUp();
    assert.deepEqual(await receiver.receive(call([1, 255, 3], { signal: 'logs' })), {
      kind: 'accepted',
      rejected: 1,
      message: 'value 255',
    });
    const [event] = await store.received();
    assert.equal(event?.type, 'LogsReceived.v1');
    assert.deepEqual([...event.body!], [1, 255, 3]);
    const { identity, ...data } = event.data;
    assert.match(identity, /^[0-9a-f]{64}$/);
    assert.deepEqual(data, {
      gridId: GRID,
      signal: 'logs',
      accepted: 2,
      rejected: [1],
      keyId: 'key',
      receivedAt: NOW,
      encoding: 'identity',
      inflatedBytes: 3,
    });
    assert.equal(backpressure.records, 2);
    assert.deepEqual([...backpressure.grids], [GRID]);
    assert.deepEqual([meters.records.logs, meters.rejected], [2, 1]);
  });

  it('spreads a body that the store does not take whole over parts', async () => {
    const store = new UnreliableStore({ maxAppendBytes: 2_000 });
    const { receiver } = setUp({ store });
    assert.deepEqual(await receiver.receive(call(new Uint8Array(3_000))), SUCCESS);
    const events = await store.received();
    assert.ok(events.length > 2);
    assert.equal(events.at(-1)!.data.accepted, 3_000);
  });

  it('bounds times by the retention of the Grid and ten minutes ahead', async () => {
    const { receiver, validator, access } = setUp();
    await receiver.receive(call([1]));
    access.grids.set(GRID, { gridId: GRID, subscriptionActive: true, retentionDays: 0 });
    await receiver.receive(call([2]));
    assert.deepEqual(
      validator.asked.map((each) => each.oldestMs),
      [NOW - 7 * 86_400_000, 0],
    );
    assert.equal(validator.asked[0].newestMs, NOW + 600_000);
  });

  it('rejects what has expired, also where the retention would allow it', async () => {
    const { receiver, validator, access } = setUp();
    access.retentionWatermark = NOW - 86_400_000;
    await receiver.receive(call([1]));
    access.grids.set(GRID, { gridId: GRID, subscriptionActive: true, retentionDays: 0 });
    await receiver.receive(call([2]));
    assert.deepEqual(
      validator.asked.map((each) => each.oldestMs),
      [NOW - 86_400_000, NOW - 86_400_000],
    );
  });

  it('admits telemetry of either time while the clock is in doubt', async () => {
    const earliest = NOW - 30 * 86_400_000;
    const { receiver, validator } = setUp({ possibleNow: () => ({ earliest, latest: NOW }) });
    await receiver.receive(call([1]));
    assert.equal(validator.asked[0].oldestMs, earliest - 7 * 86_400_000);
    assert.equal(validator.asked[0].newestMs, NOW + 600_000);
  });

  it('appends nothing where there is nothing to keep', async () => {
    const { receiver, store } = setUp();
    assert.deepEqual(await receiver.receive(call([])), SUCCESS);
    assert.deepEqual(await receiver.receive(call([255])), { kind: 'accepted', rejected: 1, message: 'value 255' });
    assert.equal((await store.received()).length, 0);
  });

  it('acknowledges a repetition with the same answer and appends it once, also while it is in flight', async () => {
    const { receiver, store, meters } = setUp();
    const outcomes = await Promise.all([1, 2, 3].map(() => receiver.receive(call([7, 255]))));
    outcomes.push(await receiver.receive(call([7, 255])));
    for (const outcome of outcomes) assert.deepEqual(outcome, { kind: 'accepted', rejected: 1, message: 'value 255' });
    assert.equal((await store.received()).length, 1);
    assert.deepEqual([meters.records.traces, meters.repeated], [1, 3]);
  });

  it('recognises a repetition for 15 minutes, whatever the clock says meanwhile', async () => {
    const time = { now: NOW, monotonic: 0 };
    const { receiver, store } = setUp({ now: () => time.now, monotonic: () => time.monotonic });
    const appended = async () => {
      await receiver.receive(call([1, 2]));
      return (await store.received()).length;
    };
    assert.equal(await appended(), 1);
    time.now += 30 * 86_400_000;
    assert.equal(await appended(), 1, 'a clock that jumps is not time that passes');
    time.now -= 60 * 86_400_000;
    assert.equal(await appended(), 1);
    time.monotonic += 16 * 60_000;
    assert.equal(await appended(), 2, 'quarter of an hour has passed, although the clock went back');
  });

  it('asks for key, shutdown and load before it takes a byte of the body', async () => {
    const { receiver, backpressure, meters, access } = setUp();
    const readBody = async (): Promise<ReadBodyResult> => assert.fail('the body was read');
    const kind = async (changes: Partial<ExportRequest> = {}) =>
      (await receiver.receive(call([1], { readBody, ...changes }))).kind;
    assert.equal(await kind({ apiKey: 'hs_wrong_key' }), 'unauthenticated');
    access.grids.set(GRID, { gridId: GRID, subscriptionActive: false, retentionDays: 7 });
    assert.equal(await kind(), 'forbidden');
    access.grids.set(GRID, { gridId: GRID, subscriptionActive: true, retentionDays: 7 });
    backpressure.decision = { admit: false, retryAfterMs: 1_234 };
    assert.deepEqual(await receiver.receive(call([1], { readBody })), {
      kind: 'overloaded',
      message: 'the ingestion backlog exceeds one second of work; retry later',
      retryAfterMs: 1_234,
    });
    receiver.stopAccepting();
    assert.equal(await kind(), 'unavailable');
    assert.deepEqual(meters.refusals, ['unauthenticated', 'forbidden', 'overloaded', 'unavailable']);
  });

  it('delays acknowledgements as the backlog asks', async () => {
    const { receiver, backpressure, pauses } = setUp();
    backpressure.decision = { admit: true, delayAckMs: 250 };
    await receiver.receive(call([1]));
    assert.deepEqual(pauses, [250]);
  });

  it('refuses what inflates to too much by its own account, without inflating it', async () => {
    const { receiver, validator } = setUp();
    const bomb = gzipSync(Buffer.alloc(4_001));
    assert.equal((await receiver.receive(call(bomb, { encoding: 'gzip' }))).kind, 'too-large');
    assert.equal(validator.asked.length, 0);
  });

  it('turns away what finds no memory, and holds none when it is done', async () => {
    const { receiver, memory } = setUp();
    const validating = memory.validation.open(SHARE);
    assert.ok(validating.tryGrow(17_500));
    assert.equal((await receiver.receive(call(new Uint8Array(40)))).kind, 'overloaded', 'none to validate with');
    validating.release();
    assert.deepEqual(await receiver.receive(call(new Uint8Array(40))), SUCCESS);
    assert.deepEqual([memory.bodies.freeBytes, memory.validation.freeBytes], [10_000, 20_000]);
  });

  it('passes on what the validation found wrong, and what the wire did not bring', async () => {
    const malformed = setUp({
      validator: new InlineValidator(() => ({ ok: false, fault: 'malformed', message: 'no protobuf' })),
    });
    assert.deepEqual(await malformed.receiver.receive(call([1])), { kind: 'malformed', message: 'no protobuf' });
    const { receiver, meters } = setUp();
    assert.deepEqual(
      await receiver.receive(call([1], { readBody: async () => ({ ok: false, outcome: ABANDONED }) })),
      ABANDONED,
    );
    assert.deepEqual(meters.refusals, []);
  });

  it('answers any unexpected failure with a retryable refusal, and logs it without the body', async () => {
    const { receiver, store, log } = setUp();
    store.before = () => {
      throw new TypeError('bug');
    };
    assert.equal((await receiver.receive(call([1]))).kind, 'unavailable');
    assert.equal(log.lines.length, 1);
    const crashed = setUp({ validator: new InlineValidator(() => Promise.reject(new Error('worker died'))) });
    assert.equal((await crashed.receiver.receive(call([1]))).kind, 'unavailable');
    const away = setUp();
    away.access.findApiKey = async () => {
      throw new HindsightError('unavailable', 'read models away');
    };
    assert.equal((await away.receiver.receive(call([1]))).kind, 'unavailable');
  });

  it('validates in the turn of who created the Grid, and of the Grid itself if that is unknown', async () => {
    const { receiver, validator, access } = setUp();
    await receiver.receive(call([1]));
    access.grids.set(GRID, { gridId: GRID, ownerId: 'alice', subscriptionActive: true, retentionDays: 7 });
    await receiver.receive(call([2]));
    assert.deepEqual(
      validator.turns.map(({ share: { ownerId, gridId } }) => [ownerId, gridId]),
      [
        [GRID, GRID],
        ['alice', GRID],
      ],
    );
  });

  it('refuses what the backlog no longer admits once it is validated', async () => {
    const backpressure = new FixedLoad();
    const validator = new InlineValidator((request) => {
      backpressure.decision = { admit: false, retryAfterMs: 700 };
      return validateBytes(request);
    });
    const { receiver, store } = setUp({ backpressure, validator });
    const outcome = await receiver.receive(call([1]));
    assert.deepEqual([outcome.kind, (outcome as { retryAfterMs?: number }).retryAfterMs], ['overloaded', 700]);
    assert.equal((await store.received()).length, 0);
  });

  it('asks to retry what does not get its turn in time', async () => {
    const validator = new InlineValidator(() => Promise.reject(new HindsightError('unavailable', 'too late')));
    const { receiver, log } = setUp({ validator });
    assert.deepEqual(await receiver.receive(call([1])), {
      kind: 'unavailable',
      message: 'the request could not be processed in time; retry later',
      retryAfterMs: 1_000,
    });
    assert.deepEqual(log.lines, []);
  });

  it('asks to retry what is not durable in time, continues holding its memory, and counts it once', async () => {
    const { receiver, store, memory, backpressure, meters, passDeadline } = setUpLateness();
    let finish: () => void = () => undefined;
    store.before = () => {
      passDeadline();
      return new Promise((resolve) => (finish = resolve));
    };
    assert.equal((await receiver.receive(call([1, 2, 3]))).kind, 'unavailable');
    assert.ok(memory.bodies.freeBytes < 10_000, 'the body is still in memory');
    assert.equal(backpressure.records, 0);
    const retry = receiver.receive(call([1, 2, 3]));
    store.before = () => undefined;
    finish();
    assert.deepEqual(await retry, SUCCESS);
    await waitUntil(() => memory.bodies.freeBytes === 10_000, 'its memory is released');
    assert.equal((await store.received()).length, 1);
    assert.equal(backpressure.records, 3);
    assert.deepEqual([meters.records.traces, meters.repeated], [3, 1]);
  });

  it('asks to retry what is not validated in time, stores it nevertheless, and recognises the retry', async () => {
    let validate: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (validate = resolve));
    const validator = new InlineValidator((request) => {
      passDeadline();
      return held.then(() => validateBytes(request));
    });
    const { receiver, store, memory, meters, keyUses, passDeadline } = setUpLateness({ validator });
    assert.deepEqual(await receiver.receive(call([1, 2, 3])), {
      kind: 'unavailable',
      message: 'the request could not be processed in time; retry later',
      retryAfterMs: 1_000,
    });
    assert.ok(memory.bodies.freeBytes < 10_000 && memory.validation.freeBytes < 20_000, 'it is still in memory');
    assert.deepEqual(keyUses.notified, []);
    validate();
    await waitUntil(() => memory.bodies.freeBytes === 10_000, 'it is stored');
    assert.deepEqual(await receiver.receive(call([1, 2, 3])), SUCCESS);
    assert.equal((await store.received()).length, 1);
    assert.deepEqual([meters.records.traces, meters.repeated, keyUses.notified.length], [3, 1, 1]);
    assert.deepEqual(meters.refusals, ['unavailable']);
  });

  it('asks to retry what fails after the answer, and logs the failure', async () => {
    let fail: (error: Error) => void = () => undefined;
    const held = new Promise<ExportValidation>((_, reject) => (fail = reject));
    const validator = new InlineValidator(() => {
      passDeadline();
      return held;
    });
    const { receiver, memory, log, passDeadline } = setUpLateness({ validator });
    assert.equal((await receiver.receive(call([1]))).kind, 'unavailable');
    fail(new Error('worker died'));
    await waitUntil(() => memory.bodies.freeBytes === 10_000, 'its memory is released');
    assert.equal(log.lines.length, 1);
  });

  it('asks to retry when the key is not looked up in time', async () => {
    const { receiver, access } = setUp({ maxResponseMs: 5 });
    access.findApiKey = () => new Promise(() => undefined);
    assert.equal((await receiver.receive(call([1]))).kind, 'unavailable');
  });

  it('does not count the time in which the sender sends', async () => {
    let elapsedMs = 0;
    const { receiver } = setUp({ maxResponseMs: 20, monotonic: () => elapsedMs });
    const readBody = (reservation: MemoryReservation): Promise<ReadBodyResult> => {
      elapsedMs += 60;
      return call([1]).readBody(reservation);
    };
    assert.deepEqual(await receiver.receive(call([1], { readBody })), SUCCESS);
  });

  it('takes what was not appended out of the backlog', async () => {
    const { receiver, store, backpressure } = setUp();
    store.before = () => {
      throw new HindsightError('unavailable', 'disk full');
    };
    await receiver.receive(call([1, 2]));
    assert.deepEqual([backpressure.records, backpressure.cancelled], [0, 2]);
  });

  it('answers overloaded when the queue of validations is full, and does not log it', async () => {
    const validator = new InlineValidator(() => Promise.reject(new HindsightError('overloaded', 'full')));
    const { receiver, log } = setUp({ validator });
    assert.equal((await receiver.receive(call([1]))).kind, 'overloaded');
    assert.deepEqual(log.lines, []);
  });
});

/**
 * The duty of a receiver: what it acknowledged is stored, once; what it did not is retryable, and counts once after the
 * retry.
 */
describe('OtlpReceiver over a store that fails', () => {
  const request = (n: number): number[] => [n & 0x7f, n >> 7, 1, 2, 3];

  async function insist(receiver: OtlpReceiver, n: number): Promise<void> {
    for (;;) {
      const outcome = await receiver.receive(call(request(n)));
      if (outcome.kind === 'accepted') return;
      assert.equal(outcome.kind, 'unavailable', 'every failure is one that a retry cures');
    }
  }

  it('stores exactly what it acknowledged, when appends fail before they write', async () => {
    const { receiver, store } = setUp();
    let appends = 0;
    store.before = () => {
      if (appends++ % 3 === 0) throw new HindsightError('unavailable', 'disk full');
    };
    await Promise.all(Array.from({ length: 300 }, (_, n) => insist(receiver, n)));
    const identities = (await store.received()).map((event) => event.data.identity);
    assert.equal(identities.length, 300);
    assert.equal(new Set(identities).size, 300);
  });

  it('loses nothing when answers of the store are lost; the repetition carries the same identity', async () => {
    const { receiver, store } = setUp();
    let appends = 0;
    store.after = () => {
      if (appends++ % 4 === 0) throw new HindsightError('unavailable', 'connection lost');
    };
    await Promise.all(Array.from({ length: 300 }, (_, n) => insist(receiver, n)));
    const identities = (await store.received()).map((event) => event.data.identity);
    assert.equal(new Set(identities).size, 300);
    assert.ok(identities.length > 300, 'the projector drops these repetitions by their identity');
  });
});

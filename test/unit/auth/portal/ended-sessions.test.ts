import assert from 'node:assert/strict';
import { EndedSessions } from '../../../../src/auth/portal/ended-sessions.js';
import { createSignOutRecorder } from '../../../../src/commands/portal-sessions/sign-out-recorder.js';
import { MemoryEventStore } from '../../../../src/streams/adapters/memory/memory-event-store.js';
import type { PortalSessionEnded } from '../../../../src/streams/events/portal-session-events.js';
import { PORTAL_SESSIONS_STREAM } from '../../../../src/streams/stream-names.js';

const NOW = 1_000_000;
const WEEK = 7 * 24 * 3_600_000;
const ADA = { id: 'session-of-ada', endsAt: NOW + WEEK, accessToken: 'token-of-ada', accessEndsAt: NOW + 3_600_000 };
const BOB = {
  id: 'session-of-bob',
  endsAt: NOW + 2 * WEEK,
  accessToken: 'token-of-bob',
  accessEndsAt: NOW + 3_600_000,
};

type Ended = PortalSessionEnded['data'];

describe('sessions that have ended', () => {
  let log: MemoryEventStore;
  let isAway: boolean;
  let nowMs: number;
  let failures: unknown[];
  /** Times that somebody was told of an end. */
  let reported: number;

  beforeEach(() => {
    nowMs = NOW;
    [log, isAway, failures, reported] = [new MemoryEventStore(), false, [], 0];
  });

  function opened(max?: number): EndedSessions {
    let id = 0;
    const record = createSignOutRecorder({
      log,
      newId: () => `00000000-0000-4000-8000-${String(id++).padStart(12, '0')}`,
    });
    const ended = new EndedSessions({
      record: async (data) => (isAway ? Promise.reject(new Error('disk full')) : record(data)),
      onUnrecorded: (error) => void failures.push(error),
      onEnded: () => (reported += 1),
      now: () => nowMs,
      ...(max !== undefined && { max }),
    });
    ended.markCaughtUp();
    return ended;
  }
  const written = async (): Promise<Ended[]> =>
    (await log.readStream(PORTAL_SESSIONS_STREAM)).map(({ data }) => data as Ended);
  async function folded(): Promise<EndedSessions> {
    const ended = opened();
    for (const data of await written()) ended.apply(data);
    return ended;
  }
  async function reports(ended: EndedSessions, token: string): Promise<boolean> {
    return (await ended.rejectEnded(async () => ({ ok: true, principal: { kind: 'user', id: 'ada' } }))(token)).ok;
  }

  it('given nothing, a sign-out is one event, and it says neither who it was nor anything that lets in', async () => {
    assert.equal(await opened().end(ADA), true);
    const events = await log.readStream(PORTAL_SESSIONS_STREAM);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['PortalSessionEnded.v1'],
    );
    assert.deepEqual(events[0].data, {
      sessionId: 'session-of-ada',
      until: ADA.endsAt,
      tokenHash: '2zmcuwhZdUlkFzrbyKzaj8U5xcbc+OyxaAoE/5R0n6w=',
      tokenUntil: ADA.accessEndsAt,
      at: NOW,
    });
  });

  it('given such an event, its session and token are refused wherever it is received, and no others', async () => {
    await opened().end(ADA);
    const elsewhere = await folded();
    assert.deepEqual([elsewhere.has(ADA), elsewhere.has(BOB)], [true, false]);
    assert.deepEqual(
      [await reports(elsewhere, ADA.accessToken), await reports(elsewhere, BOB.accessToken)],
      [false, true],
    );
  });

  it('given such an event, the token is refused as long as clocks that differ would take it, also where somebody signs out that late', async () => {
    await opened().end(ADA);
    nowMs = ADA.accessEndsAt + 59_000;
    const [elsewhere, late] = [await folded(), opened()];
    await late.end({ ...BOB, accessToken: ADA.accessToken });
    assert.deepEqual([await reports(elsewhere, ADA.accessToken), await reports(late, ADA.accessToken)], [false, false]);
  });

  it('given that it has ended, a session that ends once more is no second event', async () => {
    await opened().end(ADA);
    assert.equal(await (await folded()).end(ADA), true);
    assert.equal((await written()).length, 1);
  });

  it('are refused, and reported, before the log has taken it', async () => {
    let isDurable = (): void => undefined;
    const ended: EndedSessions = new EndedSessions({
      record: () => new Promise<void>((resolve) => (isDurable = resolve)),
      onUnrecorded: () => undefined,
      onEnded: () => (reportsAbout = ended.has(ADA)),
      now: () => NOW,
    });
    let reportsAbout = false;
    ended.markCaughtUp();
    const ending = ended.end(ADA);
    assert.equal(reportsAbout, true);
    assert.equal(ended.has(ADA), true);
    assert.equal(await reports(ended, ADA.accessToken), false);
    isDurable();
    assert.equal(await ending, true);
  });

  it('says that it is not in the log where that cannot be written, refuses it here, and writes it as soon as that can be', async () => {
    isAway = true;
    const ended = opened();
    assert.equal(await ended.end(ADA), false);
    assert.deepEqual(
      [ended.has(ADA), await reports(ended, ADA.accessToken), failures.map(String), reported],
      [true, false, ['Error: disk full'], 1],
    );
    assert.equal(await ended.retryUnrecorded(), 0);
    isAway = false;
    assert.deepEqual([await ended.retryUnrecorded(), await ended.retryUnrecorded()], [1, 0]);
    assert.deepEqual(
      (await written()).map(({ sessionId, at }) => [sessionId, at]),
      [['session-of-ada', NOW]],
    );
    assert.deepEqual([(await folded()).has(ADA), await ended.end(ADA), (await written()).length], [true, true, 1]);
  });

  it('offers to the log no session again that is over by itself', async () => {
    isAway = true;
    const ended = opened();
    for (const each of [ADA, BOB]) await ended.end(each);
    isAway = false;
    nowMs = ADA.endsAt;
    assert.equal(await ended.retryUnrecorded(), 1);
    assert.deepEqual(
      (await written()).map(({ sessionId }) => sessionId),
      ['session-of-bob'],
    );
  });

  it('offers none twice at the same time', async () => {
    isAway = true;
    const ended = opened();
    await ended.end(ADA);
    isAway = false;
    assert.deepEqual(await Promise.all([ended.retryUnrecorded(), ended.retryUnrecorded()]), [1, 0]);
    assert.equal((await written()).length, 1);
  });

  it('are not distinguished from others before the log was read', () => {
    const ended = new EndedSessions({
      record: async () => undefined,
      onUnrecorded: () => undefined,
      onEnded: () => undefined,
      now: () => NOW,
    });
    assert.throws(() => ended.has(ADA), { code: 'unavailable' });
  });

  for (const isUnwritten of [false, true]) {
    it(`of more than can be kept${isUnwritten ? ', and the log does not take' : ''}, those that would end soonest take with them what ends no later: no copy comes back`, async () => {
      isAway = isUnwritten;
      const ended = opened(10);
      const all = Array.from({ length: 11 }, (_, n) => ({ ...ADA, id: `s${n}`, endsAt: NOW + 1_000 * (n + 1) }));
      for (const each of all) await ended.end(each);
      assert.ok(all.every((each) => ended.has(each)));
      assert.deepEqual(
        [ended.has({ id: 'open', endsAt: NOW + 1_000 }), ended.has({ id: 'open', endsAt: NOW + 1_001 })],
        [true, false],
      );
    });
  }
});

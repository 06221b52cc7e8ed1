import assert from 'node:assert/strict';
import {
  accessCollections,
  memberId,
  type MemberDocument,
} from '../../../../src/read-models/documents/access-documents.js';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import { PROJECTIONS } from '../../../../src/read-models/documents/projection-documents.js';
import type { DocumentChange } from '../../../../src/read-models/read-model-store.js';
import { createUsageQueries } from '../../../../src/queries/usage/usage-queries.js';
import { createInitialSettings } from '../../../../src/streams/events/grid-events.js';
import type { AccountedEvent } from '../../../../src/projections/usage-projection.js';
import { UsageReadModel } from '../telemetry/support/accounting-world.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const MIDNIGHT = Date.UTC(2026, 11, 1); // of a day and of a month
const NOON = Date.UTC(2026, 10, 20, 12);

function reserved(promptId: string, at: number, energy = 10, { userId = 'ada', gridId = 'g' } = {}): AccountedEvent {
  return { type: 'PromptReserved.v1', data: { userId, gridId, promptId, energy, at } };
}

function settled(
  promptId: string,
  reservedAt: number,
  at: number,
  energy: number,
  { userId = 'ada', gridId = 'g' } = {},
): AccountedEvent {
  return { type: 'PromptSettled.v1', data: { userId, gridId, promptId, energy, reservedAt, at } };
}

function refunded(promptId: string, reservedAt: number, at: number): AccountedEvent {
  return { type: 'PromptRefunded.v1', data: { userId: 'ada', gridId: 'g', promptId, reservedAt, at } };
}

function speaking(speechId: string, at: number, seconds: number, gridId = 'g'): AccountedEvent {
  return { type: 'SpeechReserved.v1', data: { gridId, userId: 'ada', speechId, kind: 'synthesis', seconds, at } };
}

function spoken(
  speechId: string,
  reservedAt: number,
  at: number,
  seconds: number,
  kind: 'synthesis' | 'recognition' = 'synthesis',
): AccountedEvent {
  return { type: 'SpeechSettled.v1', data: { gridId: 'g', userId: 'ada', speechId, kind, seconds, reservedAt, at } };
}

function started(instanceId: string, at: number, gridId = 'g'): AccountedEvent {
  return { type: 'SessionStarted.v1', data: { gridId, instanceId, userId: 'ada', at } };
}

async function given(...events: AccountedEvent[]): Promise<UsageReadModel['queries']> {
  const readModel = new UsageReadModel();
  await readModel.fold(events);
  return readModel.queries;
}

describe('usage queries: prompts', () => {
  it('count a reservation until it is settled, refunded or lapses', async () => {
    const { promptsToday } = await given(
      reserved('p1', NOON),
      settled('p1', NOON, NOON + 5 * SECOND, 3),
      reserved('p2', NOON + MINUTE),
      reserved('p3', NOON + MINUTE),
      refunded('p3', NOON + MINUTE, NOON + MINUTE + 1),
    );
    assert.deepEqual(await promptsToday('ada', 'g', NOON + MINUTE + 1), { used: 2, lastUsedAt: NOON + MINUTE });
    assert.deepEqual(await promptsToday('ada', 'g', NOON + 3 * MINUTE - 1), { used: 2, lastUsedAt: NOON + MINUTE });
    assert.deepEqual(await promptsToday('ada', 'g', NOON + 3 * MINUTE), { used: 1, lastUsedAt: NOON });
  });

  it('count one that is settled after it lapsed', async () => {
    const { promptsToday, energy } = await given(reserved('p1', NOON), settled('p1', NOON, NOON + 5 * MINUTE, 3));
    assert.deepEqual(await promptsToday('ada', 'g', NOON + 5 * MINUTE), { used: 1, lastUsedAt: NOON });
    assert.deepEqual(await energy('ada', NOON + 5 * MINUTE), { energy: 97, sinceMs: NOON + 5 * MINUTE });
  });

  it('belong to the UTC day of their reservation', async () => {
    const { promptsToday } = await given(
      reserved('p1', MIDNIGHT - 1),
      settled('p1', MIDNIGHT - 1, MIDNIGHT + SECOND, 3),
      reserved('p2', MIDNIGHT - 1),
    );
    assert.equal((await promptsToday('ada', 'g', MIDNIGHT - 1)).used, 2);
    assert.deepEqual(await promptsToday('ada', 'g', MIDNIGHT), { used: 0, lastUsedAt: MIDNIGHT - 1 });
  });

  it('stay the same when single ones are no longer known', async () => {
    const { promptsToday } = await given(
      reserved('p1', NOON),
      reserved('p2', NOON + SECOND),
      settled('p2', NOON + SECOND, NOON + MINUTE, 1),
      settled('p1', NOON, NOON + MINUTE, 1),
      reserved('p3', NOON + HOUR),
      refunded('p3', NOON + HOUR, NOON + HOUR),
    );
    assert.deepEqual(await promptsToday('ada', 'g', NOON + HOUR), { used: 2, lastUsedAt: NOON + SECOND });
  });

  it('are those of one user in one Grid, energy that of one user in all Grids', async () => {
    const elsewhere = { gridId: 'h' };
    const { promptsToday, energy } = await given(
      reserved('p1', NOON, 10),
      settled('p1', NOON, NOON, 6),
      reserved('p2', NOON, 10, elsewhere),
      settled('p2', NOON, NOON, 5, elsewhere),
    );
    assert.deepEqual(
      [
        (await promptsToday('ada', 'g', NOON)).used,
        (await promptsToday('ada', 'h', NOON)).used,
        (await energy('ada', NOON)).energy,
      ],
      [1, 1, 89],
    );
    assert.deepEqual([await promptsToday('bob', 'g', NOON), (await energy('bob', NOON)).energy], [{ used: 0 }, 100]);
    assert.deepEqual(await promptsToday('ada', 'i', NOON), { used: 0 });
  });
});

describe('usage queries: energy', () => {
  it('is held while it is reserved, comes back with a refund and when the reservation lapses', async () => {
    const { energy } = await given(
      reserved('p1', NOON, 10),
      reserved('p2', NOON + SECOND, 10),
      refunded('p2', NOON + SECOND, NOON + 2 * SECOND),
    );
    assert.equal((await energy('ada', NOON + 2 * SECOND)).energy, 90);
    assert.equal((await energy('ada', NOON + 2 * MINUTE - 1)).energy, 90);
    assert.equal((await energy('ada', NOON + 2 * MINUTE)).energy, 100);
  });

  it('regenerates from the first reply on', async () => {
    const { energy } = await given(
      reserved('p1', NOON, 10),
      settled('p1', NOON, NOON + SECOND, 10),
      reserved('p2', NOON + MINUTE, 10),
      settled('p2', NOON + MINUTE, NOON + MINUTE, 9),
    );
    assert.deepEqual(await energy('ada', NOON + HOUR - 1), { energy: 81, sinceMs: NOON });
    assert.deepEqual(await energy('ada', NOON + HOUR), { energy: 91, sinceMs: NOON + HOUR });
    assert.deepEqual(await energy('ada', NOON + 2 * HOUR), { energy: 100, sinceMs: NOON + 2 * HOUR });
  });
});

describe('usage queries: speech', () => {
  it('counts seconds of the month, with what is reserved until it lapses', async () => {
    const { speechSecondsThisMonth } = await given(
      speaking('s1', NOON, 1.5),
      spoken('s1', NOON, NOON + SECOND, 1.5),
      speaking('s2', NOON + MINUTE, 0.25),
      speaking('s3', NOON, 100, 'h'),
    );
    assert.equal(await speechSecondsThisMonth('g', NOON + 3 * MINUTE - 1), 1.75);
    assert.equal(await speechSecondsThisMonth('g', NOON + 3 * MINUTE), 1.5);
    assert.equal(await speechSecondsThisMonth('g', MIDNIGHT - 1), 1.5);
    assert.equal(await speechSecondsThisMonth('g', MIDNIGHT), 0);
  });

  it('counts whole milliseconds, the nearest', async () => {
    const { speechSecondsThisMonth } = await given(speaking('s1', NOON, 1.001), speaking('s2', NOON, 0.0004));
    assert.equal(await speechSecondsThisMonth('g', NOON), 1.001);
  });

  it('belongs to the UTC month of its reservation', async () => {
    const { speechSecondsThisMonth } = await given(
      speaking('s1', MIDNIGHT - 1, 3),
      spoken('s1', MIDNIGHT - 1, MIDNIGHT + 1, 3),
      speaking('s2', MIDNIGHT + 2, 4),
    );
    assert.equal(await speechSecondsThisMonth('g', MIDNIGHT + 2), 4);
  });
});

describe('usage queries: sessions', () => {
  it('are active until they expire, which use puts off', async () => {
    const { session, activeSessions } = await given(
      started('a', NOON),
      started('b', NOON),
      { type: 'SessionUsed.v1', data: { gridId: 'g', instanceId: 'b', at: NOON + MINUTE } },
      started('c', NOON, 'h'),
    );
    const used = {
      instanceId: 'b',
      gridId: 'g',
      userId: 'ada',
      startedAt: NOON,
      lastUsedAt: NOON + MINUTE,
      expiresAt: NOON + 31 * MINUTE,
    };
    const at = async (nowMs: number): Promise<unknown[]> => [
      (await session('a', nowMs))?.instanceId,
      await session('b', nowMs),
      await activeSessions('g', nowMs),
    ];
    assert.deepEqual(await at(NOON + 30 * MINUTE - 1), ['a', used, 2]);
    assert.deepEqual(await at(NOON + 30 * MINUTE), [undefined, used, 1]);
    assert.deepEqual(await at(NOON + 31 * MINUTE), [undefined, undefined, 0]);
  });

  it('name the Grids where they expired without an event', async () => {
    const { gridsWithExpiredSessions, session } = await given(
      started('a', NOON, 'h'),
      started('b', NOON + 1, 'g'),
      started('c', NOON + 1, 'g'),
      started('d', NOON, 'i'),
      { type: 'SessionEnded.v1', data: { gridId: 'i', instanceId: 'd', reason: 'ended', at: NOON } },
    );
    assert.deepEqual(await gridsWithExpiredSessions(NOON + 30 * MINUTE - 1), []);
    assert.deepEqual(await gridsWithExpiredSessions(NOON + 30 * MINUTE), ['h']);
    assert.deepEqual(await gridsWithExpiredSessions(NOON + 30 * MINUTE + 1), ['g', 'h']);
    assert.equal(await session('d', NOON), undefined);
  });
});

describe('usage queries: summary', () => {
  it('lists every day of the range, with what was settled of it', async () => {
    const day = 24 * HOUR;
    const { usageSummary } = await given(
      reserved('p1', MIDNIGHT - 1),
      settled('p1', MIDNIGHT - 1, MIDNIGHT + SECOND, 3),
      reserved('p2', MIDNIGHT + day),
      settled('p2', MIDNIGHT + day, MIDNIGHT + day, 10),
      reserved('p3', MIDNIGHT + day),
      reserved('p4', MIDNIGHT + day, 10, { userId: 'bob', gridId: 'g' }),
      settled('p4', MIDNIGHT + day, MIDNIGHT + day, 2, { userId: 'bob', gridId: 'g' }),
      reserved('p5', MIDNIGHT + day, 10, { userId: 'ada', gridId: 'h' }),
      settled('p5', MIDNIGHT + day, MIDNIGHT + day, 1, { userId: 'ada', gridId: 'h' }),
      speaking('s1', MIDNIGHT, 1),
      spoken('s1', MIDNIGHT, MIDNIGHT, 1),
      speaking('s2', MIDNIGHT, 1),
      spoken('s2', MIDNIGHT, MIDNIGHT, 1, 'recognition'),
      speaking('s3', MIDNIGHT, 1),
    );
    assert.deepEqual(await usageSummary('g', MIDNIGHT - 1, MIDNIGHT + day), {
      totalPrompts: 3,
      totalEnergyConsumed: 15,
      totalSpeechSyntheses: 1,
      totalSpeechRecognitions: 1,
      dailyBreakdown: [
        { date: '2026-11-30', prompts: 1, energy: 3 },
        { date: '2026-12-01', prompts: 0, energy: 0 },
        { date: '2026-12-02', prompts: 2, energy: 12 },
      ],
    });
    const first = {
      totalPrompts: 0,
      totalEnergyConsumed: 0,
      totalSpeechSyntheses: 1,
      totalSpeechRecognitions: 1,
      dailyBreakdown: [{ date: '2026-12-01', prompts: 0, energy: 0 }],
    };
    assert.deepEqual(await usageSummary('g', MIDNIGHT, MIDNIGHT + day - 1), first, 'whole days, and no other');
    assert.deepEqual(await usageSummary('g', MIDNIGHT + HOUR, MIDNIGHT + HOUR), first, 'a moment is part of a day');
    assert.equal((await usageSummary('h', MIDNIGHT - 30 * day, MIDNIGHT + 30 * day)).totalPrompts, 1);
    assert.deepEqual((await usageSummary('g', MIDNIGHT + 1, MIDNIGHT)).dailyBreakdown, []);
  });
});

describe('usage queries: limits and memberships', () => {
  it('answer the limits of a new Grid until they are changed', async () => {
    const { limits } = await given({
      type: 'LimitsUpdated.v1',
      data: { actor: 'owner', at: NOON, gridId: 'g', changes: { dailyPromptLimit: 3 } },
    });
    assert.deepEqual(await limits('g'), { dailyPromptLimit: 3, monthlySpeechMinutes: 60, maxConcurrentSessions: 10 });
    assert.deepEqual(await limits('h'), { dailyPromptLimit: 100, monthlySpeechMinutes: 60, maxConcurrentSessions: 10 });
  });

  it('name the Grids of a member by name, and those alone', async () => {
    const { grids, members } = accessCollections(1);
    const put = (collection: DocumentChange['collection'], id: string, document: object): DocumentChange => ({
      kind: 'put',
      collection,
      id,
      document,
    });
    const member = (gridId: string, userId: string, kind?: MemberDocument['kind']): DocumentChange => {
      const document: MemberDocument = {
        gridId,
        userId,
        role: 'User',
        addedAt: 1,
        addedBy: 'owner',
        ...(kind === undefined ? {} : { kind }),
      };
      return put(members, memberId(gridId, userId), document);
    };
    const store = new MemoryReadModelStore();
    const { gridsForMember: gridsOf, namedGrid } = createUsageQueries(store);
    assert.deepEqual([await gridsOf('ada', 'user'), await namedGrid('g1')], [[], undefined]);
    await store.commit(
      [
        put(PROJECTIONS, 'access', { active: 1, schema: 1 }),
        ...[
          ['g1', 'shop'],
          ['g2', 'Shop'],
          ['g3', 'shop'],
          ['g4', 'bank'],
        ].map(([gridId, name]) =>
          put(grids, gridId, {
            ...createInitialSettings(name),
            subscriptionActive: gridId !== 'g3',
            gridId,
            createdAt: 1,
          }),
        ),
        member('g3', 'ada', 'user'),
        member('g2', 'ada', 'application'),
        member('g1', 'ada'),
        member('g4', 'bob', 'user'),
        member('gone', 'ada', 'user'),
      ],
      [],
    );
    assert.deepEqual(await gridsOf('ada', 'user'), [
      { gridId: 'g1', name: 'shop', subscriptionActive: true },
      { gridId: 'g3', name: 'shop', subscriptionActive: false },
    ]);
    assert.deepEqual(await gridsOf('ada', 'application'), [
      { gridId: 'g2', name: 'Shop', subscriptionActive: true },
      { gridId: 'g1', name: 'shop', subscriptionActive: true },
    ]);
    assert.deepEqual(await gridsOf('key:k', 'user'), []);
    assert.deepEqual(
      [await namedGrid('g4'), await namedGrid('unknown')],
      [{ gridId: 'g4', name: 'bank', subscriptionActive: true }, undefined],
    );
  });

  it('answer as if nothing had happened before the first commit', async () => {
    const queries = createUsageQueries(new MemoryReadModelStore());
    assert.equal((await queries.limits('g')).dailyPromptLimit, 100);
    assert.deepEqual(
      [
        await queries.session('a', NOON),
        await queries.activeSessions('g', NOON),
        await queries.gridsWithExpiredSessions(NOON),
      ],
      [undefined, 0, []],
    );
    assert.deepEqual(
      [
        await queries.energy('ada', NOON),
        await queries.promptsToday('ada', 'g', NOON),
        await queries.speechSecondsThisMonth('g', NOON),
      ],
      [{ energy: 100, sinceMs: NOON }, { used: 0 }, 0],
    );
    assert.equal((await queries.usageSummary('g', NOON, NOON)).totalPrompts, 0);
  });
});

import assert from 'node:assert/strict';
import { checkpointName } from '../../../src/projections/projection.js';
import { type AccountedEvent, usageProjection } from '../../../src/projections/usage-projection.js';
import type { AnyCollection, Collection, Document } from '../../../src/read-models/read-model-store.js';
import { readActiveVersion, PROJECTIONS } from '../../../src/read-models/documents/projection-documents.js';
import {
  USAGE_PROJECTION,
  usageCollections,
  type UsageCollections,
} from '../../../src/read-models/documents/assistant-usage-documents.js';
import { gridStream, sessionsStream, speechStream, usageStream } from '../../../src/streams/stream-names.js';
import { ProjectedLog } from './engine/support/projected.js';
import { STORAGES } from './engine/support/storages.js';

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 10, 20, 12);
const USER = 'ada@example.org/1';

function limitsUpdated(
  gridId: string,
  changes: Extract<AccountedEvent, { type: 'LimitsUpdated.v1' }>['data']['changes'],
): AccountedEvent {
  return { type: 'LimitsUpdated.v1', data: { actor: 'owner', at: NOON, gridId, changes } };
}

function reserved(promptId: string, at: number, energy = 10, gridId = 'g'): AccountedEvent {
  return { type: 'PromptReserved.v1', data: { userId: USER, gridId, promptId, energy, at } };
}

function settled(promptId: string, reservedAt: number, at: number, energy: number, gridId = 'g'): AccountedEvent {
  return { type: 'PromptSettled.v1', data: { userId: USER, gridId, promptId, energy, reservedAt, at } };
}

function refunded(promptId: string, reservedAt: number, at: number, gridId = 'g'): AccountedEvent {
  return { type: 'PromptRefunded.v1', data: { userId: USER, gridId, promptId, reservedAt, at } };
}

function audio(
  type: 'SpeechReserved.v1' | 'SpeechSettled.v1',
  speechId: string,
  at: number,
  seconds: number,
  kind: 'synthesis' | 'recognition' = 'synthesis',
): AccountedEvent {
  const data = { gridId: 'g', userId: USER, speechId, kind, seconds, at };
  return type === 'SpeechReserved.v1' ? { type, data } : { type, data: { ...data, reservedAt: at - 1_000 } };
}

function streamOf({ type, data }: AccountedEvent): string {
  if (type === 'LimitsUpdated.v1') return gridStream(data.gridId);
  if (type.startsWith('Session')) return sessionsStream(data.gridId);
  return type.startsWith('Speech') ? speechStream(data.gridId) : usageStream(USER);
}

async function append(log: ProjectedLog, ...events: AccountedEvent[]): Promise<void> {
  for (const event of events)
    await log.events.append(streamOf(event), 'any', [{ id: crypto.randomUUID(), type: event.type, data: event.data }]);
}

/** Documents by id, collection by collection. */
async function documents({ store }: ProjectedLog): Promise<Record<keyof UsageCollections, Record<string, Document>>> {
  const collections = usageCollections((await readActiveVersion(store, USAGE_PROJECTION)) ?? 0);
  const all = await Promise.all(
    Object.entries(collections).map(async ([name, collection]: [string, AnyCollection]) => {
      const found = await store.find(collection as Collection, {});
      return [name, Object.fromEntries(found.map(({ id, document }) => [id, document]))] as const;
    }),
  );
  return Object.fromEntries(all) as Record<keyof UsageCollections, Record<string, Document>>;
}

const FULL = { energy: 100, sinceMs: 0 };

/** Ends at once and continues after a restart, which must make no difference. */
for (const restarted of [false, true]) {
  describe(`usage projection${restarted ? ', restarted after every event' : ''}`, () => {
    let log: ProjectedLog;
    beforeEach(() => void (log = new ProjectedLog()));
    afterEach(() => log.remove());
    const given = async (...events: AccountedEvent[]): ReturnType<typeof documents> => {
      for (const event of events) {
        await append(log, event);
        if (restarted) await log.restart();
      }
      await log.settle();
      return documents(log);
    };

    it('keeps limits that were changed, and those of a new Grid beside them', async () => {
      const { limits } = await given(
        limitsUpdated('g', { dailyPromptLimit: 0 }),
        limitsUpdated('h', { monthlySpeechMinutes: 5 }),
        limitsUpdated('g', { maxConcurrentSessions: 2 }),
      );
      assert.deepEqual(limits, {
        g: { gridId: 'g', dailyPromptLimit: 0, monthlySpeechMinutes: 60, maxConcurrentSessions: 2 },
        h: { gridId: 'h', dailyPromptLimit: 100, monthlySpeechMinutes: 5, maxConcurrentSessions: 10 },
      });
    });

    it('follows a session from its start to its end', async () => {
      const started = (instanceId: string): AccountedEvent => ({
        type: 'SessionStarted.v1',
        data: { gridId: 'g', instanceId, userId: USER, at: NOON },
      });
      const { sessions } = await given(
        started('a'),
        started('b'),
        started('c'),
        { type: 'SessionUsed.v1', data: { gridId: 'g', instanceId: 'b', at: NOON + 7 * MINUTE } },
        { type: 'SessionEnded.v1', data: { gridId: 'g', instanceId: 'a', reason: 'ended', at: NOON + 8 * MINUTE } },
        { type: 'SessionEnded.v1', data: { gridId: 'g', instanceId: 'c', reason: 'expired', at: NOON + 30 * MINUTE } },
        { type: 'SessionUsed.v1', data: { gridId: 'g', instanceId: 'c', at: NOON + 31 * MINUTE } },
      );
      assert.deepEqual(sessions, {
        b: {
          instanceId: 'b',
          gridId: 'g',
          userId: USER,
          startedAt: NOON,
          lastUsedAt: NOON + 7 * MINUTE,
          expiresAt: NOON + 37 * MINUTE,
        },
      });
    });

    it('knows single prompts as long as they may change, and then their sum', async () => {
      const open = await given(
        reserved('p1', NOON),
        settled('p1', NOON, NOON + 9_000, 4),
        reserved('p2', NOON + 10_000),
        reserved('p3', NOON + 11_000, 10, 'h'),
        refunded('p3', NOON + 11_000, NOON + 12_000, 'h'),
      );
      assert.deepEqual(open.prompts[USER], {
        userId: USER,
        level: FULL,
        day: '',
        prompts: {},
        lastPromptAt: { g: NOON },
        recent: [
          { id: 'p1', gridId: 'g', energy: 4, reservedAt: NOON, takenAt: NOON, isSettled: true },
          { id: 'p2', gridId: 'g', energy: 10, reservedAt: NOON + 10_000, takenAt: NOON + 10_000, isSettled: false },
        ],
      });
      const { prompts } = await given(reserved('p4', NOON + 30 * MINUTE, 1));
      assert.deepEqual(prompts[USER], {
        userId: USER,
        level: { energy: 96, sinceMs: NOON },
        day: '2026-11-20',
        prompts: { g: 1 },
        lastPromptAt: { g: NOON },
        recent: [
          {
            id: 'p4',
            gridId: 'g',
            energy: 1,
            reservedAt: NOON + 30 * MINUTE,
            takenAt: NOON + 30 * MINUTE,
            isSettled: false,
          },
        ],
      });
    });

    it('knows single pieces of audio as long as they may change, and then their sum', async () => {
      const { speech } = await given(
        audio('SpeechReserved.v1', 's1', NOON, 1.5),
        audio('SpeechSettled.v1', 's1', NOON + 1_000, 1.5),
        audio('SpeechReserved.v1', 's2', NOON + 2_000, 9),
        {
          type: 'SpeechRefunded.v1',
          data: { gridId: 'g', speechId: 's2', reservedAt: NOON + 2_000, at: NOON + 3_000 },
        },
        audio('SpeechReserved.v1', 's3', NOON + 20 * MINUTE, 0.25, 'recognition'),
      );
      const recent = [
        { id: 's3', userId: USER, kind: 'recognition', ms: 250, reservedAt: NOON + 20 * MINUTE, isSettled: false },
      ];
      assert.deepEqual(speech, { g: { gridId: 'g', month: '2026-11', ms: 1_500, recent } });
    });

    it('counts what is settled on the day of its reservation', async () => {
      const midnight = Date.UTC(2026, 10, 21);
      const { days } = await given(
        reserved('p1', midnight - 1),
        reserved('p2', midnight),
        reserved('p3', midnight),
        reserved('p4', midnight, 10, 'h'),
        settled('p1', midnight - 1, midnight + 5_000, 3),
        settled('p2', midnight, midnight + 6_000, 2),
        settled('p4', midnight, midnight + 7_000, 7, 'h'),
        refunded('p3', midnight, midnight + 1),
        audio('SpeechReserved.v1', 's1', midnight - 500, 2),
        audio('SpeechSettled.v1', 's1', midnight + 500, 2),
        audio('SpeechReserved.v1', 's2', midnight, 3, 'recognition'),
        audio('SpeechSettled.v1', 's2', midnight + 1_000, 3, 'recognition'),
        audio('SpeechReserved.v1', 's3', midnight, 4),
      );
      assert.deepEqual(days, {
        'g/2026-11-20': { gridId: 'g', day: '2026-11-20', prompts: 1, energy: 3, syntheses: 1, recognitions: 0 },
        'g/2026-11-21': { gridId: 'g', day: '2026-11-21', prompts: 1, energy: 2, syntheses: 0, recognitions: 1 },
        'h/2026-11-21': { gridId: 'h', day: '2026-11-21', prompts: 1, energy: 7, syntheses: 0, recognitions: 0 },
      });
    });
  });
}

for (const storage of STORAGES)
  describe(`usage projection over ${storage.name}`, () => {
    let log: ProjectedLog;
    let before: Awaited<ReturnType<typeof documents>>;
    beforeEach(async () => {
      log = new ProjectedLog(undefined, { graceMs: 0 }, storage);
      await append(
        log,
        limitsUpdated('g', { dailyPromptLimit: 7 }),
        { type: 'SessionStarted.v1', data: { gridId: 'g', instanceId: 'a', userId: USER, at: NOON } },
        reserved('p1', NOON),
        settled('p1', NOON, NOON + 1, 2),
        audio('SpeechReserved.v1', 's1', NOON, 2),
        audio('SpeechSettled.v1', 's1', NOON + 1_000, 2),
      );
      await log.settle();
      before = await documents(log);
      assert.deepEqual(
        Object.values(before).map((found) => Object.keys(found).length),
        [1, 1, 1, 1, 1],
      );
    });
    afterEach(() => log.remove());

    it('is rebuilt from the log, and verified', async () => {
      const projector = await log.settle();
      const { digest } = await projector.digest(USAGE_PROJECTION);
      await projector.rebuild(USAGE_PROJECTION, () => undefined);
      assert.deepEqual(await documents(log), before);
      assert.equal((await projector.verify(USAGE_PROJECTION)).equal, true);
      assert.equal((await projector.digest(USAGE_PROJECTION)).digest, digest);
      await append(log, reserved('p2', NOON + 2));
      await log.settle();
      assert.notEqual((await projector.digest(USAGE_PROJECTION)).digest, digest);
    });

    it('is verified by every one of its collections', async () => {
      const projector = await log.settle();
      for (const { collection } of usageProjection.contents(
        (await readActiveVersion(log.store, USAGE_PROJECTION)) ?? 0,
      )) {
        const [{ id, document }] = await log.store.find(collection as Collection, {});
        await log.store.commit([{ kind: 'put', collection, id, document: { ...document, gridId: 'another' } }], []);
        assert.equal((await projector.verify(USAGE_PROJECTION)).equal, false, collection.name);
        await log.store.commit([{ kind: 'put', collection, id, document }], []);
      }
      assert.equal((await projector.verify(USAGE_PROJECTION)).equal, true);
    });

    it('is built from the log that it finds when it is new', async () => {
      const version = await readActiveVersion(log.store, USAGE_PROJECTION);
      assert.ok(version !== undefined);
      await log.stop();
      await log.store.commit([{ kind: 'delete', collection: PROJECTIONS, id: USAGE_PROJECTION }], []);
      for (const { collection } of usageProjection.contents(version)) await log.store.dropCollection(collection);
      await log.store.dropCheckpoint(checkpointName(USAGE_PROJECTION, version));
      assert.equal(await readActiveVersion(log.store, USAGE_PROJECTION), undefined);
      await log.settle();
      assert.deepEqual(await documents(log), before);
    });
  });

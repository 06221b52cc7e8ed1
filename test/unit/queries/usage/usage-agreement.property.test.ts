import assert from 'node:assert/strict';
import fc from 'fast-check';
import { startOfNextDay, utcDay, utcMonth } from '../../../../src/accounting/utc-calendar.js';
import { availableEnergy } from '../../../../src/accounting/prompt-account.js';
import { RESERVATION_TIMEOUT_MS } from '../../../../src/accounting/usage-limits.js';
import { computeDigest } from '../../../../src/projections/engine/read-model-digest.js';
import { type AccountedEvent, usageProjection } from '../../../../src/projections/usage-projection.js';
import { USAGE_VERSION } from '../../../../src/read-models/documents/assistant-usage-documents.js';
import { AccountingWorld, UsageReadModel, type Outcome } from '../telemetry/support/accounting-world.js';

const MINUTE = 60_000;
/** Three minutes before the end of a UTC day and month. */
const START_MS = Date.UTC(2026, 11, 1) - 3 * MINUTE;
const USERS = ['ada', 'bob'];
const GRIDS = ['g', 'h'];

/** One action: after this many ms a user does something, possibly with what was started this many steps ago. */
interface Happening {
  readonly afterMs: number;
  readonly what: 'prompt' | 'settle' | 'refund' | 'speak' | 'spoken' | 'unspoken' | 'start' | 'use' | 'end' | 'expire';
  readonly userId: string;
  readonly gridId: string;
  readonly back: number;
  readonly amount: number;
}

const happenings = fc.noBias(
  fc.array(
    fc.record<Happening>({
      afterMs: fc.oneof(
        { weight: 300, arbitrary: fc.integer({ min: 0, max: 8_000 }) },
        {
          weight: 4,
          arbitrary: fc.constantFrom(
            RESERVATION_TIMEOUT_MS - 1,
            RESERVATION_TIMEOUT_MS,
            RESERVATION_TIMEOUT_MS + 1,
            10 * MINUTE,
            30 * MINUTE - 1,
            30 * MINUTE,
            60 * MINUTE,
          ),
        },
        { weight: 1, arbitrary: fc.constantFrom(24 * 60 * MINUTE, 31 * 24 * 60 * MINUTE) },
      ),
      what: fc.constantFrom(
        'prompt',
        'prompt',
        'prompt',
        'prompt',
        'prompt',
        'prompt',
        'settle',
        'settle',
        'settle',
        'refund',
        'speak',
        'speak',
        'spoken',
        'unspoken',
        'start',
        'start',
        'use',
        'end',
        'expire',
      ),
      userId: fc.constantFrom(...USERS),
      gridId: fc.constantFrom(...GRIDS),
      back: fc.integer({ min: 1, max: 3 }),
      amount: fc.integer({ min: 0, max: 10 }),
    }),
    { minLength: 20, maxLength: 250, size: 'max' },
  ),
);

class Story {
  readonly world = new AccountingWorld();
  now = START_MS;
  private ids = 0;

  async report(happening: Happening): Promise<void> {
    this.now += happening.afterMs;
    const { userId, gridId, amount, what } = happening;
    const of = { userId, gridId, at: this.now };
    switch (what) {
      case 'prompt':
        return void (await this.world.prompt({
          type: 'ReservePrompt',
          ...of,
          promptId: this.newId(),
          dailyPromptLimit: gridId === 'g' ? 3 : 20,
        }));
      case 'settle':
        return void (await this.world.prompt({
          type: 'SettlePrompt',
          ...of,
          promptId: this.begun('PromptReserved.v1', happening),
          energy: amount,
        }));
      case 'refund':
        return void (await this.world.prompt({
          type: 'RefundPrompt',
          ...of,
          promptId: this.begun('PromptReserved.v1', happening),
        }));
      case 'speak':
        return void (await this.world.speak({
          type: 'ReserveSpeech',
          ...of,
          speechId: this.newId(),
          kind: amount < 5 ? 'synthesis' : 'recognition',
          seconds: amount * 2.001,
          monthlySpeechMinutes: 1,
        }));
      case 'spoken':
        return void (await this.world.speak({
          type: 'SettleSpeech',
          ...of,
          speechId: this.begun('SpeechReserved.v1', happening),
        }));
      case 'unspoken':
        return void (await this.world.speak({
          type: 'RefundSpeech',
          ...of,
          speechId: this.begun('SpeechReserved.v1', happening),
        }));
      case 'start':
        return void (await this.world.attend({
          type: 'StartSession',
          ...of,
          instanceId: this.newId(),
          maxSessions: 3,
        }));
      case 'use':
        return void (await this.world.attend({ type: 'UseSession', ...of, ...this.begunSession(happening) }));
      case 'end':
        return void (await this.world.attend({ type: 'EndSession', ...of, ...this.begunSession(happening) }));
      case 'expire':
        return void (await this.world.attend({ type: 'ExpireSessions', ...of }));
    }
  }

  /** A prompt or audio of this user that was started before. */
  private begun(type: 'PromptReserved.v1' | 'SpeechReserved.v1', { userId, gridId, back }: Happening): string {
    const ids = this.world.events.flatMap((event) => {
      if (event.type !== type) return [];
      if (event.type === 'PromptReserved.v1') return event.data.userId === userId ? [event.data.promptId] : [];
      return event.data.gridId === gridId ? [event.data.speechId] : [];
    });
    return ids.at(-back) ?? 'none';
  }

  /** A session of the Grid that was started before, with its user. */
  private begunSession({ gridId, userId, back }: Happening): { readonly instanceId: string; readonly userId: string } {
    const started = this.world.events.flatMap((event) =>
      event.type === 'SessionStarted.v1' && event.data.gridId === gridId ? [event.data] : [],
    );
    const { instanceId, userId: owner } = started.at(-back) ?? { instanceId: 'none', userId };
    return { instanceId, userId: owner };
  }

  private newId(): string {
    this.ids += 1;
    return `id${this.ids}`;
  }
}

/** Asserts that the read model agrees with the state that the deciders use. */
async function assertAgree({ world }: Story, nowMs: number): Promise<void> {
  for (const gridId of GRIDS) {
    for (const userId of USERS) await assertPrompts(world, userId, gridId, nowMs);
    await assertSpeech(world, gridId, nowMs);
    await assertSessions(world, gridId, nowMs);
  }
}

async function assertPrompts(
  { usage: aggregate, readModel: { queries }, events }: AccountingWorld,
  userId: string,
  gridId: string,
  nowMs: number,
): Promise<void> {
  const { used } = await queries.promptsToday(userId, gridId, nowMs);
  const level = await queries.energy(userId, nowMs);
  assert.deepEqual(level, availableEnergy(aggregate.state(userId), nowMs));
  assert.equal(used, naivePrompts(events, userId, gridId, nowMs));
  const attempt = (dailyPromptLimit: number): Outcome =>
    aggregate.consider(userId, {
      type: 'ReservePrompt',
      userId,
      gridId,
      promptId: 'next',
      dailyPromptLimit,
      at: nowMs,
    });
  if (used > 0) assert.equal(attempt(used), 'daily-prompt-limit');
  const reserved = {
    type: 'PromptReserved.v1',
    data: { userId, gridId, promptId: 'next', energy: Math.min(10, level.energy), at: nowMs },
  };
  assert.deepEqual(attempt(used + 1), level.energy < 1 ? 'energy-exhausted' : [reserved]);
}

async function assertSpeech(
  { speech, readModel: { queries }, events }: AccountingWorld,
  gridId: string,
  nowMs: number,
): Promise<void> {
  const seconds = await queries.speechSecondsThisMonth(gridId, nowMs);
  assert.ok(Math.abs(seconds - naiveSpeech(events, gridId, nowMs)) < 1e-6);
  const attempt = (more: number): Outcome =>
    speech.consider(gridId, {
      type: 'ReserveSpeech',
      gridId,
      userId: 'ada',
      speechId: 'next',
      kind: 'synthesis',
      seconds: more,
      monthlySpeechMinutes: 2,
      at: nowMs,
    });
  assert.notEqual(attempt(120 - seconds), 'speech-minutes-exceeded');
  assert.equal(attempt(120 - seconds + 0.001), 'speech-minutes-exceeded');
}

async function assertSessions(
  { sessions, readModel: { queries }, events }: AccountingWorld,
  gridId: string,
  nowMs: number,
): Promise<void> {
  const active = await queries.activeSessions(gridId, nowMs);
  const attempt = (maxSessions: number): Outcome =>
    sessions.consider(gridId, {
      type: 'StartSession',
      gridId,
      userId: 'ada',
      instanceId: 'next',
      maxSessions,
      at: nowMs,
    });
  assert.equal(attempt(active), 'session-limit-reached');
  assert.notEqual(attempt(active + 1), 'session-limit-reached');
  for (const { type, data } of events) {
    if (type !== 'SessionStarted.v1' || data.gridId !== gridId) continue;
    const known = await queries.session(data.instanceId, nowMs);
    const use = sessions.consider(gridId, {
      type: 'UseSession',
      gridId,
      userId: data.userId,
      instanceId: data.instanceId,
      at: nowMs,
    });
    assert.equal(known === undefined, use === 'session-not-found');
  }
  const over = sessions.consider(gridId, { type: 'ExpireSessions', gridId, at: nowMs });
  assert.equal((await queries.gridsWithExpiredSessions(nowMs)).includes(gridId), over.length > 0);
}

/** Without any account: a prompt counts when it is settled, or open and not lapsed. */
function naivePrompts(events: readonly AccountedEvent[], userId: string, gridId: string, nowMs: number): number {
  const isClosed = (promptId: string): boolean =>
    events.some(
      ({ type, data }) => (type === 'PromptSettled.v1' || type === 'PromptRefunded.v1') && data.promptId === promptId,
    );
  return events.filter(({ type, data }) => {
    if (type === 'PromptSettled.v1')
      return data.userId === userId && data.gridId === gridId && utcDay(data.reservedAt) === utcDay(nowMs);
    if (type !== 'PromptReserved.v1' || data.userId !== userId || data.gridId !== gridId) return false;
    return utcDay(data.at) === utcDay(nowMs) && nowMs < data.at + RESERVATION_TIMEOUT_MS && !isClosed(data.promptId);
  }).length;
}

function naiveSpeech(events: readonly AccountedEvent[], gridId: string, nowMs: number): number {
  const isClosed = (speechId: string): boolean =>
    events.some(
      ({ type, data }) => (type === 'SpeechSettled.v1' || type === 'SpeechRefunded.v1') && data.speechId === speechId,
    );
  return events.reduce((sum, { type, data }) => {
    if (data.gridId !== gridId) return sum;
    if (type === 'SpeechSettled.v1') return utcMonth(data.reservedAt) === utcMonth(nowMs) ? sum + data.seconds : sum;
    if (type !== 'SpeechReserved.v1') return sum;
    return utcMonth(data.at) === utcMonth(nowMs) && nowMs < data.at + RESERVATION_TIMEOUT_MS && !isClosed(data.speechId)
      ? sum + data.seconds
      : sum;
  }, 0);
}

/** Moments at which a view may change by itself: from the last event on. */
function momentsFrom(nowMs: number): number[] {
  const lapse = [
    0,
    1,
    RESERVATION_TIMEOUT_MS - 1,
    RESERVATION_TIMEOUT_MS,
    10 * MINUTE,
    30 * MINUTE - 1,
    30 * MINUTE,
    60 * MINUTE,
    600 * MINUTE,
  ];
  return [
    ...lapse.map((ms) => nowMs + ms),
    startOfNextDay(nowMs) - 1,
    startOfNextDay(nowMs),
    startOfNextDay(nowMs) + 31 * 24 * 60 * MINUTE,
  ];
}

describe('usage queries and the deciders of accounting', () => {
  it('agree at any moment, whatever happens', async () => {
    await fc.assert(
      fc.asyncProperty(happenings, fc.integer({ min: 0, max: 90 * MINUTE }), async (reported, laterMs) => {
        const story = new Story();
        for (const happening of reported) {
          await story.report(happening);
          await assertAgree(story, story.now);
        }
        for (const moment of [...momentsFrom(story.now), story.now + laterMs]) await assertAgree(story, moment);
      }),
      { numRuns: 30 },
    );
  });

  it('agree on reports: days add up to what was settled', async () => {
    await fc.assert(
      fc.asyncProperty(happenings, async (reported) => {
        const story = new Story();
        for (const happening of reported) await story.report(happening);
        for (const gridId of GRIDS) {
          const ofGrid = story.world.events.filter(({ data }) => data.gridId === gridId);
          const prompts = ofGrid.flatMap((event) => (event.type === 'PromptSettled.v1' ? [event.data] : []));
          const speech = ofGrid.flatMap((event) => (event.type === 'SpeechSettled.v1' ? [event.data] : []));
          const summary = await story.world.readModel.queries.usageSummary(gridId, START_MS, story.now);
          assert.deepEqual(
            [summary.totalPrompts, summary.totalEnergyConsumed],
            [prompts.length, prompts.reduce((sum, { energy }) => sum + energy, 0)],
          );
          assert.deepEqual(
            [summary.totalSpeechSyntheses, summary.totalSpeechRecognitions],
            [
              speech.filter(({ kind }) => kind === 'synthesis').length,
              speech.filter(({ kind }) => kind === 'recognition').length,
            ],
          );
          for (const { date, prompts: ofDay } of summary.dailyBreakdown)
            assert.equal(ofDay, prompts.filter(({ reservedAt }) => utcDay(reservedAt) === date).length);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('do not depend on how the log is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        happenings,
        fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 20 }),
        async (reported, cuts) => {
          const story = new Story();
          for (const happening of reported) await story.report(happening);
          const other = new UsageReadModel();
          let from = 0;
          for (const size of [...cuts, Infinity]) {
            await other.fold(story.world.events.slice(from, from + size));
            from += size;
          }
          assert.equal(
            await computeDigest(usageProjection, USAGE_VERSION, other.store),
            await computeDigest(usageProjection, USAGE_VERSION, story.world.readModel.store),
          );
        },
      ),
      { numRuns: 30 },
    );
  });
});

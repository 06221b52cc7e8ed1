import { MINUTE_MS } from '../../../src/diagnostics/time-windows.js';
import type { GridLimits } from '../../../src/accounting/usage-limits.js';
import type {
  LimitsUpdated,
  SessionEvent,
  SpeechEvent,
  UsageEvent,
} from '../../../src/streams/events/assistant-events.js';

export const LIMITS: GridLimits = { dailyPromptLimit: 50, monthlySpeechMinutes: 90, maxConcurrentSessions: 5 };

/** The asking user, and another one of the same Grid. */
export const [USER, COLLEAGUE] = ['ada', 'grace'];

export interface PlainPrompt {
  readonly userId: string;
  readonly atMs: number;
  readonly energy: number;
}

const PROMPTS_MINUTES_AGO: readonly (readonly [userId: string, minutesAgo: number, energy: number])[] = [
  ...Array.from({ length: 12 }, (_, i) => [USER, 25 * 60 + i, 3] as const),
  [COLLEAGUE, 190, 5],
  [COLLEAGUE, 185, 2],
  [COLLEAGUE, 100, 4],
  [COLLEAGUE, 98, 1],
  [COLLEAGUE, 97, 3],
  [USER, 28, 3],
  [USER, 26, 4],
  [USER, 22, 2],
  [USER, 19, 5],
  [USER, 17, 4],
  [USER, 15, 6],
  [USER, 12, 4],
];

/** Answered prompts, the oldest first. */
export function buildPrompts(nowMs: number): PlainPrompt[] {
  return PROMPTS_MINUTES_AGO.map(([userId, minutesAgo, energy]) => ({
    userId,
    atMs: nowMs - minutesAgo * MINUTE_MS,
    energy,
  })).sort((a, b) => a.atMs - b.atMs);
}

export const SPEECH: readonly (readonly [kind: 'synthesis' | 'recognition', seconds: number, minutesAgo: number])[] = [
  ['synthesis', 30, 95],
  ['synthesis', 24, 60],
  ['recognition', 21, 30],
];
export const SESSIONS = [USER, COLLEAGUE];

export function buildPromptEvents(gridId: string, { userId, atMs, energy }: PlainPrompt): UsageEvent[] {
  const promptId = `${userId} ${atMs}`;
  const prompt = { userId, gridId, promptId, energy };
  return [
    { type: 'PromptReserved.v1', data: { ...prompt, at: atMs } },
    { type: 'PromptSettled.v1', data: { ...prompt, reservedAt: atMs, at: atMs } },
  ];
}

/** Energy reserved for the current question: its maximum cost, until settled. */
export function buildReservation(gridId: string, nowMs: number): UsageEvent {
  return { type: 'PromptReserved.v1', data: { userId: USER, gridId, promptId: 'running', energy: 10, at: nowMs } };
}

export function buildSpeechEvents(gridId: string, nowMs: number): SpeechEvent[] {
  return SPEECH.flatMap(([kind, seconds, minutesAgo]): SpeechEvent[] => {
    const at = nowMs - minutesAgo * MINUTE_MS;
    const speech = { gridId, userId: USER, speechId: `${kind} ${at}`, kind, seconds };
    return [
      { type: 'SpeechReserved.v1', data: { ...speech, at } },
      { type: 'SpeechSettled.v1', data: { ...speech, reservedAt: at, at } },
    ];
  });
}

export function buildSessionEvents(gridId: string, nowMs: number): SessionEvent[] {
  return SESSIONS.map((userId) => ({
    type: 'SessionStarted.v1',
    data: { gridId, instanceId: `session of ${userId}`, userId, at: nowMs - 10 * MINUTE_MS },
  }));
}

export function buildLimitEvents(gridId: string, actor: string, at: number): LimitsUpdated[] {
  return [{ type: 'LimitsUpdated.v1', data: { actor, at, gridId, changes: LIMITS } }];
}

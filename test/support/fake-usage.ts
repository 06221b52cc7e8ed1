import { SESSION_IDLE_MS, type GridLimits } from '../../src/accounting/usage-limits.js';
import type { EnergyLevel } from '../../src/accounting/prompt-account.js';
import type {
  ActiveSession,
  NamedGrid,
  PromptsToday,
  UsageQueries,
  UsageSummary,
} from '../../src/queries/usage/usage-query-types.js';
import { withInternalMember } from './internal-member.js';
import { CALLERS, GRID_A, GRID_B, GRID_INACTIVE, type CallerName } from './fake-access.js';

/** The assistant session of a caller of the matrix, in the one Grid that it may access; outsiders are former members. */
export function instanceOf(caller: CallerName): string {
  return instanceId(CALLERS.indexOf(caller));
}

/** A session of the owner in a Grid without a subscription. */
export const INSTANCE_INACTIVE = instanceId(0xfd);
/** An expired session of the owner. */
export const INSTANCE_EXPIRED = instanceId(0xfe);
export const INSTANCE_UNKNOWN = instanceId(0xff);

/** Usage in fields, with more members than specified; records queries, except those for sessions. */
export class FakeUsage implements UsageQueries {
  readonly asked: { readonly name: keyof UsageQueries; readonly with: readonly unknown[] }[] = [];
  readonly sessions = new Map<string, ActiveSession>([
    ...CALLERS.map((caller) =>
      session(instanceOf(caller), userIdOf(caller), caller.endsWith('of-b') ? GRID_B : GRID_A),
    ),
    session(INSTANCE_INACTIVE, 'owner', GRID_INACTIVE),
    session(INSTANCE_EXPIRED, 'owner', GRID_A, 0),
  ]);
  limitsOf: GridLimits = withInternalMember({
    dailyPromptLimit: 100,
    monthlySpeechMinutes: 60,
    maxConcurrentSessions: 10,
  });
  level: EnergyLevel = withInternalMember({ energy: 42, sinceMs: Date.UTC(2026, 0, 1, 12) });
  prompts: PromptsToday = withInternalMember({ used: 7, lastUsedAt: Date.UTC(2026, 0, 1, 12, 0, 0, 123) });
  speechSeconds = 75.25;
  grids: readonly NamedGrid[] = [
    withInternalMember({ gridId: GRID_A, name: 'Shop', subscriptionActive: true }),
    withInternalMember({ gridId: GRID_INACTIVE, name: 'Old shop', subscriptionActive: false }),
  ];
  summary: UsageSummary = withInternalMember({
    totalPrompts: 3,
    totalEnergyConsumed: 9,
    totalSpeechSyntheses: 2,
    totalSpeechRecognitions: 1,
    dailyBreakdown: [
      withInternalMember({ date: '2026-01-01', prompts: 3, energy: 9 }),
      withInternalMember({ date: '2026-01-02', prompts: 0, energy: 0 }),
    ],
  });

  limits(gridId: string): Promise<GridLimits> {
    return this.answer('limits', [gridId], this.limitsOf);
  }

  async session(instanceId: string, nowMs: number): Promise<ActiveSession | undefined> {
    const session = this.sessions.get(instanceId);
    return session !== undefined && session.expiresAt > nowMs ? session : undefined;
  }

  activeSessions(gridId: string, nowMs: number): Promise<number> {
    return this.answer('activeSessions', [gridId, nowMs], 4);
  }

  energy(userId: string, nowMs: number): Promise<EnergyLevel> {
    return this.answer('energy', [userId, nowMs], this.level);
  }

  promptsToday(userId: string, gridId: string, nowMs: number): Promise<PromptsToday> {
    return this.answer('promptsToday', [userId, gridId, nowMs], this.prompts);
  }

  speechSecondsThisMonth(gridId: string, nowMs: number): Promise<number> {
    return this.answer('speechSecondsThisMonth', [gridId, nowMs], this.speechSeconds);
  }

  usageSummary(gridId: string, fromMs: number, toMs: number): Promise<UsageSummary> {
    return this.answer('usageSummary', [gridId, fromMs, toMs], this.summary);
  }

  gridsForMember(userId: string, kind: 'user' | 'application'): Promise<readonly NamedGrid[]> {
    return this.answer('gridsForMember', [userId, kind], this.grids);
  }

  namedGrid(gridId: string): Promise<NamedGrid | undefined> {
    return this.answer(
      'namedGrid',
      [gridId],
      this.grids.find((grid) => grid.gridId === gridId),
    );
  }

  gridsWithExpiredSessions(nowMs: number): Promise<readonly string[]> {
    return this.answer('gridsWithExpiredSessions', [nowMs], []);
  }

  private async answer<Answer>(name: keyof UsageQueries, values: readonly unknown[], answer: Answer): Promise<Answer> {
    this.asked.push({ name, with: values });
    return answer;
  }
}

function instanceId(nth: number): string {
  return `5e55101d-1111-4222-8333-0123456789${nth.toString(16).padStart(2, '0')}`;
}

function userIdOf(caller: CallerName): string {
  return caller === 'key' ? 'key:key-a' : caller === 'key-of-b' ? 'key:key-b' : caller;
}

function session(
  instanceId: string,
  userId: string,
  gridId: string,
  lastUsedAt = Date.UTC(2100, 0, 1),
): [string, ActiveSession] {
  return [
    instanceId,
    withInternalMember({
      instanceId,
      gridId,
      userId,
      startedAt: 0,
      lastUsedAt,
      expiresAt: lastUsedAt + SESSION_IDLE_MS,
    }),
  ];
}

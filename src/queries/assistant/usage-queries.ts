import { INITIAL_LIMITS } from '../../accounting/limits.js';
import { energyOf, NEW_PROMPT_ACCOUNT, promptsOf } from '../../accounting/prompt-account.js';
import { NEW_SPEECH_ACCOUNT, speechMsOf } from '../../accounting/speech-account.js';
import { activeVersion } from '../../read-models/projections.js';
import type { ReadModelReader } from '../../read-models/store.js';
import { USAGE_PROJECTION, usageCollections, type UsageCollections } from '../../read-models/usage.js';
import { gridsOf, namedGrid } from './grids-of.js';
import { lastPromptAt } from './last-prompt.js';
import type { UsageQueries } from './questions.js';
import { activeSession, countActiveSessions, gridsWithExpiredSessions } from './sessions.js';
import { usageSummary } from './usage-summary.js';

/** Answers as nobody had used the assistant before the projection's first commit. */
export function createUsageQueries(store: ReadModelReader): UsageQueries {
  // Collections of a version that was never built answer nothing.
  const collections = async (): Promise<UsageCollections> => usageCollections((await activeVersion(store, USAGE_PROJECTION)) ?? 0);
  const prompts = async (userId: string) => store.get((await collections()).prompts, userId);
  return {
    async limits(gridId) {
      const { dailyPromptLimit, monthlySpeechMinutes, maxConcurrentSessions } = (await store.get((await collections()).limits, gridId)) ?? INITIAL_LIMITS;
      return { dailyPromptLimit, monthlySpeechMinutes, maxConcurrentSessions };
    },
    session: async (instanceId, nowMs) => activeSession(store, await collections(), instanceId, nowMs),
    activeSessions: async (gridId, nowMs) => countActiveSessions(store, await collections(), gridId, nowMs),
    energy: async (userId, nowMs) => energyOf((await prompts(userId)) ?? NEW_PROMPT_ACCOUNT, nowMs),
    async promptsToday(userId, gridId, nowMs) {
      const account = await prompts(userId);
      const lastUsedAt = account && lastPromptAt(account, gridId, nowMs);
      return { used: promptsOf(account ?? NEW_PROMPT_ACCOUNT, gridId, nowMs), ...(lastUsedAt === undefined ? {} : { lastUsedAt }) };
    },
    speechSecondsThisMonth: async (gridId, nowMs) => speechMsOf((await store.get((await collections()).speech, gridId)) ?? NEW_SPEECH_ACCOUNT, nowMs) / 1000,
    usageSummary: async (gridId, fromMs, toMs) => usageSummary(store, await collections(), { gridId, fromMs, toMs }),
    gridsOf: (userId, kind) => gridsOf(store, userId, kind),
    namedGrid: (gridId) => namedGrid(store, gridId),
    gridsWithExpiredSessions: async (nowMs) => gridsWithExpiredSessions(store, await collections(), nowMs),
  };
}

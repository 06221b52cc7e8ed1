import { INITIAL_LIMITS, isReservationCounted } from '../../accounting/usage-limits.js';
import { availableEnergy, countPrompts, NEW_PROMPT_ACCOUNT } from '../../accounting/prompt-account.js';
import { NEW_SPEECH_ACCOUNT, usedSpeechMs } from '../../accounting/speech-account.js';
import { readActiveVersion } from '../../read-models/documents/projection-documents.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';
import {
  type PromptUsageDocument,
  USAGE_PROJECTION,
  usageCollections,
  type UsageCollections,
  type UsageDayDocument,
} from '../../read-models/documents/assistant-usage-documents.js';
import type { ActiveSession, NamedGrid, UsageQueries, UsageSummary } from './usage-query-types.js';
import { and, eq, range } from '../../read-models/document-filter.js';
import { listDays, startOfNextDay, utcDay } from '../../accounting/utc-calendar.js';
import { compareText } from '../../diagnostics/text-order.js';
import {
  accessCollections,
  type GridDocument,
  type MemberDocument,
} from '../../read-models/documents/access-documents.js';

/** Before the projection's first commit, every query returns that nothing was used. */
export function createUsageQueries(store: ReadModelReader): UsageQueries {
  // Version 0 never exists, so its collections are empty.
  const collections = async (): Promise<UsageCollections> =>
    usageCollections((await readActiveVersion(store, USAGE_PROJECTION)) ?? 0);
  const prompts = async (userId: string) => store.get((await collections()).prompts, userId);
  return {
    async limits(gridId) {
      const { dailyPromptLimit, monthlySpeechMinutes, maxConcurrentSessions } =
        (await store.get((await collections()).limits, gridId)) ?? INITIAL_LIMITS;
      return { dailyPromptLimit, monthlySpeechMinutes, maxConcurrentSessions };
    },
    session: async (instanceId, nowMs) => findActiveSession(store, await collections(), instanceId, nowMs),
    activeSessions: async (gridId, nowMs) => countActiveSessions(store, await collections(), gridId, nowMs),
    energy: async (userId, nowMs) => availableEnergy((await prompts(userId)) ?? NEW_PROMPT_ACCOUNT, nowMs),
    async promptsToday(userId, gridId, nowMs) {
      const account = await prompts(userId);
      const lastUsedAt = account && findLastPromptAt(account, gridId, nowMs);
      return {
        used: countPrompts(account ?? NEW_PROMPT_ACCOUNT, gridId, nowMs),
        ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
      };
    },
    speechSecondsThisMonth: async (gridId, nowMs) =>
      usedSpeechMs((await store.get((await collections()).speech, gridId)) ?? NEW_SPEECH_ACCOUNT, nowMs) / 1000,
    usageSummary: async (gridId, fromMs, toMs) => summarizeUsage(store, await collections(), { gridId, fromMs, toMs }),
    gridsForMember: (userId, kind) => findGridsForMember(store, userId, kind),
    namedGrid: (gridId) => findNamedGrid(store, gridId),
    gridsWithExpiredSessions: async (nowMs) => findGridsWithExpiredSessions(store, await collections(), nowMs),
  };
}

type SessionCollection = Pick<UsageCollections, 'sessions'>;

/** A session ends at its expiry time. Undefined if unknown, ended or expired. */
async function findActiveSession(
  store: ReadModelReader,
  { sessions }: SessionCollection,
  instanceId: string,
  nowMs: number,
): Promise<ActiveSession | undefined> {
  const session = await store.get(sessions, instanceId);
  return session !== undefined && session.expiresAt > nowMs ? session : undefined;
}

/** Times are whole ms, so sessions that expire after now are those from `nowMs + 1`. */
async function countActiveSessions(
  store: ReadModelReader,
  { sessions }: SessionCollection,
  gridId: string,
  nowMs: number,
): Promise<number> {
  return store.count(sessions, and(eq('gridId', gridId), range('expiresAt', nowMs + 1)));
}

async function findGridsWithExpiredSessions(
  store: ReadModelReader,
  { sessions }: SessionCollection,
  nowMs: number,
): Promise<string[]> {
  const expired = await store.find(sessions, { filter: range('expiresAt', undefined, nowMs + 1) });
  return [...new Set(expired.map(({ document }) => document.gridId))].sort();
}

/** Time (ms since 1970) of the user's last prompt to the assistant of this Grid that currently counts. */
function findLastPromptAt(
  { recent, lastPromptAt: lastSettledAt }: PromptUsageDocument,
  gridId: string,
  nowMs: number,
): number | undefined {
  const open = recent
    .filter((prompt) => prompt.gridId === gridId && isReservationCounted(prompt, nowMs))
    .map(({ reservedAt }) => reservedAt);
  const newest = Math.max(lastSettledAt[gridId] ?? -Infinity, ...open);
  return newest === -Infinity ? undefined : newest;
}

/** ms since 1970, both inclusive. */
interface UsageRange {
  readonly gridId: string;
  readonly fromMs: number;
  readonly toMs: number;
}

type Figure = 'prompts' | 'energy' | 'syntheses' | 'recognitions';

/** Usage of a Grid's assistant on every UTC day that the range touches. */
async function summarizeUsage(
  store: ReadModelReader,
  { days }: Pick<UsageCollections, 'days'>,
  { gridId, fromMs, toMs }: UsageRange,
): Promise<UsageSummary> {
  const inRange = range('day', utcDay(fromMs), utcDay(startOfNextDay(toMs)));
  const used = (await store.find(days, { filter: and(eq('gridId', gridId), inRange) })).map(({ document }) => document);
  const byDay = new Map(used.map((bucket) => [bucket.day, bucket]));
  return {
    totalPrompts: sumOverDays(used, 'prompts'),
    totalEnergyConsumed: sumOverDays(used, 'energy'),
    totalSpeechSyntheses: sumOverDays(used, 'syntheses'),
    totalSpeechRecognitions: sumOverDays(used, 'recognitions'),
    dailyBreakdown: listDays(fromMs, toMs).map((date) => ({
      date,
      prompts: byDay.get(date)?.prompts ?? 0,
      energy: byDay.get(date)?.energy ?? 0,
    })),
  };
}

function sumOverDays(days: readonly UsageDayDocument[], figure: Figure): number {
  return days.reduce((sum, day) => sum + day[figure], 0);
}

type MembershipKind = NonNullable<MemberDocument['kind']>;

/** Grids of the user or application, sorted by name, including Grids without a subscription. */
async function findGridsForMember(store: ReadModelReader, userId: string, kind: MembershipKind): Promise<NamedGrid[]> {
  const version = await readActiveVersion(store, 'access');
  if (version === undefined) return [];
  const { grids, members } = accessCollections(version);
  const memberships = (await store.find(members, { filter: eq('userId', userId) }))
    .map(({ document }) => document)
    .filter(hasKind(kind));
  const found = await Promise.all(memberships.map(({ gridId }) => store.get(grids, gridId)));
  return found
    .filter((grid) => grid !== undefined)
    .map(toNamedGrid)
    .sort(compareByName);
}

async function findNamedGrid(store: ReadModelReader, gridId: string): Promise<NamedGrid | undefined> {
  const version = await readActiveVersion(store, 'access');
  const grid = version === undefined ? undefined : await store.get(accessCollections(version).grids, gridId);
  return grid && toNamedGrid(grid);
}

/** A membership without a kind counts as both kinds, as it does when access is checked. */
function hasKind(kind: MembershipKind) {
  return (member: MemberDocument): boolean => member.kind === undefined || member.kind === kind;
}

function toNamedGrid({ gridId, name, subscriptionActive }: GridDocument): NamedGrid {
  return { gridId, name, subscriptionActive };
}

function compareByName(a: NamedGrid, b: NamedGrid): number {
  return compareText(a.name, b.name) || compareText(a.gridId, b.gridId);
}

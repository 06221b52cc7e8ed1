import type { EnergyLevel } from '../../accounting/prompt-account.js';
import type { GridLimits } from '../../accounting/usage-limits.js';
import type { AssistantSessionDocument } from '../../read-models/documents/assistant-usage-documents.js';

/** An active assistant session. */
export type ActiveSession = AssistantSessionDocument;

/** Prompts of one user in one Grid on the current UTC day. */
export interface PromptsToday {
  readonly used: number;
  /** Time (ms since 1970) of the last prompt on this or an earlier day; absent if there never was one. */
  readonly lastUsedAt?: number;
}

/** Settled usage only, counted on the day of its reservation, so that the figures of a day never decrease. */
export interface UsageSummary {
  readonly totalPrompts: number;
  readonly totalEnergyConsumed: number;
  readonly totalSpeechSyntheses: number;
  readonly totalSpeechRecognitions: number;
  /** Every UTC day that the range touches, ascending, including days without use. Days are counted in full. */
  readonly dailyBreakdown: readonly { readonly date: string; readonly prompts: number; readonly energy: number }[];
}

/** A Grid as its members see it. */
export interface NamedGrid {
  readonly gridId: string;
  readonly name: string;
  readonly subscriptionActive: boolean;
}

/**
 * Usage of the assistant as of the last projected event and of `nowMs`. Reservations count as used until they are
 * settled, refunded or expired; the summary only includes settled usage.
 */
export interface UsageQueries {
  limits(gridId: string): Promise<GridLimits>;
  /** Undefined if unknown, ended or expired. */
  session(instanceId: string, nowMs: number): Promise<ActiveSession | undefined>;
  activeSessions(gridId: string, nowMs: number): Promise<number>;
  /** As of `nowMs`. */
  energy(userId: string, nowMs: number): Promise<EnergyLevel>;
  promptsToday(userId: string, gridId: string, nowMs: number): Promise<PromptsToday>;
  /** Seconds used by the Grid in the current UTC month. */
  speechSecondsThisMonth(gridId: string, nowMs: number): Promise<number>;
  /** All users of the Grid. */
  usageSummary(gridId: string, fromMs: number, toMs: number): Promise<UsageSummary>;
  /** Grids of this caller, sorted by name. Memberships of the other kind belong to somebody else and are ignored. */
  gridsForMember(userId: string, kind: 'user' | 'application'): Promise<readonly NamedGrid[]>;
  /** For API keys, which are not members and belong to one Grid. Undefined if unknown. */
  namedGrid(gridId: string): Promise<NamedGrid | undefined>;
  /** Grids with expired sessions for which there is no event yet, ascending. */
  gridsWithExpiredSessions(nowMs: number): Promise<readonly string[]>;
}

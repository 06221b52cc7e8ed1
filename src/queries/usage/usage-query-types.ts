import type { EnergyLevel } from '../../accounting/prompt-energy.js';
import type { GridLimits } from '../../accounting/usage-limits.js';
import type { AssistantSessionDocument } from '../../read-models/documents/assistant-usage-documents.js';

/** An assistant instance that is in use. */
export type ActiveSession = AssistantSessionDocument;

/** Prompts of one user in one Grid on the UTC day of the question. */
export interface PromptsToday {
  readonly used: number;
  /** When the newest of them was sent, or of an earlier day where today has none, ms since 1970; absent before the first ever. */
  readonly lastUsedAt?: number;
}

/** What is settled, on the day of its reservation: figures of a day never fall. */
export interface UsageSummary {
  readonly totalPrompts: number;
  readonly totalEnergyConsumed: number;
  readonly totalSpeechSyntheses: number;
  readonly totalSpeechRecognitions: number;
  /** Every UTC day that the range touches, ascending, those without use too; whole days count. */
  readonly dailyBreakdown: readonly { readonly date: string; readonly prompts: number; readonly energy: number }[];
}

/** A Grid as those see it who may use it. */
export interface NamedGrid {
  readonly gridId: string;
  readonly name: string;
  readonly subscriptionActive: boolean;
}

/**
 * What the assistant was used for, as of the last projected event and of `nowMs`. Reservations count as used until they
 * are settled, refunded or lapse; the summary has only what is settled.
 */
export interface UsageQueries {
  limits(gridId: string): Promise<GridLimits>;
  /** Undefined: unknown, ended or expired. */
  session(instanceId: string, nowMs: number): Promise<ActiveSession | undefined>;
  activeSessions(gridId: string, nowMs: number): Promise<number>;
  /** As of `nowMs`. */
  energy(userId: string, nowMs: number): Promise<EnergyLevel>;
  promptsToday(userId: string, gridId: string, nowMs: number): Promise<PromptsToday>;
  /** Of the Grid in the UTC month of the question. */
  speechSecondsThisMonth(gridId: string, nowMs: number): Promise<number>;
  /** Of the whole Grid, all users. */
  usageSummary(gridId: string, fromMs: number, toMs: number): Promise<UsageSummary>;
  /** Grids of which the caller is a member, by name; a membership of the other kind is somebody else's. */
  gridsForMember(userId: string, kind: 'user' | 'application'): Promise<readonly NamedGrid[]>;
  /** For API keys, which are no members and have one Grid. Undefined for an unknown one. */
  namedGrid(gridId: string): Promise<NamedGrid | undefined>;
  /** Grids with sessions that have expired and no event says so, ascending. */
  gridsWithExpiredSessions(nowMs: number): Promise<readonly string[]>;
}

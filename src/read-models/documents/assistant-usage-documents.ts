import type { GridLimits } from '../../accounting/usage-limits.js';
import type { PromptAccount } from '../../accounting/prompt-account.js';
import type { SpeechAccount } from '../../accounting/speech-account.js';
import type { Collection } from '../read-model-store.js';

/** Limits that were ever changed; a Grid without the document has the default limits. */
export interface GridLimitsDocument extends GridLimits {
  readonly gridId: string;
}

/** An assistant session, until an event ends it: one past `expiresAt` has expired and is kept until then. */
export interface AssistantSessionDocument {
  readonly instanceId: string;
  readonly gridId: string;
  readonly userId: string;
  /** All times in ms since 1970. */
  readonly startedAt: number;
  readonly lastUsedAt: number;
  readonly expiresAt: number;
}

/** Prompts and energy of a user over all Grids. Expired entries are removed with the user's next prompt. */
export interface PromptUsageDocument extends PromptAccount {
  readonly userId: string;
  /** When the newest answered prompt was sent, by Grid, ms since 1970. */
  readonly lastPromptAt: Readonly<Record<string, number>>;
}

/** Audio use of a Grid in the newest month with any. */
export interface SpeechUsageDocument extends SpeechAccount {
  readonly gridId: string;
}

/** Settled assistant use of one Grid on one UTC day. */
export interface UsageDayDocument {
  readonly gridId: string;
  /** UTC day of the reservation, such as `2026-11-20`. */
  readonly day: string;
  readonly prompts: number;
  readonly energy: number;
  readonly syntheses: number;
  readonly recognitions: number;
}

/** Limits and speech by Grid, sessions by instance, prompts by user, days by `usageDayId`. */
export interface UsageCollections {
  readonly limits: Collection<GridLimitsDocument>;
  readonly sessions: Collection<AssistantSessionDocument>;
  readonly prompts: Collection<PromptUsageDocument>;
  readonly speech: Collection<SpeechUsageDocument>;
  readonly days: Collection<UsageDayDocument>;
}

/** Name of the projection that writes these collections, and its version in this release. */
export const USAGE_PROJECTION = 'usage';
export const USAGE_VERSION = 1;

export function usageDayId(gridId: string, day: string): string {
  return `${gridId}/${day}`;
}

export function usageCollections(version: number): UsageCollections {
  return {
    limits: { name: `assistant-limits.v${version}`, indexes: [] },
    sessions: { name: `assistant-sessions.v${version}`, indexes: [['gridId', 'expiresAt'], ['expiresAt']] },
    prompts: { name: `assistant-prompts.v${version}`, indexes: [] },
    speech: { name: `assistant-speech.v${version}`, indexes: [] },
    days: { name: `assistant-days.v${version}`, indexes: [['gridId', 'day']] },
  };
}

/** What the assistant may be used for in a Grid (contract §5). */
export interface GridLimits {
  /** A user's prompts a UTC day; 0 switches the assistant off. */
  readonly dailyPromptLimit: number;
  /** Minutes of synthesised and recognised audio a UTC month. */
  readonly monthlySpeechMinutes: number;
  readonly maxConcurrentSessions: number;
}

/** Of a new Grid. */
export const INITIAL_LIMITS: GridLimits = { dailyPromptLimit: 100, monthlySpeechMinutes: 60, maxConcurrentSessions: 10 };

/** Each limit is a whole number from 0 to this. */
export const HIGHEST_LIMIT = 1_000_000;

/** A session that is not used ends by itself. */
export const SESSION_IDLE_MS = 30 * 60_000;

/** What is reserved and not settled comes back: a crash must not hold it. */
export const RESERVATION_MS = 2 * 60_000;

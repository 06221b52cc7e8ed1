/** Severity levels of a log record as the API names them, ascending. */
export const SEVERITY_LEVELS = ['Trace', 'Debug', 'Information', 'Warning', 'Error', 'Fatal'] as const;

export type SeverityLevel = (typeof SEVERITY_LEVELS)[number];

/** SEVERITY_NUMBER_INFO: the severity assumed for a record without a usable one. */
export const DEFAULT_SEVERITY = 9;

const NUMBERS_PER_LEVEL = 4;

/** Returns the number itself if it is in 1–24, else 9 (Information). */
export function normalizeSeverity(severityNumber: number): number {
  return severityNumber >= 1 && severityNumber <= 24 ? severityNumber : DEFAULT_SEVERITY;
}

/** 1–4 Trace, 5–8 Debug, 9–12 Information, 13–16 Warning, 17–20 Error, 21–24 Fatal; anything else Information. */
export function severityLevel(severityNumber: number): SeverityLevel {
  return SEVERITY_LEVELS[severityIndex(severityNumber)] ?? 'Information';
}

/** Index of the level in SEVERITY_LEVELS. */
export function severityIndex(severityNumber: number): number {
  return Math.ceil(normalizeSeverity(severityNumber) / NUMBERS_PER_LEVEL) - 1;
}

/** First and last severity number of a level, both inclusive. */
export function severityRange(level: SeverityLevel): { readonly first: number; readonly last: number } {
  const last = (SEVERITY_LEVELS.indexOf(level) + 1) * NUMBERS_PER_LEVEL;
  return { first: last - NUMBERS_PER_LEVEL + 1, last };
}

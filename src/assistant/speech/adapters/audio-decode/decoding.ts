/** What the process that decodes, and the one that asks it to, both know. */

export const SAMPLE_RATE = 16_000;
export const MOST_SECONDS = 600;

/** Exit codes beside 0. */
export const DAMAGED = 65;
export const TOO_LONG = 66;

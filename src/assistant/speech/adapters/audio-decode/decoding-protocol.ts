/** Constants shared by the decoding process and its parent. */

export const DECODED_SAMPLE_RATE = 16_000;
export const MAX_RECORDING_SECONDS = 600;

/** Exit codes beside 0. */
export const EXIT_DAMAGED = 65;
export const EXIT_TOO_LONG = 66;

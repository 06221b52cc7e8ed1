/** How far apart (ms of log time) a span and its child may arrive. */
export const REACH_MS = 10 * 60_000;

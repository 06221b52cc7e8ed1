import { Problem } from '../problems/problem.js';
import type { RateLimits } from '../rate-limits.js';
import type { Admitted } from './membership.js';

/** 429 once the caller's or the Grid's calls of this minute are used up. */
export async function spendCall(limits: RateLimits, { principal, grid }: Admitted): Promise<void> {
  const waitMs = await limits.spend(`${principal.kind} ${principal.id}`, grid?.gridId);
  if (waitMs === 0) return;
  // A client's timer may fire a millisecond early; the second that this can add keeps the promise that waiting helps.
  const seconds = Math.ceil((waitMs + 1) / 1000);
  throw new Problem('rate-limited', `Too many calls. The next one is welcome in ${seconds} s.`, { headers: { 'Retry-After': String(seconds) } });
}

import type { SharesLook } from '../offline/shares.js';
import { ranges } from '../offline/told-of-keepers.js';
import { parkedEvents, type Finding } from './doctor.js';

/** What moves from a dead process to another is caught up by then. */
const LONGEST_WAIT_MS = 30_000;

/** What an operator should know of the shares: who keeps them, and how far behind they are. */
export function sharesFindings(look: SharesLook): readonly Finding[] {
  return [...seatsFindings(look), lagFinding(look), ...parkedEvents(look.parked)];
}

function seatsFindings({ count, seats }: SharesLook): Finding[] {
  const check = 'shares';
  if (seats === undefined) return [{ check, ok: true, detail: `${count}, all kept by the one process with the role project: without NATS_URL there may be no second one` }];
  if ('unknown' in seats) return [{ check, ok: false, detail: `nobody can tell who keeps them: ${seats.unknown}`, remedy: 'bring NATS back: without leases nobody keeps read models' }];
  if (seats.keepers.length === 0) return [{ check, ok: false, detail: `nobody keeps any of the ${count} shares`, remedy: 'start a process with the role project' }];
  if (seats.count !== count) return [{ check, ok: false, detail: `the running processes divide the Grids into ${seats.count} shares, PROJECTOR_SHARES here is ${count}`, remedy: 'set the same number everywhere' }];
  const living = seats.keepers.filter(({ isAlive }) => isAlive);
  const detail = `${count}: ${living.map(({ name, shares }) => `${ranges(shares)} with ${name}`).join('; ') || 'none with anybody who is alive'}`;
  const remedy = 'others take over within 8 s: look again; when that stays so, start a process with the role project';
  const dead = seats.keepers.filter(({ isAlive }) => !isAlive).map(({ name, shares }): Finding => ({ check, ok: false, detail: `${name} gives no sign of life and has ${ranges(shares)}`, remedy }));
  const free: Finding[] = seats.free.length === 0 ? [] : [{ check, ok: false, detail: `nobody keeps ${ranges(seats.free)}`, remedy }];
  return [{ check, ok: living.length > 0, detail, ...(living.length > 0 ? {} : { remedy }) }, ...dead, ...free];
}

function lagFinding({ lags }: SharesLook): Finding {
  const check = 'read models';
  const late = lags.filter(({ waitingMs }) => waitingMs > LONGEST_WAIT_MS);
  if (late.length === 0) {
    const longest = Math.max(0, ...lags.map(({ waitingMs }) => waitingMs));
    return { check, ok: true, detail: longest === 0 ? 'have all that the log has' : `follow the log: the oldest event they lack came ${seconds(longest)} ago` };
  }
  const detail = late.map(({ projection, waitingMs }) => `${projection} lacks what came ${seconds(waitingMs)} ago`).join('; ');
  return { check, ok: false, detail, remedy: 'read the log of the process that keeps them; `hindsight doctor` there tells how it is' };
}

function seconds(ms: number): string {
  return ms < 120_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}

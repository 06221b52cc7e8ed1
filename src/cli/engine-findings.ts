import { EMBEDDED, type Settings } from '../config/settings.js';
import { type Finding, toDeadLetterFindings } from './doctor-checks.js';
import type { ShardDiagnostics } from '../runtime/offline/shard-diagnostics.js';
import { formatRanges } from '../operations/shard-owner-descriptions.js';

/** The engines that are not in the data folder, and how what they hold is kept. Loads what it looks at, and nothing where there is nothing. */
export async function checkEngines(settings: Settings): Promise<readonly Finding[]> {
  const { diagnoseEngines } = await import('../runtime/engines/engine-diagnostics.js');
  const engines = await diagnoseEngines(settings);
  const findings = engines.map(({ check, ok, detail, remedy }): Finding => ({
    check,
    ok,
    detail,
    ...(remedy === undefined ? {} : { remedy }),
  }));
  const cannotBeRead = engines.some(({ check, isAway }) => isAway === true && check !== 'NATS');
  return settings.readStoreUrl === EMBEDDED || cannotBeRead
    ? findings
    : [...findings, ...(await checkShards(settings))];
}

async function checkShards(settings: Settings): Promise<readonly Finding[]> {
  try {
    const { diagnoseShards } = await import('../runtime/offline/shard-diagnostics.js');
    const look = await diagnoseShards(settings);
    return look === undefined ? [] : toShardFindings(look);
  } catch (error) {
    return [
      {
        check: 'shares',
        ok: false,
        detail: (error as Error).message,
        remedy: 'mend what the lines above name, then look again',
      },
    ];
  }
}

/** What moves from a dead process to another is caught up by then. */
const MAX_LAG_MS = 30_000;

/** What an operator should know of the shares: who keeps them, and how far behind they are. */
export function toShardFindings(look: ShardDiagnostics): readonly Finding[] {
  return [...toOwnershipFindings(look), toLagFinding(look), ...toDeadLetterFindings(look.parked)];
}

function toOwnershipFindings({ count, seats }: ShardDiagnostics): Finding[] {
  const check = 'shares';
  if (seats === undefined)
    return [
      {
        check,
        ok: true,
        detail: `${count}, all kept by the one process with the role project: without NATS_URL there may be no second one`,
      },
    ];
  if ('unknown' in seats)
    return [
      {
        check,
        ok: false,
        detail: `nobody can tell who keeps them: ${seats.unknown}`,
        remedy: 'bring NATS back: without leases nobody keeps read models',
      },
    ];
  if (seats.keepers.length === 0)
    return [
      {
        check,
        ok: false,
        detail: `nobody keeps any of the ${count} shares`,
        remedy: 'start a process with the role project',
      },
    ];
  if (seats.count !== count)
    return [
      {
        check,
        ok: false,
        detail: `the running processes divide the Grids into ${seats.count} shares, PROJECTOR_SHARES here is ${count}`,
        remedy: 'set the same number everywhere',
      },
    ];
  const living = seats.keepers.filter(({ isAlive }) => isAlive);
  const detail = `${count}: ${living.map(({ name, shares }) => `${formatRanges(shares)} with ${name}`).join('; ') || 'none with anybody who is alive'}`;
  const remedy = 'others take over within 8 s: look again; when that stays so, start a process with the role project';
  const dead = seats.keepers
    .filter(({ isAlive }) => !isAlive)
    .map(({ name, shares }): Finding => ({
      check,
      ok: false,
      detail: `${name} gives no sign of life and has ${formatRanges(shares)}`,
      remedy,
    }));
  const free: Finding[] =
    seats.free.length === 0 ? [] : [{ check, ok: false, detail: `nobody keeps ${formatRanges(seats.free)}`, remedy }];
  return [{ check, ok: living.length > 0, detail, ...(living.length > 0 ? {} : { remedy }) }, ...dead, ...free];
}

function toLagFinding({ lags }: ShardDiagnostics): Finding {
  const check = 'read models';
  const late = lags.filter(({ waitingMs }) => waitingMs > MAX_LAG_MS);
  if (late.length === 0) {
    const longest = Math.max(0, ...lags.map(({ waitingMs }) => waitingMs));
    return {
      check,
      ok: true,
      detail:
        longest === 0
          ? 'have all that the log has'
          : `follow the log: the oldest event they lack came ${formatSeconds(longest)} ago`,
    };
  }
  const detail = late
    .map(({ projection, waitingMs }) => `${projection} lacks what came ${formatSeconds(waitingMs)} ago`)
    .join('; ');
  return {
    check,
    ok: false,
    detail,
    remedy: 'read the log of the process that keeps them; `hindsight doctor` there tells how it is',
  };
}

function formatSeconds(ms: number): string {
  return ms < 120_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}

import { EMBEDDED, type Settings } from '../config/settings.js';
import { toDeadLetterFindings } from './doctor-checks.js';
import type { Finding } from './finding.js';
import { toRecordFindings } from './record-findings.js';
import type { ShardDiagnostics } from '../runtime/offline/shard-diagnostics.js';
import { formatRanges } from '../operations/shard-owner-descriptions.js';

/** Checks the external engines and the shards on them. Loads only the code for engines that are in use. */
export async function checkEngines(settings: Settings): Promise<readonly Finding[]> {
  const { diagnoseEngines } = await import('../runtime/engines/engine-diagnostics.js');
  const engines = await diagnoseEngines(settings);
  const findings = engines.map(({ check, ok, detail, remedy }): Finding => ({
    check,
    ok,
    detail,
    ...(remedy === undefined ? {} : { remedy }),
  }));
  const isUnreachable = engines.some((engine) => engine.isUnreachable === true && engine.check !== 'NATS');
  return settings.readStoreUrl === EMBEDDED || isUnreachable
    ? findings
    : [...findings, ...(await checkShards(settings))];
}

async function checkShards(settings: Settings): Promise<readonly Finding[]> {
  try {
    const { diagnoseShards } = await import('../runtime/offline/shard-diagnostics.js');
    const diagnostics = await diagnoseShards(settings);
    return diagnostics === undefined ? [] : toShardFindings(diagnostics);
  } catch (error) {
    return [
      {
        check: 'shards',
        ok: false,
        detail: (error as Error).message,
        remedy: 'fix the faults above, then run doctor again',
      },
    ];
  }
}

/** Lag (ms) that is reported: shards of a dead process have been taken over and caught up by then. */
const MAX_LAG_MS = 30_000;

/** Findings on shard owners, projection lag and dead letters. */
export function toShardFindings(diagnostics: ShardDiagnostics): readonly Finding[] {
  return [
    ...toOwnershipFindings(diagnostics),
    toLagFinding(diagnostics),
    ...toDeadLetterFindings(diagnostics.deadLetters),
    ...toRecordFindings(diagnostics.records),
  ];
}

function toOwnershipFindings({ count, ownership }: ShardDiagnostics): Finding[] {
  const check = 'shards';
  if (ownership === undefined)
    return [
      {
        check,
        ok: true,
        detail: `${count}, all owned by the only process with the role project; a second one requires NATS_URL`,
      },
    ];
  if ('unknown' in ownership)
    return [
      {
        check,
        ok: false,
        detail: `cannot read the shard owners: ${ownership.unknown}`,
        remedy: 'restore NATS: without leases no process updates read models',
      },
    ];
  if (ownership.owners.length === 0)
    return [
      {
        check,
        ok: false,
        detail: `none of the ${count} shards has an owner`,
        remedy: 'start a process with the role project',
      },
    ];
  if (ownership.count !== count)
    return [
      {
        check,
        ok: false,
        detail: `the running processes use ${ownership.count} shards, but PROJECTOR_SHARES here is ${count}`,
        remedy: 'set the same number in every process',
      },
    ];
  const living = ownership.owners.filter(({ isAlive }) => isAlive);
  const detail = `${count}: ${living.map(({ name, shards }) => `${formatRanges(shards)} on ${name}`).join('; ') || 'no shard has an active owner'}`;
  const remedy = 'other processes take over within 8 s; if the fault persists, start a process with the role project';
  const dead = ownership.owners
    .filter(({ isAlive }) => !isAlive)
    .map(({ name, shards }): Finding => ({
      check,
      ok: false,
      detail: `${name} does not respond and owns ${formatRanges(shards)}`,
      remedy,
    }));
  const free: Finding[] =
    ownership.free.length === 0
      ? []
      : [{ check, ok: false, detail: `${formatRanges(ownership.free)} have no owner`, remedy }];
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
          ? 'up to date with the event log'
          : `following the event log; the oldest unprojected event is ${formatSeconds(longest)} old`,
    };
  }
  const detail = late
    .map(({ projection, waitingMs }) => `${projection} is ${formatSeconds(waitingMs)} behind`)
    .join('; ');
  return {
    check,
    ok: false,
    detail,
    remedy: 'read the log of the process that owns them, and run `hindsight doctor` there',
  };
}

function formatSeconds(ms: number): string {
  return ms < 120_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}

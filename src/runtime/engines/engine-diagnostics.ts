import { areReadModelsEmbedded, isLogEmbedded, type EngineSettings } from './engine-settings.js';

/** Result of one check; `remedy` says how to fix a fault. */
export interface EngineFinding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly remedy?: string;
  /** The engine is unreachable: the data on it cannot be checked either. */
  readonly isUnreachable?: true;
}

type EngineCheck = (check: string) => Promise<EngineFinding[]>;

/** Oldest supported versions: major, minor. */
const MIN_VERSIONS = { log: [22, 6], nats: [2, 9] } as const;

/**
 * Clock difference (ms) that is reported. Deduplication works within 15 minutes of log time and accepts timestamps up
 * to 10 minutes ahead: a few seconds do no harm.
 */
const MAX_CLOCK_DIFFERENCE_MS = 5_000;

/**
 * Checks every engine that is not embedded. Changes nothing except a collection that it creates and removes. Findings
 * contain no credentials.
 */
export async function diagnoseEngines(settings: EngineSettings): Promise<EngineFinding[]> {
  const { eventStoreUrl, readStoreUrl, natsUrl } = settings;
  const checks: [string, EngineCheck][] = [];
  if (!isLogEmbedded(settings)) checks.push(['EventStoreDB', (check) => checkEventLog(check, eventStoreUrl)]);
  if (!areReadModelsEmbedded(settings)) checks.push(['MongoDB', (check) => checkReadModels(check, readStoreUrl)]);
  if (natsUrl !== undefined) checks.push(['NATS', (check) => checkNats(check, natsUrl)]);
  const findings = await Promise.all(
    checks.map(([check, runCheck]) =>
      runCheck(check).catch((error: unknown) => [toUnreachableFinding(check, error as Error)]),
    ),
  );
  return findings.flat();
}

function toUnreachableFinding(check: string, { message: detail }: Error): EngineFinding {
  return {
    check,
    ok: false,
    isUnreachable: true,
    detail,
    remedy: `check that the server runs, and that this machine and user can reach it; its address is ${SETTING_BY_ENGINE[check]}`,
  };
}

const SETTING_BY_ENGINE: Readonly<Record<string, string>> = {
  EventStoreDB: 'EVENT_STORE_URL',
  MongoDB: 'READ_STORE_URL',
  NATS: 'NATS_URL',
};

async function checkEventLog(check: string, url: string): Promise<EngineFinding[]> {
  const { diagnoseEventStoreDb } = await import('../../streams/adapters/eventstoredb/eventstoredb-diagnostics.js');
  const { version, clockAheadMs, readError, unscavengedFrom } = await diagnoseEventStoreDb(url);
  const isSupported = version !== undefined && isAtLeast(version, MIN_VERSIONS.log);
  return [
    {
      check,
      ok: isSupported,
      detail: `version ${version ?? 'unknown'}`,
      ...(isSupported ? {} : { remedy: 'install EventStoreDB 22.6 or newer, or KurrentDB' }),
    },
    readError === undefined
      ? { check: `${check}, reading`, ok: true, detail: 'the whole log can be read' }
      : {
          check: `${check}, reading`,
          ok: false,
          detail: readError,
          remedy: 'grant the user of EVENT_STORE_URL read access to $all',
        },
    ...describeUnscavenged(`${check}, disk space`, unscavengedFrom),
    ...checkClock(check, clockAheadMs),
  ];
}

/** Never a fault: when the last scavenge ran is not known, and a stream that ended long ago is cut as a whole. */
function describeUnscavenged(check: string, from: number | undefined): EngineFinding[] {
  if (from === undefined) return [];
  const day = new Date(from).toISOString().slice(0, 10);
  const detail = `expired telemetry, from ${day} on, still takes up disk space: scavenge each node once a week (docs/deploying.md)`;
  return [{ check, ok: true, detail }];
}

async function checkReadModels(check: string, url: string): Promise<EngineFinding[]> {
  const { inspectMongoServer } = await import('../../read-models/adapters/mongodb/mongo-server-check.js');
  const { version, replicaSet, hasTransactions, clockAheadMs, unwritable } = await inspectMongoServer(url);
  const detail = `version ${version}, ${replicaSet === undefined ? (hasTransactions ? 'a sharded cluster' : 'a standalone server') : `replica set ${replicaSet}`}`;
  const remedy =
    'convert it to a replica set, at least of one member: a standalone server has no transactions and supports only one writing process';
  return [
    { check, ok: hasTransactions, detail, ...(hasTransactions ? {} : { remedy }) },
    unwritable === undefined
      ? { check: `${check}, writing`, ok: true, detail: 'collections can be created, written and removed' }
      : {
          check: `${check}, writing`,
          ok: false,
          detail: unwritable,
          remedy: 'grant the user of READ_STORE_URL the role readWrite on the database',
        },
    ...checkClock(check, clockAheadMs),
  ];
}

async function checkNats(check: string, url: string): Promise<EngineFinding[]> {
  const { diagnoseNats } = await import('../../streams/live/nats/nats-diagnostics.js');
  const { version, servers, roundTripMs, jetStreamError } = await diagnoseNats(url);
  const isSupported = isAtLeast(version, MIN_VERSIONS.nats);
  const serverCount = servers === 1 ? '' : `, ${servers} servers`;
  return [
    {
      check,
      ok: isSupported,
      detail: `version ${version}${serverCount}, answers in ${roundTripMs} ms`,
      ...(isSupported ? {} : { remedy: 'install NATS 2.9 or newer' }),
    },
    jetStreamError === undefined
      ? { check: `${check}, JetStream`, ok: true, detail: 'stores the leases' }
      : {
          check: `${check}, JetStream`,
          ok: false,
          detail: jetStreamError,
          remedy: 'start nats-server with -js and storage on disk, and enable JetStream for this account',
        },
  ];
}

function checkClock(check: string, aheadMs: number | undefined): EngineFinding[] {
  if (aheadMs === undefined) return [];
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1);
  if (Math.abs(aheadMs) <= MAX_CLOCK_DIFFERENCE_MS) return [{ check: `${check}, clock`, ok: true, detail: 'in sync' }];
  const detail = `${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine`;
  return [
    {
      check: `${check}, clock`,
      ok: false,
      detail,
      remedy: 'run NTP on every machine: retention and deduplication depend on log times',
    },
  ];
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [has, and] = version.split('.').map(Number);
  return has > major || (has === major && and >= minor);
}

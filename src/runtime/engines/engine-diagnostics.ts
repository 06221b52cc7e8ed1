import { areReadModelsEmbedded, isLogEmbedded, type EngineSettings } from './engine-settings.js';

/** What a look at an engine found; `remedy` says what to do about a fault. */
export interface EngineFinding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly remedy?: string;
  /** Nothing answered: what is kept there cannot be looked at either. */
  readonly isAway?: true;
}

type EngineCheck = (check: string) => Promise<EngineFinding[]>;

/** The oldest versions that have what is asked of them: major, minor. */
const MIN_VERSIONS = { log: [22, 6], nats: [2, 9] } as const;

/** Requests are recognised as repeated within 15 minutes of the log's time, and senders' clocks are believed up to 10 minutes ahead: seconds are no harm yet. */
const MAX_CLOCK_DIFFERENCE_MS = 5_000;

/** Looks at every engine that is no embedded one. Changes nothing but a collection that it makes and removes. No finding shows credentials. */
export async function diagnoseEngines(settings: EngineSettings): Promise<EngineFinding[]> {
  const { eventStoreUrl, readStoreUrl, natsUrl } = settings;
  const looks: [string, EngineCheck][] = [];
  if (!isLogEmbedded(settings)) looks.push(['EventStoreDB', (check) => checkEventLog(check, eventStoreUrl)]);
  if (!areReadModelsEmbedded(settings)) looks.push(['MongoDB', (check) => checkReadModels(check, readStoreUrl)]);
  if (natsUrl !== undefined) looks.push(['NATS', (check) => checkNats(check, natsUrl)]);
  const findings = await Promise.all(
    looks.map(([check, look]) => look(check).catch((error: unknown) => [toUnreachableFinding(check, error as Error)])),
  );
  return findings.flat();
}

function toUnreachableFinding(check: string, { message: detail }: Error): EngineFinding {
  return {
    check,
    ok: false,
    isAway: true,
    detail,
    remedy: `is the server up, and reached from this machine as this user? The address is in ${SETTING_BY_ENGINE[check]}`,
  };
}

const SETTING_BY_ENGINE: Readonly<Record<string, string>> = {
  EventStoreDB: 'EVENT_STORE_URL',
  MongoDB: 'READ_STORE_URL',
  NATS: 'NATS_URL',
};

async function checkEventLog(check: string, url: string): Promise<EngineFinding[]> {
  const { diagnoseEventStoreDb } = await import('../../streams/adapters/eventstoredb/eventstoredb-diagnostics.js');
  const { version, clockAheadMs, unreadable } = await diagnoseEventStoreDb(url);
  const isNew = version !== undefined && isAtLeast(version, MIN_VERSIONS.log);
  return [
    {
      check,
      ok: isNew,
      detail: `version ${version ?? 'unknown'}`,
      ...(isNew ? {} : { remedy: 'EventStoreDB 22.6 or newer, or KurrentDB, is needed' }),
    },
    unreadable === undefined
      ? { check: `${check}, reading`, ok: true, detail: 'the whole log can be read' }
      : {
          check: `${check}, reading`,
          ok: false,
          detail: unreadable,
          remedy: 'give the user of EVENT_STORE_URL the right to read $all',
        },
    ...checkClock(check, clockAheadMs),
  ];
}

async function checkReadModels(check: string, url: string): Promise<EngineFinding[]> {
  const { inspectMongoServer } = await import('../../read-models/adapters/mongodb/mongo-server-check.js');
  const { version, replicaSet, hasTransactions, clockAheadMs, unwritable } = await inspectMongoServer(url);
  const detail = `version ${version}, ${replicaSet === undefined ? (hasTransactions ? 'a sharded cluster' : 'a standalone server') : `replica set ${replicaSet}`}`;
  const remedy =
    'make it a replica set, of one member at least: a standalone server has no transactions, so that one process alone may write to it';
  return [
    { check, ok: hasTransactions, detail, ...(hasTransactions ? {} : { remedy }) },
    unwritable === undefined
      ? { check: `${check}, writing`, ok: true, detail: 'collections can be made, written and removed' }
      : {
          check: `${check}, writing`,
          ok: false,
          detail: unwritable,
          remedy: 'give the user of READ_STORE_URL the role readWrite on the database',
        },
    ...checkClock(check, clockAheadMs),
  ];
}

async function checkNats(check: string, url: string): Promise<EngineFinding[]> {
  const { diagnoseNats } = await import('../../streams/live/nats/nats-diagnostics.js');
  const { version, servers, roundTripMs, withoutJetStream } = await diagnoseNats(url);
  const isNew = isAtLeast(version, MIN_VERSIONS.nats);
  const many = servers === 1 ? '' : `, ${servers} servers`;
  return [
    {
      check,
      ok: isNew,
      detail: `version ${version}${many}, answers in ${roundTripMs} ms`,
      ...(isNew ? {} : { remedy: 'NATS 2.9 or newer is needed' }),
    },
    withoutJetStream === undefined
      ? { check: `${check}, JetStream`, ok: true, detail: 'keeps the leases' }
      : {
          check: `${check}, JetStream`,
          ok: false,
          detail: withoutJetStream,
          remedy: 'start nats-server with -js and a store on disk, and allow JetStream to this account',
        },
  ];
}

function checkClock(check: string, aheadMs: number | undefined): EngineFinding[] {
  if (aheadMs === undefined) return [];
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1);
  if (Math.abs(aheadMs) <= MAX_CLOCK_DIFFERENCE_MS) return [{ check: `${check}, clock`, ok: true, detail: 'as here' }];
  const detail = `${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine`;
  return [
    {
      check: `${check}, clock`,
      ok: false,
      detail,
      remedy: 'run NTP on every machine: times of the log decide on retention and on repeated requests',
    },
  ];
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [has, and] = version.split('.').map(Number);
  return has > major || (has === major && and >= minor);
}

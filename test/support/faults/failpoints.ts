/**
 * Preloaded into every thread of a service under test (`NODE_OPTIONS=--import`): decorates one method of one class so
 * that the process kills itself at its n-th call. The program itself contains no failpoints.
 * FAILPOINT: `<name>@<n>`. CLOCK_AHEAD_MS: offset of the clock of the service.
 */
import { pathToFileURL } from 'node:url';

type Method = (...args: unknown[]) => unknown;

export interface Failpoint {
  /** Module below src, without extension, and an exported class. */
  readonly at: readonly [module: string, className: string];
  readonly method: string;
  readonly moment: 'before' | 'after';
  /** The kill happens at one of this many first calls. */
  readonly within: number;
  /** Workload that reaches the failpoint. */
  readonly under: 'load' | 'replay' | 'retention' | 'truncation';
}

const LOG = 'streams/adapters/sqlite';
const READ_MODELS = 'read-models/adapters/sqlite';

export const FAILPOINTS = {
  'in the middle of a group': {
    at: [`${LOG}/event-appender`, 'EventAppender'],
    method: 'append',
    moment: 'after',
    within: 60,
    under: 'load',
  },
  'before a group is committed': {
    at: [`${LOG}/event-log-writer`, 'EventLogWriter'],
    method: 'commit',
    moment: 'before',
    within: 30,
    under: 'load',
  },
  'after a group is committed, before anybody is answered': {
    at: [`${LOG}/event-log-writer`, 'EventLogWriter'],
    method: 'commit',
    moment: 'after',
    within: 30,
    under: 'load',
  },
  'after a request is answered, before it is announced': {
    at: ['streams/live/in-process-feed', 'InProcessFeed'],
    method: 'announce',
    moment: 'before',
    within: 40,
    under: 'load',
  },
  'when the WAL is looked after': {
    at: [`${LOG}/wal-checkpointer`, 'WalCheckpointer'],
    method: 'afterCommit',
    moment: 'before',
    within: 30,
    under: 'load',
  },
  'between a pass of the checkpointer and the new start of the WAL': {
    at: [`${LOG}/wal-checkpointer`, 'WalCheckpointer'],
    method: 'afterPass',
    moment: 'before',
    within: 1,
    under: 'load',
  },
  'while the projector reads the log': {
    at: [`${LOG}/event-log-reader`, 'EventLogReader'],
    method: 'readAll',
    moment: 'after',
    within: 40,
    under: 'load',
  },
  'after an event was read, before it is made the newest version': {
    at: [`${LOG}/event-log-reader`, 'EventLogReader'],
    method: 'upcast',
    moment: 'before',
    within: 60,
    under: 'load',
  },
  'before a projection commits': {
    at: [`${READ_MODELS}/read-model-store`, 'SqliteReadModelStore'],
    method: 'commit',
    moment: 'before',
    within: 30,
    under: 'load',
  },
  'in the middle of a commit of a projection': {
    at: [`${READ_MODELS}/read-model-store`, 'SqliteReadModelStore'],
    method: 'apply',
    moment: 'after',
    within: 120,
    under: 'load',
  },
  'after a projection has committed': {
    at: [`${READ_MODELS}/read-model-store`, 'SqliteReadModelStore'],
    method: 'commit',
    moment: 'after',
    within: 30,
    under: 'load',
  },
  'before the backlog records progress': {
    at: ['http/otlp/ingest-backlog', 'IngestBacklog'],
    method: 'recordProjected',
    moment: 'before',
    within: 20,
    under: 'load',
  },
  'while a rebuild follows': {
    at: ['projections/engine/projection-rebuild', 'Rebuild'],
    method: 'catchUp',
    moment: 'after',
    within: 1,
    under: 'replay',
  },
  'before a rebuild is swapped in': {
    at: ['projections/engine/projection-rebuild', 'Rebuild'],
    method: 'swap',
    moment: 'before',
    within: 1,
    under: 'replay',
  },
  'while a rebuild is swapped in': {
    at: ['projections/engine/projection-rebuild', 'Rebuild'],
    method: 'swap',
    moment: 'after',
    within: 1,
    under: 'replay',
  },
  'before retention marks what has expired': {
    at: ['policies/retention-policy', 'RetentionPolicy'],
    method: 'appendWatermark',
    moment: 'before',
    within: 1,
    under: 'retention',
  },
  'after retention has marked what has expired': {
    at: ['policies/retention-policy', 'RetentionPolicy'],
    method: 'truncate',
    moment: 'before',
    within: 1,
    under: 'retention',
  },
  'between two slices of a truncation': {
    at: [`${LOG}/event-log-writer`, 'EventLogWriter'],
    method: 'transaction',
    moment: 'after',
    within: 2,
    under: 'truncation',
  },
} as const satisfies Readonly<Record<string, Failpoint>>;

export type FailpointName = keyof typeof FAILPOINTS;

const SRC = new URL('../../../src/', import.meta.url).href;

/** Environment of a process with a clock offset. */
export const PRELOADED = { NODE_OPTIONS: `--import ${pathToFileURL(import.meta.filename).href}` };

/** Environment of a process with a failpoint. */
export function environmentAt(name: FailpointName, call: number): Readonly<Record<string, string>> {
  return { ...PRELOADED, FAILPOINT: `${name}@${call}` };
}

const [wanted, call] = process.env.FAILPOINT?.split('@') ?? [];
if (wanted !== undefined) await plant(FAILPOINTS[wanted as FailpointName], Number(call));

const aheadMs = Number(process.env.CLOCK_AHEAD_MS ?? 0);
if (aheadMs > 0) {
  const now = Date.now;
  Date.now = () => now() + aheadMs;
}

async function plant({ at: [module, className], method, moment }: Failpoint, at: number): Promise<void> {
  const { [className]: target } = (await import(`${SRC}${module}.js`)) as Record<
    string,
    { prototype: Record<string, Method> }
  >;
  let left = at;
  const reached = (): void => {
    if (--left === 0) process.kill(process.pid, 'SIGKILL');
  };
  const decorate = (original: Method): Method =>
    function (this: unknown, ...args) {
      if (moment === 'before') reached();
      const answer = original.apply(this, args);
      if (moment === 'after' && answer instanceof Promise && method !== 'commit')
        return answer.then((value: unknown) => (reached(), value));
      if (moment === 'after') reached();
      return answer;
    };
  const original = target.prototype[method] as Method | undefined;
  if (original !== undefined) target.prototype[method] = decorate(original);
  else decorateGiven(target.prototype, method, decorate);
}

/** Decorates a function that is passed to the class and stored as a property of each instance. */
function decorateGiven(prototype: object, name: string, decorate: (original: Method) => Method): void {
  const decorated = Symbol(name);
  Object.defineProperty(prototype, name, {
    set(this: Record<symbol, Method>, given: Method) {
      this[decorated] = decorate(given);
    },
    get(this: Record<symbol, Method>) {
      return this[decorated];
    },
  });
}

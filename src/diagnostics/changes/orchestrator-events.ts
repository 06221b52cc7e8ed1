import type { Change } from '../diagnostic-results.js';
import { isNameless } from '../requests/request-attributes.js';
import { compareText } from '../text-order.js';
import { MINUTE_MS } from '../time-windows.js';

/** A record of an orchestrator about one of its objects, as an export of its events has it; "" for what it lacks. */
export interface OrchestratorEvent {
  /** ms since 1970. */
  readonly atMs: number;
  /** Reason of a Kubernetes event, such as `OOMKilling`; "deployment" for a record of a deployment tool. */
  readonly reason: string;
  /** Kind and name of the object, such as `Pod` and `payment-7d9f8b6c5-x2k4q`. */
  readonly objectKind: string;
  readonly objectName: string;
  /** `service.name`, or the workload that attributes name. */
  readonly serviceName: string;
  /** Version that was deployed, of records of deployment tools. */
  readonly version: string;
  readonly message: string;
}

/** A change without its impact. */
export type OrchestratorChange = Omit<Change, 'performanceImpact'>;

type Classified = Pick<OrchestratorChange, 'type'> & { readonly text: string };

/** Further events of the same type and service within this time are the same change. */
const REPETITION_MS = 10 * MINUTE_MS;

/** Time within which the other replica set of a rollout is scaled down. */
const ROLLOUT_MS = 30 * MINUTE_MS;

/** Reasons that can be changes; others, such as `Pulled` and `Started`, only tell the course of one. */
export const CHANGE_REASONS = [
  'ScalingReplicaSet',
  'SuccessfulRescale',
  'OOMKilling',
  'OOMKilled',
  'SystemOOM',
  'BackOff',
  'CrashLoopBackOff',
  'Unhealthy',
  'Killing',
  'Evicted',
  'Evicting',
  'Preempted',
  'Preempting',
  'NodeNotReady',
  'TaintManagerEviction',
] as const;

/**
 * Changes that orchestrator events report, by time ascending. Events of the same type and service within ten minutes
 * are one change, at the time of the first.
 */
export function toOrchestratorChanges(
  events: readonly OrchestratorEvent[],
  knownServices: ReadonlySet<string>,
): OrchestratorChange[] {
  const changes: OrchestratorChange[] = [];
  const last = new Map<string, { atMs: number; at: number; count: number; text: string }>();
  const ascending = [...events].sort((a, b) => a.atMs - b.atMs || compareText(a.message, b.message));
  const rollouts = findRollouts(ascending);
  for (const event of ascending) {
    const serviceName = resolveService(event, knownServices);
    const classified = classify(event, rollouts);
    if (classified === undefined || isNameless(serviceName)) continue;
    const key = `${classified.type} ${serviceName} ${event.version}`;
    const known = last.get(key);
    if (known !== undefined && event.atMs - known.atMs <= REPETITION_MS) {
      Object.assign(known, { atMs: event.atMs, count: known.count + 1 });
      changes[known.at] = { ...changes[known.at], description: describe(known.text, known.count) };
      continue;
    }
    last.set(key, { atMs: event.atMs, at: changes.length, count: 1, text: classified.text });
    changes.push({
      type: classified.type,
      serviceName,
      detectedAt: event.atMs,
      previousVersion: '',
      currentVersion: event.version,
      description: classified.text,
    });
  }
  return changes;
}

function describe(text: string, count: number): string {
  return `${text} (${count} events)`;
}

const MAX_TEXT = 200;

function classify(event: OrchestratorEvent, rollouts: ReadonlySet<OrchestratorEvent>): Classified | undefined {
  const { reason, message } = event;
  const text = shorten(message === '' ? reason : message);
  switch (reason) {
    case 'deployment':
      return { type: 'deployment', text };
    case 'ScalingReplicaSet':
      return rollouts.has(event) ? { type: 'deployment', text } : { type: 'scaling', text };
    case 'SuccessfulRescale':
      return { type: 'scaling', text };
    case 'OOMKilling':
    case 'OOMKilled':
    case 'SystemOOM':
      return { type: 'restart', text: `Out of memory: ${text}` };
    case 'BackOff':
    case 'CrashLoopBackOff':
      return /pulling image/i.test(message) ? undefined : { type: 'restart', text };
    case 'Killing':
      return /probe/i.test(message) ? { type: 'restart', text } : undefined;
    case 'Unhealthy':
      return { type: 'probe_failure', text };
    default:
      return { type: 'eviction', text };
  }
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_TEXT ? line : `${line.slice(0, MAX_TEXT)}…`;
}

/** `Scaled up replica set web-7d9f8b6c5 from 0 to 1`, in older versions without the part from `from`. */
const SCALED = /^Scaled (up|down) replica set (\S+)(?: from \d+)? to \d+/;

/**
 * The first event of each rollout: a replica set grows while another one of the same deployment shrinks. A replica set
 * that grows or shrinks alone is scaled.
 */
function findRollouts(events: readonly OrchestratorEvent[]): Set<OrchestratorEvent> {
  const scaled = events.flatMap((event) => {
    const [, direction, replicaSet] = (event.reason === 'ScalingReplicaSet' && SCALED.exec(event.message)) || [];
    return replicaSet === undefined
      ? []
      : [{ event, direction, replicaSet, owner: `${event.objectKind} ${event.objectName}` }];
  });
  const partOfRollout = scaled.filter(({ event, replicaSet, direction, owner }) =>
    scaled.some(
      (other) =>
        other.owner === owner &&
        other.replicaSet !== replicaSet &&
        other.direction !== direction &&
        Math.abs(other.event.atMs - event.atMs) <= ROLLOUT_MS,
    ),
  );
  return new Set(partOfRollout.map(({ event }) => event));
}

/** Suffixes of generated names: pod of a replica set, replica set, pod of a stateful or daemon set, job of a cron job. */
const GENERATED = [
  /-[bcdfghjklmnpqrstvwxz2456789]{6,10}-[bcdfghjklmnpqrstvwxz2456789]{5}$/,
  /-[bcdfghjklmnpqrstvwxz2456789]{8,10}$/,
  /-[bcdfghjklmnpqrstvwxz2456789]{5}$/,
  /-\d+$/,
];

/** The service that the event names, or the workload behind the name of its object. */
function resolveService(
  { serviceName, objectKind, objectName }: OrchestratorEvent,
  known: ReadonlySet<string>,
): string {
  if (!isNameless(serviceName)) return serviceName;
  if (known.has(objectName) || !/^(?:Pod|ReplicaSet|Job)$/.test(objectKind)) return objectName;
  const names = GENERATED.map((suffix) => objectName.replace(suffix, '')).filter((name) => name !== objectName);
  return names.find((name) => known.has(name)) ?? names.at(0) ?? objectName;
}

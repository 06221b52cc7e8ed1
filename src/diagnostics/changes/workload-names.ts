import { isNameless } from '../requests/request-attributes.js';
import type { OrchestratorEvent } from './orchestrator-event.js';

/**
 * Suffixes of generated names: pod of a job of a cron job (whose number is the time of the run), pod of a replica set,
 * replica set, pod of a daemon set or a job, pod of a stateful set or job of a cron job.
 */
const GENERATED = [
  /-\d{8,10}(?:-\d+)?-[bcdfghjklmnpqrstvwxz2456789]{5}$/,
  /-[bcdfghjklmnpqrstvwxz2456789]{6,10}-[bcdfghjklmnpqrstvwxz2456789]{5}$/,
  /-[bcdfghjklmnpqrstvwxz2456789]{8,10}$/,
  /-[bcdfghjklmnpqrstvwxz2456789]{5}$/,
  /-\d+$/,
];

/** The service that the event names, or the workload behind the name of its object; "" for nodes, which are none. */
export function resolveService(
  { serviceName, objectKind, objectName }: OrchestratorEvent,
  known: ReadonlySet<string>,
): string {
  if (!isNameless(serviceName)) return serviceName;
  if (objectKind === 'Node') return '';
  if (known.has(objectName) || !/^(?:Pod|ReplicaSet|Job)$/.test(objectKind)) return objectName;
  const names = GENERATED.map((suffix) => objectName.replace(suffix, '')).filter((name) => name !== objectName);
  return names.find((name) => known.has(name)) ?? names.at(0) ?? objectName;
}

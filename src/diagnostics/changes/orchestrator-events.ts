import type { Change } from '../diagnostic-results.js';
import { isNameless } from '../requests/request-attributes.js';
import { compareText } from '../text-order.js';
import { MINUTE_MS } from '../time-windows.js';
import type { OrchestratorEvent } from './orchestrator-event.js';
import { findRollouts } from './rollout-detection.js';
import { resolveService } from './workload-names.js';

/** A change without its impact. */
export type OrchestratorChange = Omit<Change, 'performanceImpact'>;

type Classified = Pick<OrchestratorChange, 'type'> & { readonly text: string };

/** Further events of the same type and service within this time are the same change. */
const REPETITION_MS = 10 * MINUTE_MS;

/** Reasons that can be changes; others, such as `Pulled` and `Started`, only report its progress. */
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
  const last = new Map<string, { lastMs: number; at: number; count: number; text: string }>();
  const ascending = [...events].sort((a, b) => a.atMs - b.atMs || compareText(a.message, b.message));
  const rollouts = findRollouts(ascending);
  for (const event of ascending) {
    const { atMs, lastMs, count, version } = event;
    const serviceName = resolveService(event, knownServices);
    const classified = classify(event, rollouts);
    if (classified === undefined || isNameless(serviceName)) continue;
    const { type, text } = classified;
    const key = [type, version, serviceName].join('\0');
    const known = last.get(key);
    if (known !== undefined && atMs - known.lastMs <= REPETITION_MS) {
      Object.assign(known, { lastMs: Math.max(known.lastMs, lastMs), count: known.count + count });
      changes[known.at] = { ...changes[known.at], description: describe(known.text, known.count) };
      continue;
    }
    last.set(key, { lastMs, at: changes.length, count, text });
    const description = describe(text, count);
    changes.push({ type, serviceName, detectedAt: atMs, previousVersion: '', currentVersion: version, description });
  }
  return changes;
}

/** False for what only reports the progress of a change, such as the end of a container that is replaced. */
export function isChange(event: OrchestratorEvent): boolean {
  return classify(event, NO_ROLLOUTS) !== undefined;
}

const NO_ROLLOUTS: ReadonlySet<OrchestratorEvent> = new Set();

function describe(text: string, count: number): string {
  return count === 1 ? text : `${text} (${count} events)`;
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

import { compareText } from '../text-order.js';
import { MINUTE_MS } from '../time-windows.js';
import type { OrchestratorEvent } from './orchestrator-event.js';
import { isChange } from './orchestrator-events.js';
import { readReplicaSetScaling } from './rollout-detection.js';

/** Different events of one window; of more, deployments and scaling count first, then the newest. */
export const MAX_EVENTS = 5_000;

/** Reasons whose events are kept before others. */
const PRIORITY_REASONS: ReadonlySet<string> = new Set(['deployment', 'ScalingReplicaSet', 'SuccessfulRescale']);

interface Collected {
  readonly key: string;
  readonly minute: number;
  readonly isPrioritized: boolean;
  event: OrchestratorEvent;
}

/**
 * Collects events that are changes: those that report the same about the same object within one minute become one, with
 * their number; several records of one occurrence count as one. What is collected does not depend on the order of the events, nor on which of them were collected
 * together before. Windows of whole minutes contain an event whole or not at all.
 */
export class OrchestratorEventCollector {
  private readonly collected = new Map<string, Collected>();

  constructor(private readonly maxEvents = MAX_EVENTS) {}

  add(event: OrchestratorEvent): void {
    if (!isChange(event)) return;
    const minute = Math.floor(event.atMs / MINUTE_MS);
    const key = buildKey(event, minute);
    const known = this.collected.get(key);
    if (known !== undefined) {
      known.event = combine(known.event, event);
      return;
    }
    this.collected.set(key, { key, minute, isPrioritized: PRIORITY_REASONS.has(event.reason), event });
    if (this.collected.size >= 2 * this.maxEvents) this.trim();
  }

  /** In no particular order. */
  events(): OrchestratorEvent[] {
    this.trim();
    return [...this.collected.values()].map(({ event }) => event);
  }

  /** The order is one of keys, so that an event that was dropped is dropped again when it comes again. */
  private trim(): void {
    if (this.collected.size <= this.maxEvents) return;
    const ordered = [...this.collected.values()].sort(
      (a, b) => Number(b.isPrioritized) - Number(a.isPrioritized) || b.minute - a.minute || compareText(a.key, b.key),
    );
    for (const { key } of ordered.slice(this.maxEvents)) this.collected.delete(key);
  }
}

function buildKey(event: OrchestratorEvent, minute: number): string {
  const { reason, objectKind, objectName, serviceName, version, occurrence } = event;
  const { direction = '', replicaSet = '' } = readReplicaSetScaling(event) ?? {};
  const about = [reason, objectKind, objectName, serviceName, version, direction, replicaSet];
  return [minute, ...about, ...(occurrence === '' ? [] : [event.atMs, occurrence])].join('\0');
}

/** The earlier one, with the number of both, unless both are the same occurrence. */
function combine(a: OrchestratorEvent, b: OrchestratorEvent): OrchestratorEvent {
  const first = (a.atMs - b.atMs || compareText(a.message, b.message)) <= 0 ? a : b;
  if (first.occurrence !== '') return first;
  return { ...first, count: a.count + b.count, lastMs: Math.max(a.lastMs, b.lastMs) };
}

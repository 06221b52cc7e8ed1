import { MINUTE_MS } from '../time-windows.js';
import type { OrchestratorEvent } from './orchestrator-event.js';

/** Time within which the other replica set of a rollout is scaled down. */
const ROLLOUT_MS = 30 * MINUTE_MS;

/** `Scaled up replica set web-7d9f8b6c5 from 0 to 1`, in older versions without the part from `from`. */
const SCALED = /^Scaled (up|down) replica set (\S+)(?: from \d+)? to \d+/;

/** A replica set that grows or shrinks. */
export interface ReplicaSetScaling {
  readonly direction: 'up' | 'down';
  readonly replicaSet: string;
}

/** Undefined for other events. */
export function readReplicaSetScaling({
  reason,
  message,
}: Pick<OrchestratorEvent, 'reason' | 'message'>): ReplicaSetScaling | undefined {
  const [, direction, replicaSet] = (reason === 'ScalingReplicaSet' && SCALED.exec(message)) || [];
  return replicaSet === undefined ? undefined : { direction: direction === 'up' ? 'up' : 'down', replicaSet };
}

interface Scaling extends ReplicaSetScaling {
  readonly event: OrchestratorEvent;
}

/**
 * The events of rollouts: a replica set grows while another one of the same deployment shrinks. A replica set that
 * grows or shrinks alone is scaled. `events`: by time ascending.
 */
export function findRollouts(events: readonly OrchestratorEvent[]): Set<OrchestratorEvent> {
  const byOwner = new Map<string, { readonly up: Scaling[]; readonly down: Scaling[] }>();
  for (const event of events) {
    const scaling = readReplicaSetScaling(event);
    if (scaling === undefined) continue;
    const owner = `${event.objectKind} ${event.objectName}`;
    const scalings = byOwner.get(owner) ?? { up: [], down: [] };
    byOwner.set(owner, scalings);
    scalings[scaling.direction].push({ event, ...scaling });
  }
  const rollouts = new Set<OrchestratorEvent>();
  for (const { up, down } of byOwner.values()) {
    addAnswered(rollouts, up, down);
    addAnswered(rollouts, down, up);
  }
  return rollouts;
}

/** Adds the events of `own` that have one of another replica set in `opposite` nearby. Both by time ascending. */
function addAnswered(rollouts: Set<OrchestratorEvent>, own: readonly Scaling[], opposite: readonly Scaling[]): void {
  const nextOther = findNextOther(opposite);
  let first = 0;
  for (const { event, replicaSet } of own) {
    while (first < opposite.length && opposite[first].event.atMs < event.atMs - ROLLOUT_MS) first++;
    const at = opposite[first]?.replicaSet === replicaSet ? nextOther[first] : first;
    if (at < opposite.length && opposite[at].event.atMs <= event.atMs + ROLLOUT_MS) rollouts.add(event);
  }
}

/** Of each event, the index of the next one of another replica set; the length where there is none. */
function findNextOther(scalings: readonly Scaling[]): Uint32Array {
  const next = new Uint32Array(scalings.length).fill(scalings.length);
  for (let i = scalings.length - 2; i >= 0; i--)
    next[i] = scalings[i + 1].replicaSet === scalings[i].replicaSet ? next[i + 1] : i + 1;
  return next;
}

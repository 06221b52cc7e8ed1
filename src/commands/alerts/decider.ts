import type { Severity } from '../../diagnostics/answers.js';
import { SEVERITIES } from '../../diagnostics/severity.js';
import type { AlertEvent } from '../../streams/events/alert-events.js';
import { derivedId } from '../../telemetry/derived-id.js';
import type { Decider, Decision } from '../decider.js';

export type ResolveReason = Extract<AlertEvent, { readonly type: 'AlertResolved.v1' }>['data']['reason'];

/** The rule is breached for the service. */
interface Breach {
  readonly kind: 'breached';
  readonly ruleId: string;
  readonly ruleName: string;
  readonly serviceName: string;
  readonly condition: string;
  readonly severity: Severity;
  readonly value: number;
}

/** This alert is over, and no other that may have fired since. */
interface End {
  readonly kind: 'over';
  readonly alertId: string;
  readonly reason: ResolveReason;
}

export type Finding = Breach | End;

export interface Observe {
  readonly type: 'Observe';
  readonly gridId: string;
  /** When it was seen, ms since 1970. */
  readonly at: number;
  /** Decided in their order: an alert may end and another of the same rule begin. */
  readonly findings: readonly Finding[];
}

interface OpenAlert {
  readonly alertId: string;
  readonly severity: string;
}

export interface AlertsState {
  /** By rule and service. */
  readonly open: ReadonlyMap<string, OpenAlert>;
  /** Rule and service of each open alert, by its id. */
  readonly keys: ReadonlyMap<string, string>;
  /** When alerts were resolved, by rule and service; only those of the last hour, in the order in which they were. */
  readonly resolved: ReadonlyMap<string, number>;
}

/** A state that only who made it knows. Thousands of alerts fire at once: a copy for each would take seconds. */
interface Draft extends AlertsState {
  readonly open: Map<string, OpenAlert>;
  readonly keys: Map<string, string>;
  readonly resolved: Map<string, number>;
}

/** Findings that came later than this are dropped where they are older than what they would change. */
const REMEMBER_MS = 3_600_000;
const RANKS: readonly string[] = SEVERITIES;

const eventTypes: ReadonlySet<string> = new Set<AlertEvent['type']>(['AlertFired.v1', 'AlertSeverityChanged.v1', 'AlertResolved.v1']);
const initialState: AlertsState = { open: new Map(), keys: new Map(), resolved: new Map() };

/**
 * The alerts of a Grid: at most one a rule and service is open. Several may observe the same: what is the case already
 * changes nothing, so that one incident stays one alert whoever saw it, and how often.
 */
export const alertsDecider: Decider<Observe, AlertsState, AlertEvent> = {
  eventTypes, initialState, decide, evolveAll, evolve: (state, event) => evolveAll(state, [event]),
};

function decide({ gridId, at, findings }: Observe, initial: AlertsState): Decision<AlertEvent> {
  const events: AlertEvent[] = [];
  const state = draftOf(initial);
  for (const finding of findings) {
    const event = finding.kind === 'breached' ? onBreach(finding, gridId, at, state) : onEnd(finding, gridId, at, state);
    if (event === undefined) continue;
    events.push(event);
    apply(event, state);
  }
  return events;
}

function onBreach(finding: Breach, gridId: string, at: number, state: AlertsState): AlertEvent | undefined {
  const { kind: _, ...seen } = finding;
  const key = keyOf(seen);
  const open = state.open.get(key);
  if (open === undefined) return at < (state.resolved.get(key) ?? 0) ? undefined : fired(seen, gridId, at);
  if (RANKS.indexOf(seen.severity) <= RANKS.indexOf(open.severity)) return undefined;
  return { type: 'AlertSeverityChanged.v1', data: { gridId, alertId: open.alertId, severity: seen.severity, value: seen.value, at } };
}

/** The same incident has the same id, also when it is decided again after a conflict. */
function fired(seen: Omit<Breach, 'kind'>, gridId: string, at: number): AlertEvent {
  const alertId = derivedId([gridId, keyOf(seen), seen.condition, at].join('\n'));
  return { type: 'AlertFired.v1', data: { gridId, alertId, ...seen, at } };
}

function onEnd({ alertId, reason }: End, gridId: string, at: number, state: AlertsState): AlertEvent | undefined {
  return !state.keys.has(alertId) ? undefined : { type: 'AlertResolved.v1', data: { gridId, alertId, reason, at } };
}

function evolveAll(state: AlertsState, events: readonly AlertEvent[]): AlertsState {
  const draft = draftOf(state);
  for (const event of events) apply(event, draft);
  return draft;
}

function draftOf({ open, keys, resolved }: AlertsState): Draft {
  return { open: new Map(open), keys: new Map(keys), resolved: new Map(resolved) };
}

function apply(event: AlertEvent, { open, keys, resolved }: Draft): void {
  const { alertId } = event.data;
  const key = event.type === 'AlertFired.v1' ? keyOf(event.data) : keys.get(alertId);
  if (key === undefined) return;
  switch (event.type) {
    case 'AlertFired.v1':
      keys.set(alertId, key);
      open.set(key, { alertId, severity: event.data.severity });
      return;
    case 'AlertSeverityChanged.v1':
      open.set(key, { alertId, severity: event.data.severity });
      return;
    case 'AlertResolved.v1':
      keys.delete(alertId);
      open.delete(key);
      return noteResolved(key, event.data.at, resolved);
    default:
      unknownEvent(event);
  }
}

function noteResolved(key: string, at: number, resolved: Map<string, number>): void {
  resolved.delete(key);
  for (const [oldest, resolvedAt] of resolved) {
    if (resolvedAt > at - REMEMBER_MS) break;
    resolved.delete(oldest);
  }
  resolved.set(key, at);
}

function keyOf({ ruleId, serviceName }: { readonly ruleId: string; readonly serviceName: string }): string {
  return `${ruleId} ${serviceName}`;
}

function unknownEvent(event: never): never {
  throw new Error(`no rule for event ${JSON.stringify(event)}`);
}

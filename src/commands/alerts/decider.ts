import type { Severity } from '../../diagnostics/answers.js';
import type { AlertEvent } from '../../streams/events/alert-events.js';
import { derivedId } from '../../streams/events/derived-id.js';
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
  /** When alerts were resolved, by rule and service; only those of the last hour. */
  readonly resolved: ReadonlyMap<string, number>;
}

/** Findings that came later than this are dropped where they are older than what they would change. */
const REMEMBER_MS = 3_600_000;
const RANKS: readonly string[] = ['info', 'warning', 'critical'];

const eventTypes: ReadonlySet<string> = new Set<AlertEvent['type']>(['AlertFired.v1', 'AlertSeverityChanged.v1', 'AlertResolved.v1']);
const initialState: AlertsState = { open: new Map(), resolved: new Map() };

/**
 * The alerts of a Grid: at most one a rule and service is open. Several may observe the same: what is the case already
 * changes nothing, so that one incident stays one alert whoever saw it, and how often.
 */
export const alertsDecider: Decider<Observe, AlertsState, AlertEvent> = { eventTypes, initialState, decide, evolve };

function decide({ gridId, at, findings }: Observe, initial: AlertsState): Decision<AlertEvent> {
  const events: AlertEvent[] = [];
  let state = initial;
  for (const finding of findings) {
    const event = finding.kind === 'breached' ? onBreach(finding, gridId, at, state) : onEnd(finding, gridId, at, state);
    if (event === undefined) continue;
    events.push(event);
    state = evolve(state, event);
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
  return keyOfAlert(alertId, state) === undefined ? undefined : { type: 'AlertResolved.v1', data: { gridId, alertId, reason, at } };
}

function evolve(state: AlertsState, event: AlertEvent): AlertsState {
  switch (event.type) {
    case 'AlertFired.v1': {
      const { alertId, severity } = event.data;
      return { ...state, open: new Map(state.open).set(keyOf(event.data), { alertId, severity }) };
    }
    case 'AlertSeverityChanged.v1':
      return withSeverity(state, event.data.alertId, event.data.severity);
    case 'AlertResolved.v1':
      return resolve(state, event.data.alertId, event.data.at);
    default:
      return unknownEvent(event);
  }
}

function withSeverity(state: AlertsState, alertId: string, severity: string): AlertsState {
  const key = keyOfAlert(alertId, state);
  return key === undefined ? state : { ...state, open: new Map(state.open).set(key, { alertId, severity }) };
}

function resolve(state: AlertsState, alertId: string, at: number): AlertsState {
  const key = keyOfAlert(alertId, state);
  if (key === undefined) return state;
  const open = new Map(state.open);
  open.delete(key);
  const recent = [...state.resolved].filter(([, resolvedAt]) => resolvedAt > at - REMEMBER_MS);
  return { open, resolved: new Map(recent).set(key, at) };
}

function keyOfAlert(alertId: string, { open }: AlertsState): string | undefined {
  for (const [key, alert] of open) if (alert.alertId === alertId) return key;
  return undefined;
}

function keyOf({ ruleId, serviceName }: { readonly ruleId: string; readonly serviceName: string }): string {
  return `${ruleId} ${serviceName}`;
}

function unknownEvent(event: never): never {
  throw new Error(`no rule for event ${JSON.stringify(event)}`);
}

import { subjectKey, type AlertSubject } from '../../diagnostics/alerting/alert-subject.js';
import { isErrorCondition } from '../../diagnostics/alerting/condition-wording.js';
import { SEVERITIES, type Severity } from '../../diagnostics/diagnostic-results.js';
import type { AlertEvent } from '../../streams/events/alert-events.js';
import { deriveUuid } from '../../telemetry/deterministic-uuid.js';
import type { Authored } from '../../streams/events/grid-events.js';
import { type Decider, type Decision, reject } from '../decider.js';

export type ResolveReason = Extract<AlertEvent, { readonly type: 'AlertResolved.v1' }>['data']['reason'];

/** The rule is breached for this subject. */
interface BreachObservation extends AlertSubject {
  readonly kind: 'breached';
  readonly ruleId: string;
  readonly ruleName: string;
  readonly condition: string;
  readonly severity: Severity;
  readonly value: number;
}

/** This alert has ended; an alert that fired since is not affected. */
interface EndObservation {
  readonly kind: 'over';
  readonly alertId: string;
  readonly reason: ResolveReason;
}

export type AlertObservation = BreachObservation | EndObservation;

/** Acknowledges an alert. Rejected with `not-found` unless it is open. */
export interface AcknowledgeAlert extends Authored {
  readonly type: 'Acknowledge';
  readonly gridId: string;
  readonly alertId: string;
}

export type AlertCommand = ObserveAlerts | AcknowledgeAlert;

export interface ObserveAlerts {
  readonly type: 'Observe';
  readonly gridId: string;
  /** Time of the observation, ms since 1970. */
  readonly at: number;
  /** Decided in order: one alert may end and another of the same rule begin. */
  readonly findings: readonly AlertObservation[];
}

interface OpenAlert {
  readonly alertId: string;
  readonly severity: string;
  readonly isAcknowledged?: true;
}

export interface AlertsState {
  /** By rule and subject. */
  readonly open: ReadonlyMap<string, OpenAlert>;
  /** Rule and subject of each open alert, by its id. */
  readonly keys: ReadonlyMap<string, string>;
  /** Resolution times by rule and subject, for the last hour, in the order of resolution. */
  readonly resolved: ReadonlyMap<string, number>;
}

/** A mutable state during one fold. Thousands of alerts can fire at once: copying for each would take seconds. */
interface AlertsDraft extends AlertsState {
  readonly open: Map<string, OpenAlert>;
  readonly keys: Map<string, string>;
  readonly resolved: Map<string, number>;
}

/** How long (ms) resolution times are kept, to ignore observations that are older than the resolution. */
const RESOLVED_MEMORY_MS = 3_600_000;
const SEVERITY_ORDER: readonly string[] = SEVERITIES;
const eventTypes: ReadonlySet<string> = new Set<AlertEvent['type']>([
  'AlertFired.v2',
  'AlertSeverityChanged.v1',
  'AlertResolved.v1',
  'AlertAcknowledged.v1',
]);
const initialState: AlertsState = { open: new Map(), keys: new Map(), resolved: new Map() };

/**
 * Alerts of a Grid: at most one is open per rule and subject. Several processes may report the same observation: a
 * known state changes nothing, so one incident remains one alert. Only a damaged event may let an alert fire again.
 */
export const alertsDecider: Decider<AlertCommand, AlertsState, AlertEvent> = {
  eventTypes,
  initialState,
  skipsDamagedEvents: true,
  decide,
  evolveAll,
  evolve: (state, event) => evolveAll(state, [event]),
};

function decide(command: AlertCommand, state: AlertsState): Decision<AlertEvent> {
  return command.type === 'Acknowledge' ? decideAcknowledgement(command, state) : decideFindings(command, state);
}

/** The first acknowledgement counts. */
function decideAcknowledgement(command: AcknowledgeAlert, state: AlertsState): Decision<AlertEvent> {
  const { type: _, ...data } = command;
  const alert = state.open.get(state.keys.get(data.alertId) ?? '');
  if (alert === undefined) return reject('not-found', 'The Grid has no firing alert with this id.');
  return alert.isAcknowledged ? [] : [{ type: 'AlertAcknowledged.v1', data }];
}

function decideFindings({ gridId, at, findings }: ObserveAlerts, initial: AlertsState): Decision<AlertEvent> {
  const events: AlertEvent[] = [];
  const state = toDraft(initial);
  for (const finding of findings) {
    const event =
      finding.kind === 'breached' ? decideBreach(finding, gridId, at, state) : decideEnd(finding, gridId, at, state);
    if (event === undefined) continue;
    events.push(event);
    applyEvent(event, state);
  }
  return events;
}

function decideBreach(
  finding: BreachObservation,
  gridId: string,
  at: number,
  state: AlertsState,
): AlertEvent | undefined {
  const { kind: _, ...breach } = finding;
  const key = alertKey(breach);
  const open = state.open.get(key);
  if (open === undefined) return at < (state.resolved.get(key) ?? 0) ? undefined : buildFiredEvent(breach, gridId, at);
  if (SEVERITY_ORDER.indexOf(breach.severity) <= SEVERITY_ORDER.indexOf(open.severity)) return undefined;
  return {
    type: 'AlertSeverityChanged.v1',
    data: { gridId, alertId: open.alertId, severity: breach.severity, value: breach.value, at },
  };
}

/** The alert id is deterministic, so that a decision repeated after a conflict yields the same alert. */
function buildFiredEvent(breach: Omit<BreachObservation, 'kind'>, gridId: string, at: number): AlertEvent {
  const alertId = deriveUuid([gridId, alertKey(breach), breach.condition, at].join('\n'));
  return { type: 'AlertFired.v2', data: { gridId, alertId, ...breach, at } };
}

function decideEnd(
  { alertId, reason }: EndObservation,
  gridId: string,
  at: number,
  state: AlertsState,
): AlertEvent | undefined {
  return !state.keys.has(alertId) ? undefined : { type: 'AlertResolved.v1', data: { gridId, alertId, reason, at } };
}

function evolveAll(state: AlertsState, events: readonly AlertEvent[]): AlertsState {
  const draft = toDraft(state);
  for (const event of events) applyEvent(event, draft);
  return draft;
}

function toDraft({ open, keys, resolved }: AlertsState): AlertsDraft {
  return { open: new Map(open), keys: new Map(keys), resolved: new Map(resolved) };
}

function applyEvent(event: AlertEvent, { open, keys, resolved }: AlertsDraft): void {
  const { alertId } = event.data;
  const key = event.type === 'AlertFired.v2' ? alertKey(event.data) : keys.get(alertId);
  if (key === undefined) return;
  switch (event.type) {
    case 'AlertFired.v2':
      keys.set(alertId, key);
      open.set(key, { alertId, severity: event.data.severity });
      return;
    case 'AlertSeverityChanged.v1':
      open.set(key, { ...open.get(key), alertId, severity: event.data.severity });
      return;
    case 'AlertAcknowledged.v1':
      open.set(key, { alertId, severity: open.get(key)?.severity ?? '', isAcknowledged: true });
      return;
    case 'AlertResolved.v1':
      keys.delete(alertId);
      open.delete(key);
      return recordResolved(key, event.data.at, resolved);
    default:
      throwUnknownEvent(event);
  }
}

function recordResolved(key: string, at: number, resolved: Map<string, number>): void {
  resolved.delete(key);
  for (const [oldest, resolvedAt] of resolved) {
    if (resolvedAt > at - RESOLVED_MEMORY_MS) break;
    resolved.delete(oldest);
  }
  resolved.set(key, at);
}

function alertKey(alert: AlertSubject & Pick<BreachObservation, 'ruleId' | 'condition'>): string {
  return `${alert.ruleId} ${subjectKey(alert, isErrorCondition(alert.condition))}`;
}

function throwUnknownEvent(event: never): never {
  throw new Error(`Unknown event ${JSON.stringify(event)}`);
}

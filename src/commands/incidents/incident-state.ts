import type { IncidentAlert, IncidentCause, IncidentEvent } from '../../streams/events/incident-events.js';

/** An alert that belongs to an incident and fires. */
export interface FiringAlert extends IncidentAlert {
  readonly acknowledgedBy?: string;
}

/** By what a cause is recognized: its root-cause service, and how that fails. */
export type CauseKey = Pick<IncidentCause, 'serviceName' | 'kind'>;

export interface Incident {
  readonly id: string;
  readonly status: 'open' | 'recovering' | 'resolved';
  readonly title: string;
  readonly severity: string;
  readonly openedAt: number;
  readonly startedAt: number;
  readonly cause: IncidentCause | undefined;
  /** Causes of incidents that somebody has made part of this one: they open no incident of their own. */
  readonly mergedCauses: readonly CauseKey[];
  /** What the diagnosis has called its cause before: a fault that comes back is often first called so again. */
  readonly formerCauses: readonly CauseKey[];
  /** When the cause last changed. */
  readonly causeAt: number;
  /** Those that fire, by id. */
  readonly firing: ReadonlyMap<string, FiringAlert>;
  /** Rules and services of all alerts that it ever had, by which an incident without a cause is recognized. */
  readonly alertKeys: ReadonlySet<string>;
  readonly recoveringSince?: number;
  readonly resolvedAt?: number;
  /** Somebody has resolved it: what still fires then does not open it again. */
  readonly isClosed?: true;
  /** Somebody has split it from another one: the service does not put them together again. */
  readonly isSplit?: true;
  readonly acknowledgedBy?: string;
  readonly commander: string;
  readonly noteCount: number;
}

export interface IncidentsState {
  /** Revision of the alerts stream up to which alerts are included; -1: none. */
  readonly through: number;
  /** Open ones, and the last that were resolved, in the order in which they were opened. */
  readonly incidents: ReadonlyMap<string, Incident>;
  /** The incident of each firing alert. */
  readonly byAlert: ReadonlyMap<string, string>;
}

/** A mutable state during one fold. Thousands of alerts can fire at once: copying for each would take seconds. */
export interface IncidentsDraft extends IncidentsState {
  through: number;
  readonly incidents: Map<string, Incident>;
  readonly byAlert: Map<string, string>;
  /** Collections of incidents that this fold has copied, and may change. */
  readonly copied: WeakSet<object>;
}

/** Resolved incidents that can still be reopened, merged and noted. */
export const RESOLVED_KEPT = 500;

const CAUSES_KEPT = 50;

export const NO_INCIDENTS: IncidentsState = { through: -1, incidents: new Map(), byAlert: new Map() };

export function toDraft({ through, incidents, byAlert }: IncidentsState): IncidentsDraft {
  return { through, incidents: new Map(incidents), byAlert: new Map(byAlert), copied: new WeakSet() };
}

/** Copies the state once for all events. */
export function applyIncidentEvents(state: IncidentsState, events: readonly IncidentEvent[]): IncidentsState {
  const draft = toDraft(state);
  for (const event of events) applyIncidentEvent(event, draft);
  const { through, incidents, byAlert } = draft;
  return { through, incidents, byAlert };
}

/** The cause of an incident, if it is known, and those of incidents that became part of it. */
export function causesOf({ cause, mergedCauses }: Incident): readonly CauseKey[] {
  return cause === undefined ? mergedCauses : [cause, ...mergedCauses];
}

export function toAlertKey({ ruleId, serviceName }: Pick<FiringAlert, 'ruleId' | 'serviceName'>): string {
  return `${ruleId} ${serviceName}`;
}

export function applyIncidentEvent({ type, data }: IncidentEvent, draft: IncidentsDraft): void {
  const change = (changes: Partial<Incident>): void => {
    const before = draft.incidents.get(data.incidentId);
    if (before !== undefined) draft.incidents.set(data.incidentId, { ...before, ...changes });
  };
  switch (type) {
    case 'IncidentOpened.v1':
      return openIncident(data, draft);
    case 'IncidentAlertAdded.v2':
      draft.through = Math.max(draft.through, data.through);
      return addAlert(data, draft);
    case 'IncidentAlertChanged.v1':
      draft.through = Math.max(draft.through, data.through);
      return changeAlert(data, draft);
    case 'IncidentCauseChanged.v1':
      return changeCause(data, draft);
    case 'IncidentRecovering.v1':
      return change({ status: 'recovering', recoveringSince: data.at });
    case 'IncidentResolved.v1':
      change({ status: 'resolved', resolvedAt: data.at });
      return dropOldest(draft);
    case 'IncidentClosed.v1':
      change({ status: 'resolved', resolvedAt: data.at, isClosed: true });
      return dropOldest(draft);
    case 'IncidentReopened.v1':
      return reopen(data.incidentId, data.after, draft);
    case 'IncidentAcknowledged.v1':
      return change({ acknowledgedBy: data.actor });
    case 'IncidentCommanderAssigned.v1':
      return change({ commander: data.commander });
    case 'IncidentNoted.v1':
      return change({ noteCount: (draft.incidents.get(data.incidentId)?.noteCount ?? 0) + 1 });
    case 'IncidentsMerged.v1':
      return mergeIncidents(data, draft);
    case 'IncidentSplit.v1':
      return splitIncident(data, draft);
    default:
      throwUnknownEvent(type);
  }
}

type DataOf<Type extends IncidentEvent['type']> = Extract<IncidentEvent, { readonly type: Type }>['data'];

function openIncident(
  { incidentId: id, title, severity, startedAt, cause, at }: DataOf<'IncidentOpened.v1'>,
  { incidents }: IncidentsDraft,
): void {
  incidents.set(id, {
    id,
    status: 'open',
    title,
    severity,
    openedAt: at,
    startedAt,
    cause: cause ?? undefined,
    causeAt: at,
    mergedCauses: [],
    formerCauses: [],
    firing: new Map(),
    alertKeys: new Set(),
    commander: '',
    noteCount: 0,
  });
}

function changeCause({ incidentId, cause, at, title }: DataOf<'IncidentCauseChanged.v1'>, draft: IncidentsDraft): void {
  const before = draft.incidents.get(incidentId);
  if (before === undefined) return;
  const isRenamed = before.cause !== undefined && toCauseKey(before.cause) !== toCauseKey(cause);
  const formerCauses = isRenamed ? addCauses(before.formerCauses, [before.cause]) : before.formerCauses;
  draft.incidents.set(incidentId, { ...before, cause, causeAt: at, title, formerCauses });
}

function addAlert({ incidentId, alert, acknowledgedBy }: DataOf<'IncidentAlertAdded.v2'>, draft: IncidentsDraft): void {
  removeAlert(alert.alertId, draft);
  putAlert(incidentId, { ...alert, ...(acknowledgedBy !== '' && { acknowledgedBy }) }, draft);
}

function putAlert(incidentId: string, alert: FiringAlert, { incidents, byAlert, copied }: IncidentsDraft): void {
  const incident = incidents.get(incidentId);
  if (incident === undefined) return;
  byAlert.set(alert.alertId, incidentId);
  const firing = copyOnce(incident.firing, (map) => new Map(map), copied).set(alert.alertId, alert);
  const alertKeys = copyOnce(incident.alertKeys, (set) => new Set(set), copied).add(toAlertKey(alert));
  incidents.set(incidentId, { ...incident, firing, alertKeys });
}

/** The collection itself if this fold has copied it, else a copy. */
function copyOnce<Shared extends object, Copy extends Shared>(
  shared: Shared,
  copy: (shared: Shared) => Copy,
  copied: WeakSet<object>,
): Copy {
  if (copied.has(shared)) return shared as Copy;
  const own = copy(shared);
  copied.add(own);
  return own;
}

export function findAlert(alertId: string, { incidents, byAlert }: IncidentsState): FiringAlert | undefined {
  return incidents.get(byAlert.get(alertId) ?? '')?.firing.get(alertId);
}

function removeAlert(alertId: string, { incidents, byAlert, copied }: IncidentsDraft): void {
  const incident = incidents.get(byAlert.get(alertId) ?? '');
  byAlert.delete(alertId);
  if (incident === undefined) return;
  const firing = copyOnce(incident.firing, (map) => new Map(map), copied);
  firing.delete(alertId);
  incidents.set(incident.id, { ...incident, firing });
}

function changeAlert(data: DataOf<'IncidentAlertChanged.v1'>, draft: IncidentsDraft): void {
  const { alertId, change, severity, value, by } = data;
  const alert = findAlert(alertId, draft);
  if (alert === undefined) return;
  if (change === 'resolved') return removeAlert(alertId, draft);
  const changes = change === 'severity' ? { severity, value } : { acknowledgedBy: by };
  putAlert(draft.byAlert.get(alertId)!, { ...alert, ...changes }, draft);
}

function reopen(id: string, after: 'recovering' | 'resolved', { incidents }: IncidentsDraft): void {
  const before = incidents.get(id);
  if (before === undefined) return;
  const { recoveringSince: _, resolvedAt: _resolved, isClosed: _closed, acknowledgedBy, ...rest } = before;
  const isStillTakenCareOf = after === 'recovering' && acknowledgedBy !== undefined;
  incidents.set(id, { ...rest, status: 'open', ...(isStillTakenCareOf && { acknowledgedBy }) });
}

/** Its firing alerts have moved before. */
function mergeIncidents({ incidentId, mergedId }: DataOf<'IncidentsMerged.v1'>, { incidents }: IncidentsDraft): void {
  const merged = incidents.get(mergedId);
  const into = incidents.get(incidentId);
  incidents.delete(mergedId);
  if (merged === undefined || into === undefined) return;
  incidents.set(incidentId, {
    ...into,
    alertKeys: new Set([...into.alertKeys, ...merged.alertKeys]),
    mergedCauses: addCauses(into.mergedCauses, causesOf(merged)),
    formerCauses: addCauses(into.formerCauses, merged.formerCauses),
  });
}

function toCauseKey({ serviceName, kind }: CauseKey): string {
  return JSON.stringify([serviceName, kind]);
}

/** Each cause once, the latest last. */
function addCauses(known: readonly CauseKey[], added: readonly CauseKey[]): readonly CauseKey[] {
  const causes = new Map<string, CauseKey>();
  for (const { serviceName, kind } of [...known, ...added]) {
    const key = toCauseKey({ serviceName, kind });
    causes.delete(key); // a repeated one moves to the end
    causes.set(key, { serviceName, kind });
  }
  return [...causes.values()].slice(-CAUSES_KEPT);
}

function splitIncident({ newId, ...data }: DataOf<'IncidentSplit.v1'>, draft: IncidentsDraft): void {
  openIncident({ ...data, incidentId: newId, cause: null }, draft);
  draft.incidents.set(newId, { ...draft.incidents.get(newId)!, isSplit: true });
}

/** Forgets the incidents that were resolved longest ago. */
function dropOldest({ incidents, byAlert }: IncidentsDraft): void {
  const resolved = [...incidents.values()].filter(({ status }) => status === 'resolved');
  resolved.sort((a, b) => (a.resolvedAt ?? 0) - (b.resolvedAt ?? 0));
  for (const { id, firing } of resolved.slice(0, Math.max(0, resolved.length - RESOLVED_KEPT))) {
    incidents.delete(id);
    for (const alertId of firing.keys()) byAlert.delete(alertId);
  }
}

function throwUnknownEvent(type: never): never {
  throw new Error(`Unknown event ${String(type)}`);
}

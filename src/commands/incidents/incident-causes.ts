import { SERVICE_ACTOR, type IncidentCause } from '../../streams/events/incident-events.js';
import { deriveUuid } from '../../telemetry/deterministic-uuid.js';
import { toMerge } from './alert-moves.js';
import { REOPEN_MS, type ObservationContext, type ObservedCause } from './observed-changes.js';
import { causesOf, type CauseKey, type FiringAlert, type Incident, type IncidentsState } from './incident-state.js';

/** How long (ms) after it was opened an incident without a cause still gets one, or becomes part of another. */
const JOIN_MS = 15 * 60_000;
/** Causes whose onsets lie at most this far (ms) apart can be two names of one fault. */
const SAME_ONSET_MS = 3 * 60_000;
/** An onset is known to the minute, and moves by one while a fault is young. */
const ONSET_ERROR_MS = 2 * 60_000;
/** How long (ms) an alert waits for a cause that lasts before it counts as a late symptom of one that is over. */
const LATE_SYMPTOM_MS = 60_000;
/** Shortest time (ms) between two changes of a cause other than that it becomes critical. */
const CHANGE_INTERVAL_MS = 60_000;
const CONFIDENCE_STEP = 0.1;
const MAX_EVIDENCE = 10;
const MAX_SERVICES = 50;
const MAX_TRACES = 10;

/** Whether a cause names a service, or affects it. */
export function explains(cause: Pick<IncidentCause, 'serviceName' | 'affectedServices'>, service: string): boolean {
  return cause.serviceName === service || cause.affectedServices.includes(service);
}

/**
 * The open incident of a cause: the same root-cause service, or else one of which such an incident became part. One
 * that recovers from a fault of another kind is another one's, if the cause began later.
 */
export function findIncidentOfCause(cause: IncidentCause, { incidents }: IncidentsState): Incident | undefined {
  const unresolved = [...incidents.values()].filter(({ status }) => status !== 'resolved');
  return (
    unresolved.find((incident) => incident.cause !== undefined && isSameFault(incident.cause, cause, incident)) ??
    unresolved.find((incident) => incident.mergedCauses.some((merged) => isSameFault(merged, cause, incident)))
  );
}

function isSameFault(known: CauseKey, cause: IncidentCause, incident: Incident): boolean {
  const { status, formerCauses, recoveringSince = 0 } = incident;
  if (known.serviceName !== cause.serviceName) return false;
  const hasKind = known.kind === cause.kind || formerCauses.some((former) => isSameKey(former, cause));
  return status === 'open' || hasKind || cause.firstDetected < recoveringSince;
}

function isSameKey(a: CauseKey, b: CauseKey): boolean {
  return a.serviceName === b.serviceName && a.kind === b.kind;
}

/** Gives each cause that lasts its incident, and each incident what is known of its cause. */
export function attachCauses(causes: readonly ObservedCause[], context: ObservationContext): void {
  for (const cause of findBestByService(causes)) {
    const incident = findIncidentOfCause(cause, context.draft);
    if (incident !== undefined) keepCause(incident, cause, context);
    else if (cause.isConfirmed) placeCause(cause, causes, context, false);
    if (cause.isConfirmed) joinIncidents(cause, context);
  }
  joinRecovering(context);
}

/** The best cause of each root-cause service that lasts. */
function findBestByService(causes: readonly ObservedCause[]): readonly ObservedCause[] {
  const lasting = causes.filter(({ isOver }) => !isOver);
  return lasting.filter(({ serviceName }, i) => lasting.findIndex((each) => each.serviceName === serviceName) === i);
}

/**
 * An incident whose cause is there: it lasts, if this is no guess of seconds, and what is known of it may have changed.
 */
function keepCause(incident: Incident, cause: ObservedCause, context: ObservationContext): void {
  if (incident.status === 'recovering' && cause.isConfirmed) reopen(incident, 'recovering', context);
  const isOfMerged = incident.cause !== undefined && incident.cause.serviceName !== cause.serviceName;
  if (!isOfMerged && hasChanged(incident, cause, context.at)) changeCause(incident, cause, context);
}

/**
 * A cause without an open incident: another name for one, one that comes back, or a new one. Causes that are not
 * critical need an alert (`hasAlert`): most of them are noise.
 */
export function placeCause(
  cause: ObservedCause,
  causes: readonly ObservedCause[],
  context: ObservationContext,
  hasAlert: boolean,
): void {
  const { draft, at } = context;
  if (findIncidentOfCause(cause, draft) !== undefined) return;
  const incidents = [...draft.incidents.values()];
  const unexplained = incidents.filter((incident) => mayGetCause(incident, cause, at));
  const renamed =
    unexplained.find(({ firing }) => hasOwnAlert(firing.values(), cause)) ??
    unexplained.at(0) ??
    incidents.find((incident) => isOtherName(incident, cause, causes));
  if (renamed !== undefined) return changeCause(renamed, cause, context);
  if (!hasAlert && incidents.some((incident) => wasClosedDuring(incident, cause))) return;
  const isSerious = hasAlert || cause.severity === 'critical';
  const earlier =
    incidents.findLast((incident) => isRecent(incident, at) && hasCause(incident, cause)) ??
    incidents.findLast((incident) => isSerious && isRecent(incident, at) && hadCause(incident, cause));
  if (earlier !== undefined) {
    reopen(earlier, 'resolved', context);
    return changeCause(earlier, cause, context);
  }
  if (isSerious) openForCause(cause, context);
}

function hasOwnAlert(alerts: Iterable<FiringAlert>, { serviceName }: ObservedCause): boolean {
  for (const alert of alerts) if (alert.serviceName === serviceName) return true;
  return false;
}

/** An open incident without a cause whose alerts this cause explains. */
function mayGetCause({ status, cause: known, isSplit, firing, openedAt }: Incident, cause: IncidentCause, at: number) {
  if (status === 'resolved' || known !== undefined || isSplit === true || at - openedAt > JOIN_MS) return false;
  return [...firing.values()].some(
    ({ serviceName, firedAt }) => explains(cause, serviceName) && cause.firstDetected <= firedAt + ONSET_ERROR_MS,
  );
}

/**
 * The diagnosis has corrected itself: it names another root-cause service for what began at that time, and the first no
 * more.
 */
function isOtherName({ status, cause: known }: Incident, cause: ObservedCause, causes: readonly ObservedCause[]) {
  if (status === 'resolved' || known === undefined) return false;
  if (causes.some(({ serviceName }) => serviceName === known.serviceName)) return false;
  if (Math.abs(known.firstDetected - cause.firstDetected) > SAME_ONSET_MS) return false;
  return explains(cause, known.serviceName) || explains(known, cause.serviceName);
}

/** An incident that ended so recently that the same cause reopens it. */
function isRecent({ resolvedAt }: Incident, at: number): boolean {
  return resolvedAt !== undefined && at - resolvedAt < REOPEN_MS;
}

function hasCause(incident: Incident, cause: ObservedCause): boolean {
  return causesOf(incident).some((known) => isSameKey(known, cause));
}

/**
 * Whether the diagnosis called the cause of the incident so before, and the two can be names of one fault: one that comes
 * back often gets its names in the same order.
 */
function hadCause(incident: Incident, cause: ObservedCause): boolean {
  const { cause: latest, formerCauses } = incident;
  if (!formerCauses.some((former) => isSameKey(former, cause))) return false;
  const isLinked = latest !== undefined && (explains(cause, latest.serviceName) || explains(latest, cause.serviceName));
  return isLinked || causesOf(incident).some(({ serviceName }) => serviceName === cause.serviceName);
}

/**
 * Somebody has resolved the incident of this fault, whatever the diagnosis calls it now, and it never went away since.
 */
function wasClosedDuring(incident: Incident, cause: ObservedCause): boolean {
  const { isClosed, resolvedAt } = incident;
  if (isClosed !== true || resolvedAt === undefined || cause.firstDetected > resolvedAt) return false;
  return hadCause(incident, cause) || causesOf(incident).some((known) => known.serviceName === cause.serviceName);
}

function openForCause(cause: ObservedCause, { gridId, at, record }: ObservationContext): void {
  const { cause: title, severity, serviceName, kind, firstDetected: startedAt } = cause;
  const incidentId = deriveUuid(['incident', gridId, serviceName, kind, at].join('\n'));
  const opened = { gridId, incidentId, at, title, severity, startedAt, cause: toStoredCause(cause) };
  record({ type: 'IncidentOpened.v1', data: opened });
}

/** Incidents that were opened before the cause of their alerts was known become part of that of the cause. */
function joinIncidents(cause: ObservedCause, context: ObservationContext): void {
  const { gridId, at, draft, record } = context;
  const incident = findIncidentOfCause(cause, draft);
  if (incident === undefined) return;
  for (const merged of [...draft.incidents.values()].filter((other) => mayGetCause(other, cause, at)))
    for (const event of toMerge(incident.id, merged, { gridId, at, actor: SERVICE_ACTOR, through: draft.through }))
      record(event);
}

/** Alerts watch windows: some fire when their cause is just over. */
function joinRecovering({ gridId, at, draft, record }: ObservationContext): void {
  const recovering = [...draft.incidents.values()].filter(({ status }) => status === 'recovering');
  for (const { id, cause } of recovering) {
    if (cause === undefined) continue;
    const late = [...draft.incidents.values()].filter(
      (other) => at - other.openedAt >= LATE_SYMPTOM_MS && mayGetCause(other, cause, at),
    );
    for (const merged of late)
      for (const event of toMerge(id, merged, { gridId, at, actor: SERVICE_ACTOR, through: draft.through }))
        record(event);
  }
}

function reopen(
  { id: incidentId }: Incident,
  after: 'recovering' | 'resolved',
  { gridId, at, record }: ObservationContext,
): void {
  record({ type: 'IncidentReopened.v1', data: { gridId, incidentId, at, after } });
}

function changeCause({ id: incidentId }: Incident, cause: ObservedCause, { gridId, at, record }: ObservationContext) {
  const data = { gridId, incidentId, at, title: cause.cause, cause: toStoredCause(cause) };
  record({ type: 'IncidentCauseChanged.v1', data });
}

/** Figures in the evidence change with every diagnosis: only what matters is recorded, and not too often. */
function hasChanged({ cause: before, causeAt }: Incident, cause: ObservedCause, at: number): boolean {
  if (before === undefined) return true;
  if (!cause.isConfirmed) return false;
  if (before.severity !== 'critical' && cause.severity === 'critical') return true;
  if (at - causeAt < CHANGE_INTERVAL_MS) return false;
  return (
    before.kind !== cause.kind ||
    Math.abs(before.confidence - cause.confidence) >= CONFIDENCE_STEP ||
    cause.affectedServices.some((service) => !before.affectedServices.includes(service))
  );
}

function toStoredCause({ isConfirmed: _, isOver: _over, ...cause }: ObservedCause): IncidentCause {
  return {
    ...cause,
    affectedServices: cause.affectedServices.slice(0, MAX_SERVICES),
    evidence: cause.evidence.slice(0, MAX_EVIDENCE),
    sampleTraceIds: cause.sampleTraceIds.slice(0, MAX_TRACES),
  };
}

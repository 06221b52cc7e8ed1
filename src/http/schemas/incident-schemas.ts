import Type from 'typebox';
import {
  Change,
  diagnosisCause,
  diagnosisConfidence,
  diagnosisKind,
  firstDetected,
  severity,
} from './diagnostics-schemas.js';
import { choice, count, instant, labels, listing, listOf, nullable, number, record, text } from './schema-builders.js';

const ID = '7f0c1d52-6f0e-4b6b-9a53-2a1f0f2f6a10';
const STATUSES = ['open', 'acknowledged', 'recovering', 'resolved', 'merged'] as const;
const ENTRY_TYPES = [
  'opened',
  'alert-added',
  'alert-moved',
  'alert-changed',
  'cause-changed',
  'recovering',
  'reopened',
  'resolved',
  'acknowledged',
  'commander-assigned',
  'noted',
  'merged',
  'merged-into',
] as const;

export const IncidentCause = record(
  'IncidentCause',
  'The likely cause of an incident, as last stated by the diagnosis.',
  {
    cause: diagnosisCause,
    kind: diagnosisKind,
    serviceName: text('The service or dependency that is the root cause.', 'payment'),
    confidence: diagnosisConfidence,
    severity,
    affectedServices: listOf(text('Name of a service.', 'checkout'), 'Services that it affects, most affected first.'),
    evidence: listOf(
      text('One item of evidence.', 'p95 of payment is 776 % above the hour before'),
      'Strongest first.',
    ),
    firstDetected,
    impactedTraceCount: count('Traces that it had affected when it was stated.', 214),
    sampleTraceIds: listOf(text('Id of a trace.', '5b8efff798038103d269b633813fc60c'), 'Examples of affected traces.'),
  },
);

const IncidentAlert = record('IncidentAlert', 'An alert that belongs to an incident.', {
  alertId: text('Id of the alert.', 'b6f0c7d2-checkout-1773480360000'),
  ruleName: text('Name of the rule.', 'Error rate'),
  serviceName: text('Name of the service; empty: no service in particular.', 'checkout'),
  labels: Type.Optional(
    labels(
      "Values of the other fields that the rule's query groups by, or type and id of the error group; absent: none.",
    ),
  ),
  condition: text('Condition of the rule.', 'error_rate > 5%'),
  severity,
  value: number('Value of the metric when the alert fired or last changed its severity, in its unit.', 8.5),
  firedAt: instant('When it fired.'),
  resolvedAt: Type.Optional(instant('When it ended; absent while it fires.')),
  acknowledgedBy: Type.Optional(text('Who acknowledged it.', 'owner')),
});

const IncidentEntry = record('IncidentEntry', 'Something that happened to an incident.', {
  at: instant('When.'),
  type: choice(ENTRY_TYPES, 'What.', 'alert-added'),
  description: text('What, in a sentence; the text of a note.', 'Alert fired: checkout, error_rate > 5% (warning).'),
  by: Type.Optional(text('Who; absent if the service itself.', 'owner')),
});

const members = {
  id: text('Id of the incident.', ID),
  title: text('What is wrong: the cause, or the first alert while no cause is known.', 'payment responds slowly'),
  status: choice(
    STATUSES,
    '`acknowledged`: somebody takes care of it. `recovering`: its cause is over. `merged`: part of another incident.',
  ),
  severity,
  openedAt: instant('When it was opened.'),
  startedAt: instant('When the fault began.'),
  endedAt: nullable(instant('When it was resolved.'), 'Null while it lasts.'),
  cause: nullable(IncidentCause, 'Null while no cause is known.'),
  alerts: listOf(IncidentAlert, 'Newest first, at most 100.'),
  alertCount: count('Number of its alerts.', 3),
  firingCount: count('Number of its alerts that fire.', 2),
  affectedServices: listOf(text('Name of a service.', 'checkout'), 'The root cause first; at most 100.'),
  acknowledgedBy: Type.Optional(text('Who takes care of it.', 'owner')),
  acknowledgedAt: Type.Optional(instant('Since when.')),
  commander: Type.Optional(text('Who leads.', 'owner')),
  resolvedBy: Type.Optional(text('Who has resolved it; absent if it ended by itself.', 'owner')),
  resolution: Type.Optional(text('What resolved it.', 'Rolled back to 1.4.1')),
  reopenedCount: count('How often it was reopened.', 0),
  noteCount: count('Number of notes.', 1),
  mergedInto: Type.Optional(text('The incident that it is part of.', ID)),
  timelineCount: count('Number of entries, including older ones that `timeline` leaves out.', 5),
};

export const Incident = record('Incident', 'Alerts and diagnoses of one cause.', {
  ...members,
  timeline: listOf(IncidentEntry, 'Oldest first; the newest 50.'),
});

export const Incidents = listing('Incidents', 'Incidents of a Grid.', {
  incidents: listOf(Incident, 'Unresolved first, then newest first.'),
  totalCount: count('Number of incidents on all pages.', 12),
  page: count('The page.', 1),
  pageSize: count('Incidents per page.', 20),
});

const SimilarIncident = record('SimilarIncident', 'An earlier incident that resembles this one.', {
  id: text('Id of the incident.', ID),
  title: text('What was wrong.', 'payment responds slowly'),
  similarity: choice(['same cause', 'same evidence'] as const, 'What they have in common.'),
  status: choice(STATUSES, 'Its status.', 'resolved'),
  startedAt: instant('When the fault began.'),
  endedAt: nullable(instant('When it was resolved.'), 'Null while it lasts.'),
  resolvedBy: Type.Optional(text('Who has resolved it; absent if it ended by itself.', 'owner')),
  resolution: Type.Optional(text('What resolved it.', 'Rolled back to 1.4.1')),
});

export const IncidentDetail = record('IncidentDetail', 'An incident with what belongs to it.', {
  ...members,
  timeline: listOf(IncidentEntry, 'Oldest first; the newest 500.'),
  changes: listOf(Change, 'Deployments and other changes from half an hour before its beginning on, newest first.'),
  similar: listOf(SimilarIncident, 'At most 5, the same cause first, then the newest.'),
});

export const IncidentReceipt = record('IncidentReceipt', 'What was changed.', {
  incidentId: text('Id of the incident; of the new one after a split.', ID),
});

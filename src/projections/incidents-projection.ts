import { evolveIncident } from '../diagnostics/incidents/incident-fold.js';
import type { IncidentEntry } from '../diagnostics/incidents/incident-model.js';
import {
  INCIDENTS_PROJECTION,
  INCIDENTS_VERSION,
  incidentCollections,
  incidentDocumentId,
  type IncidentDocument,
  type IncidentEntryDocument,
} from '../read-models/documents/incident-documents.js';
import type { ReadModelReader } from '../read-models/read-model-store.js';
import type { RecordedEvent } from '../streams/event-store.js';
import type { IncidentEvent } from '../streams/events/incident-events.js';
import { INCIDENTS_PREFIX } from '../streams/stream-names.js';
import { createDocumentFold, type DocumentFold } from './document-fold.js';
import { toIncidentEntries } from './incident-entries.js';
import { checkpointName, type Projection } from './projection.js';

/** What one event means for one incident. */
interface Step {
  readonly gridId: string;
  readonly incidentId: string;
  readonly number: number;
  readonly entry: IncidentEntry;
}

/** Digits of a revision in ids, so that they sort in the order of the log. */
const NUMBER_DIGITS = 10;

/** Incidents as they stand, and what has happened to each. */
export const incidentsProjection: Projection = {
  name: INCIDENTS_PROJECTION,
  schema: INCIDENTS_VERSION,
  contents: (version) => {
    const { incidents, entries } = incidentCollections(version);
    return [incidents, entries].map((collection) => ({ kind: 'documents', collection }));
  },
};

export function createIncidentsRun(version: number, store: ReadModelReader) {
  const { incidents, entries } = incidentCollections(version);
  const folds = [
    { collection: incidents, documentId: findIncidentId, evolve: evolveDocument },
    { collection: entries, documentId: findEntryId, evolve: (_: unknown, step: Step) => toEntryDocument(step) },
  ] as DocumentFold<object, Step>[];
  return {
    name: incidentsProjection.name,
    group: incidentsProjection.name,
    prefixes: [INCIDENTS_PREFIX],
    checkpoints: [checkpointName(incidentsProjection.name, version)],
    fold: createDocumentFold(folds, store, toSteps),
  };
}

function toSteps({ type, data, revision: number }: RecordedEvent): readonly Step[] {
  const event = { type, data } as IncidentEvent;
  return toIncidentEntries(event).map(({ incidentId, entry }) => ({
    gridId: event.data.gridId,
    incidentId,
    number,
    entry,
  }));
}

function findIncidentId({ gridId, incidentId }: Step): string {
  return incidentDocumentId(gridId, incidentId);
}

function findEntryId(step: Step): string {
  return `${findIncidentId(step)}/${String(step.number).padStart(NUMBER_DIGITS, '0')}`;
}

function evolveDocument(before: IncidentDocument | undefined, { gridId, incidentId, entry }: Step) {
  const incident = evolveIncident(before, incidentId, entry);
  if (incident === undefined) return undefined;
  const { status, cause } = incident;
  const isOpen = status !== 'resolved' && status !== 'merged';
  const causeKey = cause === undefined ? '' : `${cause.serviceName} ${cause.kind}`;
  const changedAt = Math.max(before?.changedAt ?? 0, entry.at);
  return { ...incident, gridId, changedAt, isOpen, causeKey } satisfies IncidentDocument;
}

function toEntryDocument({ gridId, incidentId, number, entry }: Step): IncidentEntryDocument {
  return { gridId, incidentId, at: entry.at, number, entry };
}

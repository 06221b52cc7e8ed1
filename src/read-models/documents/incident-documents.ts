import type { IncidentEntry, IncidentRecord } from '../../diagnostics/incidents/incident-model.js';
import type { Collection } from '../read-model-store.js';

/** An incident as it stands now. */
export interface IncidentDocument extends IncidentRecord {
  readonly gridId: string;
  /** Time of the last entry: as of then and later, the incident is as this document says. */
  readonly changedAt: number;
  /** Neither resolved nor part of another one. */
  readonly isOpen: boolean;
  /** Root-cause service and kind of its cause; empty: not known. */
  readonly causeKey: string;
}

/** One change of an incident: those up to a moment give the incident as of then. */
export interface IncidentEntryDocument {
  readonly gridId: string;
  readonly incidentId: string;
  readonly at: number;
  /** Revision of its event in the stream of the Grid's incidents. */
  readonly number: number;
  readonly entry: IncidentEntry;
}

export interface IncidentCollections {
  readonly incidents: Collection<IncidentDocument>;
  readonly entries: Collection<IncidentEntryDocument>;
}

/** Name of the projection that writes these collections, and its version in this release. */
export const INCIDENTS_PROJECTION = 'incidents';
export const INCIDENTS_VERSION = 1;

/** Prefixed with the Grid, because in a hand-made log incidents of two Grids may have the same id. */
export function incidentDocumentId(gridId: string, incidentId: string): string {
  return `${gridId}/${incidentId}`;
}

export function incidentCollections(version: number): IncidentCollections {
  return {
    incidents: {
      name: `incidents.v${version}`,
      indexes: [
        ['isOpen'],
        ['gridId', 'isOpen', 'openedAt'],
        ['gridId', 'openedAt'],
        ['gridId', 'changedAt'],
        ['gridId', 'causeKey', 'openedAt'],
      ],
    },
    entries: { name: `incident-entries.v${version}`, indexes: [['gridId', 'incidentId', 'number']] },
  };
}

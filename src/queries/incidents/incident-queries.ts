import { evolveIncident } from '../../diagnostics/incidents/incident-fold.js';
import type { IncidentRecord } from '../../diagnostics/incidents/incident-model.js';
import { findSimilarIncidents, type SimilarIncident } from '../../diagnostics/incidents/similar-incidents.js';
import {
  INCIDENTS_PROJECTION,
  incidentCollections,
  incidentDocumentId,
  type IncidentCollections,
  type IncidentDocument,
} from '../../read-models/documents/incident-documents.js';
import { and, eq, range, type Filter } from '../../read-models/document-filter.js';
import { readActiveVersion } from '../../read-models/documents/projection-documents.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';
import { findIncidentPage } from './incident-page.js';
import type { IncidentQueries, IncidentWithTimeline } from './incident-query-types.js';

/** Entries that an answer lists for each incident, in a list and alone. */
const ENTRIES_IN_LIST = 50;
const ENTRIES_ALONE = 500;
/** Earlier incidents that are compared with one, and similar ones that are listed. */
const COMPARED = 200;
const SIMILAR = 5;

export function createIncidentQueries(store: ReadModelReader): IncidentQueries {
  const collections = async (): Promise<IncidentCollections | undefined> => {
    const version = await readActiveVersion(store, INCIDENTS_PROJECTION);
    return version === undefined ? undefined : incidentCollections(version);
  };
  return {
    async incidents(gridId, selection) {
      const found = await collections();
      if (found === undefined) return { incidents: [], totalCount: 0 };
      const reader = new IncidentReader(store, found, gridId);
      const { documents, totalCount, atMs } = await findIncidentPage(store, found, gridId, selection, (document, at) =>
        reader.toRecord(document, at),
      );
      const incidents = await Promise.all(documents.map((each) => reader.withTimeline(each, atMs, ENTRIES_IN_LIST)));
      return { incidents, totalCount };
    },
    async incident(gridId, incidentId, asOfMs = Infinity) {
      const found = await collections();
      const document = found && (await store.get(found.incidents, incidentDocumentId(gridId, incidentId)));
      if (found === undefined || document === undefined || document.openedAt > asOfMs) return undefined;
      const reader = new IncidentReader(store, found, gridId);
      const incident = await reader.toRecord(document, asOfMs);
      if (incident === undefined) return undefined;
      const similar = await reader.findSimilar(incident, asOfMs);
      return { ...(await reader.withTimeline(incident, asOfMs, ENTRIES_ALONE)), similar };
    },
    async gridsWithOpenIncidents() {
      const found = await collections();
      if (found === undefined) return [];
      const open = await store.find(found.incidents, { filter: eq('isOpen', true) });
      return [...new Set(open.map(({ document }) => document.gridId))];
    },
  };
}

/** Reads incidents of one Grid as of a moment. */
class IncidentReader {
  constructor(
    private readonly store: ReadModelReader,
    private readonly collections: IncidentCollections,
    private readonly gridId: string,
  ) {}

  /** The incident as of this moment: the document, or what its entries until then add up to. */
  async toRecord(document: IncidentDocument, atMs: number): Promise<IncidentRecord | undefined> {
    if (document.changedAt <= atMs) return document;
    const entries = await this.store.find(this.collections.entries, {
      filter: this.entriesUntil(document.id, atMs),
      sort: [{ field: 'number' }],
    });
    return entries.reduce<IncidentRecord | undefined>(
      (incident, { document: { entry } }) => evolveIncident(incident, document.id, entry),
      undefined,
    );
  }

  async withTimeline(incident: IncidentRecord, atMs: number, limit: number): Promise<IncidentWithTimeline> {
    const { entries } = this.collections;
    const filter = this.entriesUntil(incident.id, atMs);
    const sort = [{ field: 'number', descending: true }];
    const [newest, timelineCount] = await Promise.all([
      this.store.find(entries, { filter, sort, limit }),
      this.store.count(entries, filter),
    ]);
    return { incident, timeline: newest.map(({ document }) => document.entry).reverse(), timelineCount };
  }

  async findSimilar(incident: IncidentRecord, atMs: number): Promise<readonly SimilarIncident[]> {
    const { cause, openedAt } = incident;
    if (cause === undefined) return [];
    const before = and(eq('gridId', this.gridId), range('openedAt', undefined, openedAt));
    const sameCause = and(
      eq('gridId', this.gridId),
      eq('causeKey', toCauseKey(cause)),
      range('openedAt', undefined, openedAt),
    );
    const found = await Promise.all([this.findNewest(sameCause, SIMILAR), this.findNewest(before, COMPARED)]);
    const documents = new Map(found.flat().map((document) => [document.id, document]));
    const records = await Promise.all([...documents.values()].map((document) => this.toRecord(document, atMs)));
    return findSimilarIncidents(
      incident,
      records.filter((each) => each !== undefined),
      SIMILAR,
    );
  }

  private async findNewest(filter: Filter, limit: number): Promise<IncidentDocument[]> {
    const sort = [{ field: 'openedAt', descending: true }];
    const found = await this.store.find(this.collections.incidents, { filter, sort, limit });
    return found.map(({ document }) => document);
  }

  private entriesUntil(incidentId: string, atMs: number): Filter {
    const ofIncident = [eq('gridId', this.gridId), eq('incidentId', incidentId)];
    return and(...ofIncident, ...(atMs === Infinity ? [] : [range('at', undefined, atMs + 1)]));
  }
}

function toCauseKey({ serviceName, kind }: { readonly serviceName: string; readonly kind: string }): string {
  return `${serviceName} ${kind}`;
}

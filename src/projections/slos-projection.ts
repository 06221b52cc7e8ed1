import { formatIndicator, type Indicator } from '../diagnostics/slos/slo-model.js';
import { maintenanceCollection } from '../read-models/documents/maintenance-documents.js';
import {
  RECORDED_HOURS,
  sloCollection,
  sloDocumentId,
  type RecordedCounts,
  type SloDocument,
  SLOS_PROJECTION,
  SLOS_VERSION,
} from '../read-models/documents/slo-documents.js';
import type { ReadModelReader } from '../read-models/read-model-store.js';
import type { SloEvent, SloEventsCounted, StoredSlo } from '../streams/events/slo-events.js';
import { GRID_PREFIX, SLOS_PREFIX } from '../streams/stream-names.js';
import { createDocumentFold, type DocumentFold, selectEvents } from './document-fold.js';
import { evolveMaintenance, type SilenceEvent } from './maintenance-fold.js';
import { checkpointName, type Projection } from './projection.js';

type Event = SloEvent | SloEventsCounted | SilenceEvent;

/** Service level objectives of every Grid, with what was recorded of their events, and planned maintenance. */
export const slosProjection: Projection = {
  name: SLOS_PROJECTION,
  schema: SLOS_VERSION,
  contents: (version) => [
    { kind: 'documents', collection: sloCollection(version) },
    { kind: 'documents', collection: maintenanceCollection(version) },
  ],
};

export function createSlosRun(version: number, store: ReadModelReader) {
  const folds = [
    { collection: sloCollection(version), documentId: findSloDocument, evolve: evolveSlo },
    {
      collection: maintenanceCollection(version),
      documentId: (event: Event) => (isSilence(event) ? event.data.gridId : undefined),
      evolve: evolveMaintenance,
    },
  ] as DocumentFold<object, Event>[];
  return {
    name: slosProjection.name,
    group: slosProjection.name,
    prefixes: [GRID_PREFIX, SLOS_PREFIX],
    checkpoints: [checkpointName(slosProjection.name, version)],
    fold: createDocumentFold(folds, store, SLO_EVENTS),
  };
}

const SLO_EVENTS = selectEvents<Event>(
  'SloCreated.v2',
  'SloChanged.v2',
  'SloDeleted.v1',
  'SloEventsCounted.v2',
  'SilenceCreated.v1',
  'SilenceChanged.v1',
  'SilenceDeleted.v1',
);

function isSilence(event: Event): event is SilenceEvent {
  return 'silence' in event.data || 'silenceId' in event.data;
}

function findSloDocument(event: Event): string | undefined {
  if (isSilence(event)) return undefined;
  const { data } = event;
  return sloDocumentId(data.gridId, 'slo' in data ? data.slo.id : data.sloId);
}

function evolveSlo(before: SloDocument | undefined, event: SloEvent | SloEventsCounted): SloDocument | undefined {
  if (event.type === 'SloDeleted.v1') return undefined;
  if (event.type === 'SloEventsCounted.v2') return before && { ...before, counts: addCounted(before.counts, event) };
  const { gridId, at, slo } = event.data;
  const counts = countsSameEvents(slo, before) ? before!.counts : { definedAt: at, through: -1, hours: [] };
  return { ...slo, gridId, createdAt: before?.createdAt ?? at, updatedAt: at, counts };
}

function countsSameEvents(slo: StoredSlo, before: StoredSlo | undefined): boolean {
  const [now, then] = [slo, before].map((each) => each && formatIndicator(each.indicator as Indicator));
  return now === then;
}

/** Counts of an indicator that was replaced meanwhile, or that are already included, change nothing. */
function addCounted(counts: RecordedCounts, { data }: SloEventsCounted): RecordedCounts {
  if (data.definedAt !== counts.definedAt || data.after !== counts.through) return counts;
  const maintenance = addHours(counts.maintenance ?? [], data.maintenance ?? []);
  return {
    definedAt: counts.definedAt,
    through: data.through,
    hours: addHours(counts.hours, data.hours),
    ...(maintenance.length > 0 && { maintenance }),
  };
}

function addHours(before: RecordedCounts['hours'], added: RecordedCounts['hours']): RecordedCounts['hours'] {
  const hours = new Map(before.map(([hour, ...of]) => [hour, of]));
  for (const [hour, good, total] of added) {
    const [goodBefore, totalBefore] = hours.get(hour) ?? [0, 0];
    hours.set(hour, [goodBefore + good, totalBefore + total]);
  }
  const ascending = [...hours].map(([hour, [good, total]]) => [hour, good, total] as const).sort(([a], [b]) => a - b);
  return ascending.slice(-RECORDED_HOURS);
}

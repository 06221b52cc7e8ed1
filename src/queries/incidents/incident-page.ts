import type { TimeSelection } from '../../diagnostics/time-windows.js';
import type { IncidentRecord } from '../../diagnostics/incidents/incident-model.js';
import { and, eq, range, type Filter } from '../../read-models/document-filter.js';
import type { IncidentCollections, IncidentDocument } from '../../read-models/documents/incident-documents.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';
import type { IncidentSelection } from './incident-query-types.js';

type ToRecord = (document: IncidentDocument, atMs: number) => Promise<IncidentRecord | undefined>;

/** Some incidents as of `atMs`, and how many there are. */
interface FoundIncidents {
  readonly documents: readonly IncidentRecord[];
  readonly totalCount: number;
  readonly atMs: number;
}

/**
 * One page of incidents: unresolved first, then newest first. What has not changed since `atMs` is read as it is, and
 * past incidents of it page by page; only the others are put together from their entries.
 */
export async function findIncidentPage(
  store: ReadModelReader,
  { incidents: collection }: IncidentCollections,
  gridId: string,
  { when, statuses, page, pageSize }: IncidentSelection,
  toRecord: ToRecord,
): Promise<FoundIncidents> {
  const { fromMs, atMs } = resolveTime(when);
  const until = atMs === Infinity ? undefined : atMs + 1;
  const ofGrid = [eq('gridId', gridId), range('openedAt', undefined, until)];
  const readAll = async (...filters: readonly Filter[]): Promise<IncidentDocument[]> =>
    (await store.find(collection, { filter: and(...ofGrid, ...filters) })).map(({ document }) => document);
  const changed = until === undefined ? [] : await readAll(range('changedAt', until));
  const lasting = (await readAll(eq('isOpen', true))).filter(({ changedAt }) => changedAt <= atMs);
  const isWanted = (incident: IncidentRecord): boolean =>
    (statuses?.includes(incident.status) ?? incident.status !== 'merged') && (incident.endedAt ?? Infinity) >= fromMs;
  const then = await Promise.all(changed.map((document) => toRecord(document, atMs)));
  const known = [...lasting, ...then].filter((each) => each !== undefined).filter(isWanted);
  const open = known.filter(({ endedAt }) => endedAt === undefined).sort(compareNewest);
  const ended = known.filter(({ endedAt }) => endedAt !== undefined).sort(compareNewest);
  const isPastWanted = statuses?.includes('resolved') ?? true;
  const past = and(
    ...ofGrid,
    eq('isOpen', false),
    eq('status', 'resolved'),
    ...(until === undefined ? [] : [range('changedAt', undefined, until)]),
    ...(fromMs === -Infinity ? [] : [range('endedAt', fromMs)]),
  );
  const pastCount = isPastWanted ? await store.count(collection, past) : 0;
  const skip = (page - 1) * pageSize;
  const fromOpen = open.slice(skip, skip + pageSize);
  const readPast = async (from: number, limit: number): Promise<IncidentDocument[]> => {
    const sort = [{ field: 'openedAt', descending: true }];
    return (await store.find(collection, { filter: past, sort, skip: from, limit })).map(({ document }) => document);
  };
  const rest = { from: Math.max(0, skip - open.length), limit: pageSize - fromOpen.length };
  const fromEnded = rest.limit === 0 ? [] : await mergePast(ended, isPastWanted ? readPast : undefined, rest);
  return { documents: [...fromOpen, ...fromEnded], totalCount: open.length + ended.length + pastCount, atMs };
}

/** Part of two sorted lists in one order, of which the second is read in parts. */
async function mergePast(
  ended: readonly IncidentRecord[],
  readPast: ((from: number, limit: number) => Promise<readonly IncidentRecord[]>) | undefined,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<readonly IncidentRecord[]> {
  const skipped = Math.max(0, from - ended.length);
  const past = (await readPast?.(skipped, limit + ended.length)) ?? [];
  const first = past.at(0);
  const merged = [...ended, ...past].sort(compareNewest);
  // Before the first of those that were read come the skipped ones, and some of the others.
  const offset = skipped > 0 && first !== undefined ? skipped : 0;
  return merged.slice(from - offset, from - offset + limit);
}

function resolveTime({ asOfMs, range: window }: TimeSelection): { readonly fromMs: number; readonly atMs: number } {
  if (window !== undefined) return { fromMs: window.fromMs, atMs: window.toMs };
  return { fromMs: -Infinity, atMs: asOfMs ?? Infinity };
}

function compareNewest(a: IncidentRecord, b: IncidentRecord): number {
  return b.openedAt - a.openedAt || (a.id < b.id ? -1 : 1);
}

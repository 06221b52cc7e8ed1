import {
  AUDIT_PROJECTION,
  AUDIT_VERSION,
  auditCollections,
  type AuditCollections,
  type AuditDocument,
  type AuditValues,
} from '../read-models/documents/audit-documents.js';
import type { DocumentChange, ReadModelReader } from '../read-models/read-model-store.js';
import {
  ALERTS_PREFIX,
  ERROR_GROUPS_PREFIX,
  GRID_PREFIX,
  INCIDENTS_PREFIX,
  RETENTION_WITHDRAWALS_STREAM,
} from '../streams/stream-names.js';
import { checkpointName, type Fold, type Projection } from './projection.js';
import type { RecordedEvent } from '../streams/event-store.js';
import type { Authored } from '../streams/events/grid-events.js';
import { type AuditedChange, toAuditedChange } from './audit-catalog.js';

/** Who did what to a Grid, and when. */
export const auditProjection: Projection = {
  name: AUDIT_PROJECTION,
  schema: AUDIT_VERSION,
  contents: (version) => {
    const { entries, counts, subjects } = auditCollections(version);
    return [entries, counts, subjects].map((collection) => ({ kind: 'documents', collection }));
  },
};

export function createAuditRun(version: number, store: ReadModelReader) {
  return {
    name: auditProjection.name,
    group: auditProjection.name,
    prefixes: [GRID_PREFIX, ALERTS_PREFIX, INCIDENTS_PREFIX, ERROR_GROUPS_PREFIX, RETENTION_WITHDRAWALS_STREAM],
    checkpoints: [checkpointName(auditProjection.name, version)],
    fold: new AuditFold(version, store),
  };
}

const MAX_AUDIT_EVENTS_PER_COMMIT = 1_000;

/** Digits of the largest number, so that ids sort by number. */
const NUMBER_DIGITS = String(Number.MAX_SAFE_INTEGER).length;

type SubjectState = AuditValues | undefined;

/** Uncommitted state: values of subjects, and number of entries by Grid. */
interface Pending {
  readonly subjects: Map<string, SubjectState>;
  readonly counts: Map<string, number>;
}

type AuthoredRecord = RecordedEvent<Authored & { readonly gridId: string }>;

/** Writes an entry for each event with an author, and remembers the values of its subject. */
export class AuditFold implements Fold {
  private readonly collections: AuditCollections;

  constructor(
    version: number,
    private readonly store: ReadModelReader,
  ) {
    this.collections = auditCollections(version);
  }

  restore(): Promise<void> {
    return Promise.resolve();
  }

  commitSize(events: readonly RecordedEvent[], from: number): number {
    return Math.min(MAX_AUDIT_EVENTS_PER_COMMIT, events.length - from);
  }

  async fold(events: readonly RecordedEvent[]): Promise<DocumentChange[]> {
    const pending: Pending = { subjects: new Map(), counts: new Map() };
    const entries: DocumentChange[] = [];
    for (const event of events) {
      const change = toAuditedChange(event.type, event.data);
      if (change !== undefined) entries.push(await this.createEntry(event as AuthoredRecord, change, pending));
    }
    return [...entries, ...this.toChanges(pending)];
  }

  private async createEntry(
    { data: { gridId, at, actor } }: AuthoredRecord,
    change: AuditedChange,
    pending: Pending,
  ): Promise<DocumentChange> {
    const { action, target, label } = change;
    const number = await this.nextNumber(gridId, pending);
    const [before, after] = await this.evolveSubject(gridId, change, pending);
    const document: AuditDocument = {
      gridId,
      number,
      at,
      actor,
      action,
      target,
      details: describeChange(before, after, label),
    };
    return {
      kind: 'put',
      collection: this.collections.entries,
      id: `${gridId}/${String(number).padStart(NUMBER_DIGITS, '0')}`,
      document,
    };
  }

  private async nextNumber(gridId: string, { counts }: Pending): Promise<number> {
    const count = counts.get(gridId) ?? (await this.store.get(this.collections.counts, gridId))?.count ?? 0;
    counts.set(gridId, count + 1);
    return count + 1;
  }

  /** Values of the subject before and after the event. */
  private async evolveSubject(
    gridId: string,
    { subject, applyTo, others = new Map() }: AuditedChange,
    { subjects }: Pending,
  ): Promise<readonly [SubjectState, SubjectState]> {
    const id = `${gridId}/${subject}`;
    const before = subjects.has(id) ? subjects.get(id) : (await this.store.get(this.collections.subjects, id))?.values;
    const after = applyTo(before);
    subjects.set(id, after);
    for (const [name, values] of others) subjects.set(`${gridId}/${name}`, values);
    return [before, after];
  }

  private toChanges({ subjects, counts }: Pending): DocumentChange[] {
    const { subjects: collection, counts: countsCollection } = this.collections;
    return [
      ...Array.from(subjects, ([id, values]): DocumentChange =>
        values === undefined
          ? { kind: 'delete', collection, id }
          : { kind: 'put', collection, id, document: { values } },
      ),
      ...Array.from(counts, ([id, count]): DocumentChange => ({
        kind: 'put',
        collection: countsCollection,
        id,
        document: { count },
      })),
    ];
  }
}

/**
 * Describes a change so that a reader needs no other entry: all values of a subject that was created or deleted; for a
 * change `{ from, to }` of each value that differs, plus the display name. A value that is new has no `from`, one that
 * was removed has no `to`.
 */
function describeChange(
  before: AuditValues | undefined,
  after: AuditValues | undefined,
  label: AuditedChange['label'],
): AuditValues {
  if (before === undefined || after === undefined) return after ?? before ?? {};
  const named = label !== undefined && label in after ? { [label]: after[label] } : {};
  return { ...named, ...diffValues(before, after) };
}

function diffValues(before: AuditValues, after: AuditValues): AuditValues {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const differing = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(
    differing.map((name) => [
      name,
      { ...(name in before && { from: before[name] }), ...(name in after && { to: after[name] }) },
    ]),
  );
}

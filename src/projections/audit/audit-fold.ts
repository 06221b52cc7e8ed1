import { auditCollections, type AuditCollections, type AuditDocument, type AuditValues } from '../../read-models/audit.js';
import type { Change, ReadModelReader } from '../../read-models/store.js';
import type { RecordedEvent } from '../../streams/event-store.js';
import type { Authored } from '../../streams/events/grid-events.js';
import type { Fold } from '../fold.js';
import { detailsOf } from './details.js';
import { meaningOf, type Meaning } from './meanings.js';

const EVENTS_A_COMMIT = 1_000;

/** Digits of the largest number, so that ids stand in its order. */
const NUMBER_DIGITS = String(Number.MAX_SAFE_INTEGER).length;

type Standing = AuditValues | undefined;

/** What no commit has seen yet: how subjects stand, and how many entries Grids have. */
interface Pending {
  readonly subjects: Map<string, Standing>;
  readonly counts: Map<string, number>;
}

type AuthoredRecord = RecordedEvent<Authored & { readonly gridId: string }>;

/** An entry for each event that somebody is the author of, and how its subject stands since. */
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

  portion(events: readonly RecordedEvent[], from: number): number {
    return Math.min(EVENTS_A_COMMIT, events.length - from);
  }

  async fold(events: readonly RecordedEvent[]): Promise<Change[]> {
    const pending: Pending = { subjects: new Map(), counts: new Map() };
    const entries: Change[] = [];
    for (const event of events) {
      const meaning = meaningOf(event.type, event.data);
      if (meaning !== undefined) entries.push(await this.entryOf(event as AuthoredRecord, meaning, pending));
    }
    return [...entries, ...this.changesOf(pending)];
  }

  private async entryOf({ data: { gridId, at, actor } }: AuthoredRecord, meaning: Meaning, pending: Pending): Promise<Change> {
    const { action, target, label } = meaning;
    const number = await this.nextNumber(gridId, pending);
    const [before, after] = await this.change(gridId, meaning, pending);
    const document: AuditDocument = { gridId, number, at, actor, action, target, details: detailsOf(before, after, label) };
    return { kind: 'put', collection: this.collections.entries, id: `${gridId}/${String(number).padStart(NUMBER_DIGITS, '0')}`, document };
  }

  private async nextNumber(gridId: string, { counts }: Pending): Promise<number> {
    const count = counts.get(gridId) ?? (await this.store.get(this.collections.counts, gridId))?.count ?? 0;
    counts.set(gridId, count + 1);
    return count + 1;
  }

  /** How the subject stood, and stands. */
  private async change(gridId: string, { subject, after: afterOf, others = new Map() }: Meaning, { subjects }: Pending): Promise<readonly [Standing, Standing]> {
    const id = `${gridId}/${subject}`;
    const before = subjects.has(id) ? subjects.get(id) : (await this.store.get(this.collections.subjects, id))?.values;
    const after = afterOf(before);
    subjects.set(id, after);
    for (const [name, values] of others) subjects.set(`${gridId}/${name}`, values);
    return [before, after];
  }

  private changesOf({ subjects, counts }: Pending): Change[] {
    const { subjects: collection, counts: countsCollection } = this.collections;
    return [
      ...Array.from(subjects, ([id, values]): Change => (values === undefined ? { kind: 'delete', collection, id } : { kind: 'put', collection, id, document: { values } })),
      ...Array.from(counts, ([id, count]): Change => ({ kind: 'put', collection: countsCollection, id, document: { count } })),
    ];
  }
}

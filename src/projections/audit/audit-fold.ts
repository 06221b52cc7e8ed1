import { auditCollections, type AuditCollections, type AuditDocument, type AuditValues } from '../../read-models/audit.js';
import type { Change, ReadModelReader } from '../../read-models/store.js';
import type { RecordedEvent } from '../../streams/event-store.js';
import type { Authored } from '../../streams/events/grid-events.js';
import type { Fold } from '../fold.js';
import { detailsOf } from './details.js';
import { meaningOf, type Meaning } from './meanings.js';

const EVENTS_A_COMMIT = 1_000;

/** Digits of the largest revision. */
const REVISION_DIGITS = String(Number.MAX_SAFE_INTEGER).length;

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
    /** How subjects stand that no commit has seen yet. */
    const pending = new Map<string, AuditValues | undefined>();
    const entries: Change[] = [];
    for (const event of events) {
      const meaning = meaningOf(event.type, event.data);
      if (meaning !== undefined) entries.push(await this.entryOf(event as AuthoredRecord, meaning, pending));
    }
    return [...entries, ...this.changesOf(pending)];
  }

  private async entryOf(event: AuthoredRecord, meaning: Meaning, pending: Map<string, AuditValues | undefined>): Promise<Change> {
    const { revision, data: { gridId, at, actor } } = event;
    const { action, target, subject, label, others = [] } = meaning;
    const id = `${gridId}/${subject}`;
    const before = pending.has(id) ? pending.get(id) : (await this.store.get(this.collections.subjects, id))?.values;
    const after = meaning.after(before);
    pending.set(id, after);
    for (const [name, values] of others) pending.set(`${gridId}/${name}`, values);
    const document: AuditDocument = { gridId, revision, at, actor, action, target, details: detailsOf(before, after, label) };
    return { kind: 'put', collection: this.collections.entries, id: `${gridId}/${String(revision).padStart(REVISION_DIGITS, '0')}`, document };
  }

  private changesOf(pending: ReadonlyMap<string, AuditValues | undefined>): Change[] {
    const collection = this.collections.subjects;
    return Array.from(pending, ([id, values]) => (values === undefined ? { kind: 'delete', collection, id } : { kind: 'put', collection, id, document: { values } }));
  }
}

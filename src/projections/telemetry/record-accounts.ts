import { NO_RECORDS } from '../../accounting/record-account.js';
import {
  recordAccountCollection,
  type RecordAccountDocument,
} from '../../read-models/documents/record-account-documents.js';
import type { Collection, DocumentChange, ReadModelReader } from '../../read-models/read-model-store.js';
import type { RecordedEvent } from '../../streams/event-store.js';
import type { TelemetryReceived } from '../../streams/events/telemetry-events.js';
import type { Signal } from '../../telemetry/signals.js';
import type { ProjectionContent } from '../projection.js';
import type { EventRows } from './telemetry-batch.js';

type Account = { -readonly [Field in keyof RecordAccountDocument]: RecordAccountDocument[Field] };

/** Figures to which records are added one commit after the other. */
type CountedOutcome = 'duplicateRequests' | 'expiredOnArrival' | 'searchable';

/**
 * Counts the outcomes of one signal's records, by Grid. The changes belong to the commit of the batch, so that the
 * figures are exact after any crash.
 */
export class RecordAccounts {
  private readonly collection: Collection<RecordAccountDocument>;
  private readonly accounts = new Map<string, Account>();
  private readonly changed = new Set<Account>();

  constructor(
    signal: Signal,
    version: number,
    private readonly store: ReadModelReader,
  ) {
    this.collection = recordAccountCollection(signal, version);
  }

  /** Discards everything that is not in the store. */
  async restore(): Promise<void> {
    this.accounts.clear();
    this.changed.clear();
    for (const { document } of await this.store.find(this.collection, {}))
      this.accounts.set(document.gridId, { ...document });
  }

  /** Counts the records of a stored request as received. */
  addRequest({ recordedAt, data }: RecordedEvent<TelemetryReceived>): void {
    const account = this.getOrCreate(data.gridId, recordedAt);
    account.received += data.accepted + data.rejected.length;
    account.rejected += data.rejected.length;
  }

  /** Counts records of a request that was added before. */
  add(gridId: string, outcome: CountedOutcome, records: number): void {
    const account = this.accounts.get(gridId);
    if (account === undefined || records === 0) return;
    account[outcome] += records;
    this.changed.add(account);
  }

  /** Counts the rows of a batch that do not become searchable. */
  addRows(eventRows: readonly EventRows[]): void {
    for (const { gridId, dropped } of eventRows) {
      const account = this.accounts.get(gridId);
      if (account === undefined) continue;
      account.expiredOnArrival += dropped.expired;
      account.duplicateRecords += dropped.duplicates;
      account.withoutValue += dropped.withoutValue;
    }
  }

  /** Sets how many records of the Grid the read models hold now; those that are gone have expired. */
  setSearchable(gridId: string, searchable: number, expired = 0): void {
    const account = this.accounts.get(gridId);
    if (account === undefined) return;
    account.searchable = searchable;
    account.expired += expired;
    this.changed.add(account);
  }

  /** Moves records from `searchable` to `expired`. */
  expire(gridId: string, records: number): void {
    this.setSearchable(gridId, (this.accounts.get(gridId)?.searchable ?? 0) - records, records);
  }

  /** Changes since the last call. */
  takeChanges(): DocumentChange[] {
    const changes = [...this.changed].map((account): DocumentChange => ({
      kind: 'put',
      collection: this.collection,
      id: account.gridId,
      document: { ...account },
    }));
    this.changed.clear();
    return changes;
  }

  private getOrCreate(gridId: string, since: number): Account {
    let account = this.accounts.get(gridId);
    if (account === undefined) {
      const { deadLetters: _, ...none } = NO_RECORDS;
      account = { gridId, since, ...none };
      this.accounts.set(gridId, account);
    }
    this.changed.add(account);
    return account;
  }
}

/**
 * Content of a projection with record accounts. Not part of the digest: retention deletes events that the live accounts
 * have counted, and a replay cannot.
 */
export function recordAccountContent(signal: Signal, version: number): ProjectionContent {
  return { kind: 'derived', collection: recordAccountCollection(signal, version) };
}

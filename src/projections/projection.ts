import type { AnyCollection, Document, DocumentChange, ReadModelReader } from '../read-models/read-model-store.js';
import type { Position, RecordedEvent } from '../streams/event-store.js';
import { readActiveVersion } from '../read-models/documents/projection-documents.js';

/** A document whose `stamp` is larger than that of any that was written before it. */
export interface Stamped {
  readonly stamp: number;
}

/** What a projection keeps in the store, and what of it counts in its digest. */
export type ProjectionContent =
  /** `canonical` leaves out what may differ between equal read models; absent: all counts. */
  | {
      readonly kind: 'documents';
      readonly collection: AnyCollection;
      readonly canonical?: (document: Document) => Document;
    }
  /** Stamped documents with one blob each, whose bytes are the same for the same content. `canonical` MUST leave `stamp` out. */
  | {
      readonly kind: 'blobs';
      readonly collection: AnyCollection;
      readonly blob: string;
      readonly canonical: (document: Document) => Document;
    }
  /** Made of other contents and of nothing else: no part of the digest. */
  | { readonly kind: 'derived'; readonly collection: AnyCollection }
  /**
   * `digest` sums up the rows of one block, undefined where it is gone; sums over a Grid's blocks do not depend on how
   * its rows are spread over them.
   */
  | {
      readonly kind: 'blocks';
      readonly collection: AnyCollection;
      readonly digest: (store: ReadModelReader, id: string) => Promise<bigint | undefined>;
    };

/** A read model that can be built anew from the log. */
export interface Projection {
  readonly name: string;
  /** Counts up with every change of its documents' shape or meaning; the program rebuilds what has another one. */
  readonly schema: number;
  contents(version: number): readonly ProjectionContent[];
}

export function checkpointName(projection: string, version: number): string {
  return `${projection}.v${version}`;
}

/**
 * Turns events into changes of read models. May keep state in memory as long as `restore` can bring it back
 * to what the last commit left in the store.
 */
export interface Fold {
  /** Forgets everything and loads what the store holds at its checkpoint. Called before the first fold and after any failure. */
  restore(): Promise<void>;

  /**
   * How many of the events from index `from` on go into one commit, at least 1.
   * Bounds the work of a commit, and parts events that must not be folded together.
   */
  commitSize(events: readonly RecordedEvent[], from: number): number;

  /**
   * The changes that these events make, in the order of the log; what they amount to MUST NOT depend on how the log was
   * cut into portions. Nothing is written here. Rejects with code `unavailable` when a store is away; any other failure
   * means that one of the events is indigestible.
   */
  fold(events: readonly RecordedEvent[]): Promise<DocumentChange[]>;
}

/** Projections that are committed together, fold by fold. */
export interface ProjectionRun {
  /** For logs. */
  readonly name: string;
  /** Of the group of projections: an event that is parked live and again in a rebuild is parked once. */
  readonly group: string;
  /** Streams that it reads. */
  readonly prefixes: readonly string[];
  /** Checkpoints that each commit moves, at least one; they are always equal. */
  readonly checkpoints: readonly string[];
  readonly fold: Fold;
}

/** Up to where the read models of a projection reflect the log, whoever keeps them; undefined before the first commit. */
export async function readProjectionPosition(
  store: ReadModelReader,
  projection: string,
): Promise<Position | undefined> {
  const version = await readActiveVersion(store, projection);
  return version === undefined ? undefined : store.readCheckpoint(checkpointName(projection, version));
}

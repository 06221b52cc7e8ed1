import type { AnyCollection, Document, DocumentChange, ReadModelReader } from '../read-models/read-model-store.js';
import type { Position, RecordedEvent } from '../streams/event-store.js';
import { readActiveVersion } from '../read-models/documents/projection-documents.js';

/** A document whose `stamp` is larger than that of every document written before it. */
export interface Stamped {
  readonly stamp: number;
}

/** Content of a projection in the store, and how it enters the digest. */
export type ProjectionContent =
  /** `canonical` omits what may differ between equal read models; absent: the whole document counts. */
  | {
      readonly kind: 'documents';
      readonly collection: AnyCollection;
      readonly canonical?: (document: Document) => Document;
    }
  /**
   * Stamped documents with one blob each, whose bytes are the same for the same content. `canonical` MUST omit `stamp`.
   */
  | {
      readonly kind: 'blobs';
      readonly collection: AnyCollection;
      readonly blob: string;
      readonly canonical: (document: Document) => Document;
    }
  /** Derived from other content: not part of the digest. */
  | { readonly kind: 'derived'; readonly collection: AnyCollection }
  /**
   * `digest` sums up the rows of one block, undefined if it is gone. The sum over the blocks of a Grid does not depend
   * on how its rows are distributed over them.
   */
  | {
      readonly kind: 'blocks';
      readonly collection: AnyCollection;
      readonly digest: (store: ReadModelReader, id: string) => Promise<bigint | undefined>;
    };

/** A read model that can be rebuilt from the log. */
export interface Projection {
  readonly name: string;
  /**
   * Increases with every change of the shape or meaning of its documents; stored versions with another schema are
   * rebuilt.
   */
  readonly schema: number;
  contents(version: number): readonly ProjectionContent[];
}

export function checkpointName(projection: string, version: number): string {
  return `${projection}.v${version}`;
}

/**
 * Turns events into changes of read models. May have state in memory as long as `restore` can bring it back to the last
 * commit.
 */
export interface Fold {
  /**
   * Discards all state and loads what the store holds at its checkpoint. Called before the first fold and after any
   * failure.
   */
  restore(): Promise<void>;

  /**
   * How many of the events from index `from` on go into one commit, at least 1. Bounds the work of a commit, and
   * separates events that must not be folded together.
   */
  commitSize(events: readonly RecordedEvent[], from: number): number;

  /**
   * The changes that these events cause, in log order; the result MUST NOT depend on how the log was split into
   * batches. Writes nothing. Rejects with code `unavailable` if a store is unavailable; any other failure means that
   * one of the events cannot be folded.
   */
  fold(events: readonly RecordedEvent[]): Promise<DocumentChange[]>;

  /**
   * Drops what is in the store and was not needed since the previous call. Called only when everything that was folded
   * is committed.
   */
  releaseMemory?(): void;
}

/** Projections that are committed together. */
export interface ProjectionRun {
  /** For log output and the poison-event journal. */
  readonly name: string;
  /** Name of the projection group: an event that is skipped both live and in a rebuild is one dead letter. */
  readonly group: string;
  /** Prefixes of the streams that it reads. */
  readonly prefixes: readonly string[];
  /** Checkpoints that every commit advances, at least one; they are always equal. */
  readonly checkpoints: readonly string[];
  readonly fold: Fold;
}

/**
 * Position that the read models of a projection reflect, whichever process writes them; undefined before the first
 * commit.
 */
export async function readProjectionPosition(
  store: ReadModelReader,
  projection: string,
): Promise<Position | undefined> {
  const version = await readActiveVersion(store, projection);
  return version === undefined ? undefined : store.readCheckpoint(checkpointName(projection, version));
}

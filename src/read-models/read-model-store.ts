import type { Component } from '../component.js';
import type { Position } from '../streams/event-store.js';
import type { Filter, DocumentQuery } from './document-filter.js';

/** A JSON document. `undefined` members are not stored. */
export type Document = object;

/** A collection whose document type does not matter to the caller. */
export interface AnyCollection {
  /** Physical name: `<logical name>.v<projection version>`. Letters, digits, `-`, `_` and `.` only. */
  readonly name: string;
  readonly indexes: readonly (readonly string[])[];
}

/**
 * Documents of one shape, written by one version of one projection. `indexes`: field combinations by which queries
 * filter and sort. A query without an index returns the same result, only slower.
 */
export interface Collection<D extends Document = Document> extends AnyCollection {
  readonly indexes: readonly (readonly (keyof D & string)[])[];
}

export type DocumentChange =
  /** Creates or replaces the document and all of its blobs. */
  | {
      readonly kind: 'put';
      readonly collection: AnyCollection;
      readonly id: string;
      readonly document: Document;
      readonly blobs?: Readonly<Record<string, Uint8Array>>;
    }
  | { readonly kind: 'delete'; readonly collection: AnyCollection; readonly id: string };

/** Position up to which the documents of a projection reflect the log. */
export interface Checkpoint {
  /** `<projection name>.v<version>`. */
  readonly projection: string;
  /** Checkpoint on which the commit is based; undefined for the first commit. */
  readonly expected: Position | undefined;
  readonly position: Position;
}

/**
 * Selects blobs of a collection: those of documents whose id starts with `prefix` and sorts after `after` if it is
 * given, at most `limit`.
 */
export interface BlobPage {
  readonly prefix: string;
  readonly after?: string;
  readonly limit: number;
}

export type CommitResult =
  { readonly ok: true } | { readonly ok: false; readonly fenced: true; readonly found: Position | undefined };

/**
 * Read access to the read models. After `close` all methods MUST reject with code `unavailable`, and `check` MUST
 * report it.
 */
export interface ReadModelReader extends Component {
  /**
   * A number that changes with every commit of others; equal numbers mean that nothing was committed in between. Absent or
   * undefined if the store cannot tell.
   */
  readChangeCounter?(): Promise<number | undefined>;
  /** Gives back what the store has cached, such as pages of the file; they are read again when they are needed. */
  releaseMemory?(): void;
  readCheckpoint(projection: string): Promise<Position | undefined>;
  get<D extends Document>(collection: Collection<D>, id: string): Promise<D | undefined>;
  find<D extends Document>(
    collection: Collection<D>,
    query: DocumentQuery,
  ): Promise<{ readonly id: string; readonly document: D }[]>;
  count(collection: AnyCollection, filter?: Filter): Promise<number>;
  /**
   * One named blob of one document, undefined if the document or the blob does not exist. The caller owns the bytes.
   */
  readBlob(collection: AnyCollection, id: string, name: string): Promise<Uint8Array | undefined>;
  /**
   * One named blob of many documents, ascending by id in the order of filter strings; documents without it are skipped.
   * The caller owns the bytes.
   */
  readBlobs(
    collection: AnyCollection,
    name: string,
    page: BlobPage,
  ): Promise<{ readonly id: string; readonly blob: Uint8Array }[]>;
}

/**
 * The read model store: documents by collection, some with named blobs. A collection exists as soon as it is named;
 * reading an unknown one returns nothing.
 */
export interface ReadModelStore extends ReadModelReader {
  /**
   * Applies all changes in order and sets all checkpoints, or does nothing. Readers MUST see either all of it or
   * nothing. If a stored checkpoint differs from `expected`, nothing MUST change and the result is `fenced`: another
   * projector owns that projection.
   */
  commit(changes: readonly DocumentChange[], checkpoints: readonly Checkpoint[]): Promise<CommitResult>;
  /** Removes a whole collection with its blobs; no-op if it is unknown. */
  dropCollection(collection: AnyCollection): Promise<void>;
  /** Removes the checkpoint of a projection. */
  dropCheckpoint(projection: string): Promise<void>;
  /** Returns freed space to the file system if the store can; resolves to the number of bytes. */
  vacuum(): Promise<number>;
}

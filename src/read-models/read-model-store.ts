import type { Component } from '../component.js';
import type { Position } from '../streams/event-store.js';
import type { Filter, DocumentQuery } from './document-filter.js';

/** A JSON document. `undefined` members are not stored. */
export type Document = object;

/** A collection whose documents' shape does not matter to the one who handles it. */
export interface AnyCollection {
  /** Physical name: `<logical name>.v<projection version>`. Letters, digits, `-`, `_` and `.` only. */
  readonly name: string;
  readonly indexes: readonly (readonly string[])[];
}

/**
 * A set of documents of one shape, written by one version of one projection.
 * `indexes` names the field combinations that queries filter and sort by; a query that no index serves
 * still answers correctly, only slower.
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

/** Up to which position a projection's documents reflect the log. */
export interface Checkpoint {
  /** `<projection name>.v<version>`. */
  readonly projection: string;
  /** The checkpoint that the writer built on; undefined for the first commit. */
  readonly expected: Position | undefined;
  readonly position: Position;
}

/** Which blobs of a collection: those of documents whose id begins with `prefix`, at most `limit`, the first behind `after` where it is given. */
export interface BlobPage {
  readonly prefix: string;
  readonly after?: string;
  readonly limit: number;
}

export type CommitResult =
  { readonly ok: true } | { readonly ok: false; readonly fenced: true; readonly found: Position | undefined };

/** Reading half of the store of read models. Once closed it MUST reject with code `unavailable`, and `check` says so. */
export interface ReadModelReader extends Component {
  readCheckpoint(projection: string): Promise<Position | undefined>;
  get<D extends Document>(collection: Collection<D>, id: string): Promise<D | undefined>;
  find<D extends Document>(
    collection: Collection<D>,
    query: DocumentQuery,
  ): Promise<{ readonly id: string; readonly document: D }[]>;
  count(collection: AnyCollection, filter?: Filter): Promise<number>;
  /** One named blob of one document, or undefined when the document or the blob is not there. The caller owns the bytes. */
  readBlob(collection: AnyCollection, id: string, name: string): Promise<Uint8Array | undefined>;
  /** One named blob of many documents, by id ascending as strings of a filter are; documents without it are passed by. The caller owns the bytes. */
  readBlobs(
    collection: AnyCollection,
    name: string,
    page: BlobPage,
  ): Promise<{ readonly id: string; readonly blob: Uint8Array }[]>;
}

/**
 * The store of read models: documents by collection, some with named blobs.
 * A collection exists as soon as it is named; reading an unknown one answers nothing.
 */
export interface ReadModelStore extends ReadModelReader {
  /**
   * Applies all changes in order and moves all checkpoints, or does nothing. Readers MUST see either all or nothing of it.
   * Where a stored checkpoint differs from `expected` nothing MUST change and the result is `fenced`:
   * another projector owns that projection now.
   */
  commit(changes: readonly DocumentChange[], checkpoints: readonly Checkpoint[]): Promise<CommitResult>;
  /** Removes a whole collection with its blobs. Unknown: no-op. */
  dropCollection(collection: AnyCollection): Promise<void>;
  /** Forgets a projection's checkpoint. */
  dropCheckpoint(projection: string): Promise<void>;
  /** Gives freed space back to the file system where the store can; answers bytes given back. */
  vacuum(): Promise<number>;
}

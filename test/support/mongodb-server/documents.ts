import { BSON } from 'mongodb';
import { created, matching, sorted, updated } from './matching.js';
import { ServerError } from './server-error.js';
import { keyOf, type Storage, type View } from './storage.js';
import type { Bson } from './wire.js';

const LARGEST = 16 * 1024 * 1024;

/** Reads and writes documents like the commands, on a snapshot or on committed data. */
export class Documents {
  constructor(
    private readonly storage: Storage,
    private readonly view: View,
    private readonly namespace: string,
  ) {}

  find({ filter = {}, sort, skip = 0, limit = 0 }: Bson): Bson[] {
    const found = sorted(this.matching(filter as Bson), sort as Bson | undefined);
    return found.slice(Number(skip), Number(limit) === 0 ? undefined : Number(skip) + Number(limit));
  }

  matching(filter: Bson): Bson[] {
    return matching(this.view.candidates(this.namespace, filter), filter);
  }

  insert(document: Bson): void {
    const key = keyOf(document._id);
    if (this.view.get(this.namespace, key) !== undefined) throw this.duplicate('_id_');
    this.put(document);
  }

  /** One entry of an update command: the number of matches, and the id of an upserted document. */
  update({ q, u, upsert = false }: Bson): { matched: number; upserted?: unknown } {
    const [found] = this.matching(q as Bson);
    if (found !== undefined) {
      this.put(updated(found, u as Bson));
      return { matched: 1 };
    }
    if (upsert !== true) return { matched: 0 };
    const document = created(q as Bson, u as Bson);
    this.insert(document);
    return { matched: 1, upserted: document._id as unknown };
  }

  /** The found or upserted document, before or after the update; null if there was none. */
  findAndModify({ query = {}, update, upsert = false, new: wantsNew = false }: Bson): {
    value: Bson | null;
    lastErrorObject: Bson;
  } {
    const [found] = this.matching(query as Bson);
    if (found === undefined && upsert !== true)
      return { value: null, lastErrorObject: { n: 0, updatedExisting: false } };
    const document = found === undefined ? created(query as Bson, update as Bson) : updated(found, update as Bson);
    if (found === undefined) this.insert(document);
    else this.put(document);
    const made = found === undefined && { upserted: document._id as unknown };
    return {
      value: wantsNew === true ? document : (found ?? null),
      lastErrorObject: { n: 1, updatedExisting: found !== undefined, ...made },
    };
  }

  delete({ q, limit }: Bson): number {
    const found = this.matching(q as Bson);
    const gone = Number(limit) === 1 ? found.slice(0, 1) : found;
    for (const document of gone) this.view.write(this.namespace, keyOf(document._id), undefined);
    return gone.length;
  }

  private put(document: Bson): void {
    if (BSON.calculateObjectSize(document) > LARGEST)
      throw new ServerError('BSONObjectTooLarge', 'object to insert too large');
    const key = keyOf(document._id);
    for (const index of this.storage.indexesOf(this.namespace).values()) {
      if (index.unique === true && this.hasTwin(document, key, Object.keys(index.key)))
        throw this.duplicate(index.name);
    }
    this.view.write(this.namespace, key, document);
  }

  private hasTwin(document: Bson, key: string, fields: readonly string[]): boolean {
    const tuple = (each: Bson) => keyOf(fields.map((field) => each[field] as unknown));
    const wanted = tuple(document);
    const alike = this.view.candidates(this.namespace, { [fields[0]]: { $eq: document[fields[0]] as unknown } });
    return [...alike].some((each) => keyOf(each._id) !== key && tuple(each) === wanted);
  }

  private duplicate(index: string): ServerError {
    return new ServerError('DuplicateKey', `E11000 duplicate key error collection: ${this.namespace} index: ${index}`);
  }
}

import { isMixed, isSharedCheckpoint, isSharedCollection, isSharedProjection } from './shared-names.js';
import type { AnyCollection } from '../store.js';

/** How what a share has of its own is named in the store; all other names stay. */
export class ShareNames {
  private readonly suffix: string;
  /** Names of collections as they are in the store. */
  private readonly stored = new Map<string, string>();

  constructor(share: number) {
    this.suffix = `.s${share}`;
  }

  checkpoint(name: string): string {
    return isSharedCheckpoint(name) ? name + this.suffix : name;
  }

  /** The collection in which this document stands. */
  ofDocument<C extends AnyCollection>(collection: C, id: string): C {
    if (!isMixed(collection)) return this.ofAll(collection);
    return isSharedProjection(id) ? this.renamed(collection, collection.name + this.suffix) : collection;
  }

  /** The collection as a whole. Throws for one whose documents stand in two. */
  ofAll<C extends AnyCollection>(collection: C): C {
    if (isMixed(collection)) throw new TypeError(`documents of ${collection.name} are asked for by their ids, where it is shared out`);
    const known = this.stored.get(collection.name) ?? this.store(collection.name);
    return this.renamed(collection, known);
  }

  private store(name: string): string {
    const stored = isSharedCollection(name) ? name + this.suffix : name;
    this.stored.set(name, stored);
    return stored;
  }

  private renamed<C extends AnyCollection>(collection: C, name: string): C {
    return name === collection.name ? collection : { ...collection, name };
  }
}

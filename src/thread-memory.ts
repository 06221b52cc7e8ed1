import { setFlagsFromString, getHeapStatistics } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A cache that can release memory at any time: dropped values are read or computed again. */
export interface ReleasableCache {
  /** Approximate bytes in use. */
  readonly size: number;
  /** Drops what was not used since the previous call. */
  releaseUnused(): void;
  /** Drops what was not used for the longest time, until at most `bytes` are in use. */
  shrinkTo(bytes: number): void;
}

/**
 * What a thread drops: `unused`: cached values that were not used since the previous release; `half`: half of each
 * cache, for a process that is close to its limit.
 */
export type ReleaseExtent = 'unused' | 'half';

/** Memory of one thread in bytes. */
export interface ThreadMemory {
  /** Memory that V8 has reserved for the objects of the thread, garbage included. */
  readonly heapBytes: number;
  /** Buffers outside the heap that belong to objects of the thread. */
  readonly externalBytes: number;
  /** Approximate size of each cache. */
  readonly caches: Readonly<Record<string, number>>;
}

/** A component that can release memory of unknown size. */
export interface ReleasableStore {
  releaseMemory?(): void | Promise<void>;
}

/** The caches of one thread, by name. */
export class ThreadCaches {
  private readonly caches = new Map<string, ReleasableCache[]>();
  private readonly stores: ReleasableStore[] = [];

  /** Adds a cache; several caches may share a name. Returns the cache. */
  add<Cache extends ReleasableCache>(name: string, cache: Cache): Cache {
    this.caches.set(name, [...(this.caches.get(name) ?? []), cache]);
    return cache;
  }

  /** Adds a store, which releases all that it can with each release. Returns the store. */
  addStore<Store extends ReleasableStore>(store: Store): Store {
    this.stores.push(store);
    return store;
  }

  /** Approximate bytes by name. */
  get sizes(): Record<string, number> {
    return Object.fromEntries(
      [...this.caches].map(([name, caches]) => [name, caches.reduce((sum, { size }) => sum + size, 0)]),
    );
  }

  /** Rejects with the first error after every cache and every store has had its turn. */
  async release(extent: ReleaseExtent): Promise<void> {
    for (const cache of [...this.caches.values()].flat())
      if (extent === 'unused') cache.releaseUnused();
      else cache.shrinkTo(cache.size / 2);
    const results = await Promise.allSettled(this.stores.map(async (store) => store.releaseMemory?.()));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
}

export function measureThreadMemory(caches?: ThreadCaches): ThreadMemory {
  const { total_heap_size: heapBytes, external_memory: externalBytes } = getHeapStatistics();
  return { heapBytes, externalBytes, caches: caches?.sizes ?? {} };
}

/** Collections until V8 returns empty pages: the first one frees objects, the later ones compact what is left. */
const COLLECTIONS = 2;
let collect: (() => void) | undefined;

/**
 * Collects the garbage of the calling thread and returns free pages to the operating system. Blocks the thread for
 * about 100 ms for each 100 MB of live objects. V8 itself collects only when a thread allocates: one that falls idle
 * keeps its garbage forever.
 */
export function collectGarbage(): void {
  collect ??= exposeCollector();
  for (let n = 0; n < COLLECTIONS; n++) collect();
}

/** How much (percent) a heap may grow beyond its live objects before V8 collects the garbage of all of it again. */
const HEAP_GROWTH_PERCENT = 200;

/**
 * Lets the heaps of all threads of this process grow further before their garbage is collected. V8 counts buffers outside
 * the heap as growth, and by itself allows about a third once the process has been idle: a projector with 20 MB of objects
 * then collects after every few megabytes of columns. What stays behind is returned by the releases of memory.
 */
export function allowHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
}

/** V8 offers its collector to contexts that are created while this flag is set. */
function exposeCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collector = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return collector;
}

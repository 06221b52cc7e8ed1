/** Maximum age (ms), and maximum number of found and of missing entries each; the oldest are evicted. */
export interface CacheLimits {
  readonly ttlMs: number;
  readonly maxEntries: number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly freshUntil: number;
}

/** A pending lookup. */
interface PendingLookup<Value> {
  readonly result: Promise<Value | undefined>;
  readonly startedAt: number;
}

type Entries<Value> = Map<string, Entry<Value>>;

/**
 * Cache of lookup results with a short time to live; `undefined` results are cached too. Concurrent callers for one key
 * share a lookup, but not one older than the time to live; failures are not cached. Missing entries have their own
 * limit, so that guessing keys cannot evict entries in use. The result of a lookup that started before a `clear` is
 * returned to its callers but not cached: it may be older than the change.
 */
export class ExpiringCache<Value extends object> {
  readonly #found: Entries<Value> = new Map();
  readonly #missing: Entries<undefined> = new Map();
  readonly #pending = new Map<string, PendingLookup<Value>>();
  #generation = 0;

  /** `now`: monotonic milliseconds. */
  constructor(
    private readonly limits: CacheLimits,
    private readonly now: () => number,
  ) {}

  /** Number of cached entries. */
  get size(): number {
    return this.#found.size + this.#missing.size;
  }

  get(key: string, lookup: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const entry = this.#found.get(key) ?? this.#missing.get(key);
    if (entry !== undefined && this.now() < entry.freshUntil) return Promise.resolve(entry.value);
    const pending = this.#pending.get(key);
    return pending !== undefined && this.now() < pending.startedAt + this.limits.ttlMs
      ? pending.result
      : this.#load(key, lookup);
  }

  /** Drops all entries; pending lookups still return to their callers but are not cached. */
  clear(): void {
    this.#generation += 1;
    this.#pending.clear();
    this.#missing.clear();
    this.#found.clear();
  }

  #load(key: string, lookup: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const generation = this.#generation;
    const startedAt = this.now();
    const result = lookup()
      .then((value) => {
        if (generation === this.#generation) this.#store(key, value, startedAt + this.limits.ttlMs);
        return value;
      })
      .finally(() => {
        if (this.#pending.get(key)?.result === result) this.#pending.delete(key);
      });
    this.#pending.set(key, { result, startedAt });
    return result;
  }

  /** The age counts from the start of the lookup: the result may be that old. */
  #store(key: string, value: Value | undefined, freshUntil: number): void {
    this.#found.delete(key);
    this.#missing.delete(key);
    if (value === undefined) this.#put(this.#missing, key, { value, freshUntil });
    else this.#put(this.#found, key, { value, freshUntil });
  }

  #put<T>(entries: Entries<T>, key: string, entry: Entry<T>): void {
    const oldest = entries.size >= this.limits.maxEntries ? entries.keys().next().value : undefined;
    if (oldest !== undefined) entries.delete(oldest);
    entries.set(key, entry);
  }
}

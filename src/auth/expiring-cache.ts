/** How old an answer may become, and how many are kept of those found and of those missing; the oldest leaves first. */
export interface CacheLimits {
  readonly ttlMs: number;
  readonly maxEntries: number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly freshUntil: number;
}

/** A look-up under way. */
interface Question<Value> {
  readonly answer: Promise<Value | undefined>;
  readonly askedAt: number;
}

type Entries<Value> = Map<string, Entry<Value>>;

/**
 * Answers of a look-up, each kept for a short time; `undefined` is an answer too. Callers that ask for the same key
 * at once share one look-up, but none that is older than an answer may be; failures are not kept. Answers that found nothing
 * have a room of their own, so that guessing at random cannot drive out what is in use. An answer whose look-up began before
 * a `clear` is given to those who waited for it and then forgotten: it may be older than the change.
 */
export class ExpiringCache<Value extends object> {
  readonly #found: Entries<Value> = new Map();
  readonly #missing: Entries<undefined> = new Map();
  readonly #pending = new Map<string, Question<Value>>();
  #generation = 0;

  /** `now` counts milliseconds and never goes back. */
  constructor(
    private readonly limits: CacheLimits,
    private readonly now: () => number,
  ) {}

  /** Answers that are held. */
  get size(): number {
    return this.#found.size + this.#missing.size;
  }

  get(key: string, lookUp: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const entry = this.#found.get(key) ?? this.#missing.get(key);
    if (entry !== undefined && this.now() < entry.freshUntil) return Promise.resolve(entry.value);
    const pending = this.#pending.get(key);
    return pending !== undefined && this.now() < pending.askedAt + this.limits.ttlMs
      ? pending.answer
      : this.#load(key, lookUp);
  }

  /** Forgets all answers; those that are on their way go to who waits for them, and are not kept. */
  clear(): void {
    this.#generation += 1;
    this.#pending.clear();
    this.#missing.clear();
    this.#found.clear();
  }

  #load(key: string, lookUp: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const generation = this.#generation;
    const askedAt = this.now();
    const answer = lookUp()
      .then((value) => {
        if (generation === this.#generation) this.#keep(key, value, askedAt + this.limits.ttlMs);
        return value;
      })
      .finally(() => {
        if (this.#pending.get(key)?.answer === answer) this.#pending.delete(key);
      });
    this.#pending.set(key, { answer, askedAt });
    return answer;
  }

  /** The age counts from the question: the answer may be as old as that. */
  #keep(key: string, value: Value | undefined, freshUntil: number): void {
    this.#found.delete(key);
    this.#missing.delete(key);
    if (value === undefined) this.#put(this.#missing, key, { value, freshUntil });
    else this.#put(this.#found, key, { value, freshUntil });
  }

  #put<Kept>(entries: Entries<Kept>, key: string, entry: Entry<Kept>): void {
    const oldest = entries.size >= this.limits.maxEntries ? entries.keys().next().value : undefined;
    if (oldest !== undefined) entries.delete(oldest);
    entries.set(key, entry);
  }
}

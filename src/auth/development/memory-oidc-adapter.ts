import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

/** More than a development machine needs; the oldest are evicted. */
const MAX_RECORDS = 10_000;

interface StoredPayload {
  readonly payload: AdapterPayload;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** In-memory store of the provider's codes, grants and refresh tokens, by kind. */
export function createMemoryOidcAdapter(now: () => number): AdapterFactory {
  const kinds = new Map<string, Map<string, StoredPayload>>();
  return (kind) => {
    const records = kinds.get(kind) ?? new Map<string, StoredPayload>();
    kinds.set(kind, records);
    return new MemoryOidcAdapter(records, now);
  };
}

class MemoryOidcAdapter implements Adapter {
  constructor(
    private readonly records: Map<string, StoredPayload>,
    private readonly now: () => number,
  ) {}

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    this.records.delete(id);
    if (this.records.size >= MAX_RECORDS) this.#evict();
    const expiresAt = expiresIn === undefined ? Number.POSITIVE_INFINITY : this.now() + expiresIn * 1000;
    this.records.set(id, { payload, expiresAt });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const stored = this.records.get(id);
    return stored === undefined || stored.expiresAt <= this.now() ? undefined : stored.payload;
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#findWhere((payload) => payload.uid === uid);
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.#findWhere((payload) => payload.userCode === userCode);
  }

  async consume(id: string): Promise<void> {
    const stored = this.records.get(id);
    if (stored !== undefined) stored.payload.consumed = Math.floor(this.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    this.records.delete(id);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, { payload }] of this.records) if (payload.grantId === grantId) this.records.delete(id);
  }

  #findWhere(matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    for (const { payload, expiresAt } of this.records.values()) {
      if (expiresAt > this.now() && matches(payload)) return payload;
    }
    return undefined;
  }

  #evict(): void {
    for (const [id, { expiresAt }] of this.records) if (expiresAt <= this.now()) this.records.delete(id);
    const oldest = this.records.size >= MAX_RECORDS ? this.records.keys().next().value : undefined;
    if (oldest !== undefined) this.records.delete(oldest);
  }
}

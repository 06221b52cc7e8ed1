import type { KV, NatsConnection } from 'nats';
import { HindsightError } from '../../../../errors.js';
import type { NatsLink } from '../../../../streams/live/nats/nats-link.js';
import type { RegisterReading, SharedRegister } from '../../shared-register.js';

const WITHIN_MS = 1_000;

/** JetStream's "wrong last sequence". */
const CONFLICT = 10_071;

export interface KvRegisterOptions {
  /** Letters, digits, _ and -. Made where it is missing. */
  readonly bucket: string;
  readonly key: string;
  /** On how many servers the bucket is kept: 1, or 3 in a cluster of three. Counts when it is made. */
  readonly replicas: number;
}

/**
 * A key of a JetStream bucket. The servers number all writes of a bucket and take one only on the revision that it names, which
 * is all that is needed of them, and what version 2.9 can do.
 */
export class KvRegister implements SharedRegister {
  /** Of which connection `#kv` is. */
  #connection: NatsConnection | undefined;
  #kv: Promise<KV> | undefined;

  constructor(
    private readonly link: NatsLink,
    private readonly options: KvRegisterOptions,
  ) {}

  read(): Promise<RegisterReading> {
    return this.#asked(async (kv) => {
      const entry = await kv.get(this.options.key);
      if (entry === null) return { value: undefined, revision: 0 };
      // What an operator deleted leaves a mark with a revision of its own.
      return { value: entry.operation === 'PUT' ? entry.string() : undefined, revision: entry.revision };
    });
  }

  write(value: string, expected: number): Promise<number | undefined> {
    return this.#asked((kv) => kv.put(this.options.key, value, { previousSeq: expected }).catch(undefinedIfConflict));
  }

  /** After any failure the bucket is looked for anew, and made where it was lost. */
  async #asked<T>(question: (kv: KV) => Promise<T>): Promise<T> {
    try {
      return await within(this.#opened().then(question));
    } catch (error) {
      this.#kv = undefined;
      throw new HindsightError('unavailable', `NATS does not keep the leases: ${error instanceof Error ? error.message : String(error)}`, [], { cause: error });
    }
  }

  async #opened(): Promise<KV> {
    const { connection } = this.link;
    if (connection === undefined) throw new Error('there is no connection');
    if (connection !== this.#connection) this.#kv = undefined;
    this.#connection = connection;
    const { bucket, replicas } = this.options;
    // Direct reads may be answered by a server that lags behind: they would look as if the bucket had forgotten.
    return (this.#kv ??= connection.jetstream({ timeout: WITHIN_MS }).views.kv(bucket, { history: 1, replicas, allow_direct: false }));
  }
}

function undefinedIfConflict(error: unknown): undefined {
  const { api_error: failure } = error as { readonly api_error?: { readonly err_code?: number } };
  if (failure?.err_code === CONFLICT) return undefined;
  throw error;
}

/** Requests on a connection that dies are not always answered. */
async function within<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${WITHIN_MS / 1_000} s`)), WITHIN_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

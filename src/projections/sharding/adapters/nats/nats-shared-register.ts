import type { KV, NatsConnection } from 'nats';
import { HindsightError } from '../../../../errors.js';
import type { SharedNatsConnection } from '../../../../streams/live/nats/shared-nats-connection.js';
import type { RegisterReading, SharedRegister } from '../../shared-register.js';

const TIMEOUT_MS = 1_000;

/** JetStream's "wrong last sequence". */
const CONFLICT = 10_071;

export interface NatsSharedRegisterOptions {
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
export class NatsSharedRegister implements SharedRegister {
  /** Of which connection `#kv` is. */
  #connection: NatsConnection | undefined;
  #kv: Promise<KV> | undefined;

  constructor(
    private readonly link: SharedNatsConnection,
    private readonly options: NatsSharedRegisterOptions,
  ) {}

  read(): Promise<RegisterReading> {
    return this.#request(async (kv) => {
      const entry = await kv.get(this.options.key);
      if (entry === null) return { value: undefined, revision: 0 };
      // What an operator deleted leaves a mark with a revision of its own.
      return { value: entry.operation === 'PUT' ? entry.string() : undefined, revision: entry.revision };
    });
  }

  write(value: string, expected: number): Promise<number | undefined> {
    return this.#request((kv) => kv.put(this.options.key, value, { previousSeq: expected }).catch(ignoreConflict));
  }

  /** After any failure the bucket is looked for anew, and made where it was lost. */
  async #request<T>(question: (kv: KV) => Promise<T>): Promise<T> {
    try {
      return await withTimeout(this.#openBucket().then(question));
    } catch (error) {
      this.#kv = undefined;
      throw new HindsightError(
        'unavailable',
        `NATS does not keep the leases: ${error instanceof Error ? error.message : String(error)}`,
        [],
        { cause: error },
      );
    }
  }

  async #openBucket(): Promise<KV> {
    const { connection } = this.link;
    if (connection === undefined) throw new Error('there is no connection');
    if (connection !== this.#connection) this.#kv = undefined;
    this.#connection = connection;
    const { bucket, replicas } = this.options;
    // Direct reads may be answered by a server that lags behind: they would look as if the bucket had forgotten.
    return (this.#kv ??= connection
      .jetstream({ timeout: TIMEOUT_MS })
      .views.kv(bucket, { history: 1, replicas, allow_direct: false }));
  }
}

function ignoreConflict(error: unknown): undefined {
  const { api_error: failure } = error as { readonly api_error?: { readonly err_code?: number } };
  if (failure?.err_code === CONFLICT) return undefined;
  throw error;
}

/** Requests on a connection that dies are not always answered. */
async function withTimeout<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${TIMEOUT_MS / 1_000} s`)), TIMEOUT_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What the leases of an installation are kept under; each has a bucket of its own. */
export interface ClusterRegisterOptions {
  readonly clusterName: string;
  /** Servers that keep the bucket; counts when it is made. */
  readonly natsReplicas: number;
}

/** The register in which the members of a cluster share its Grids out. Its owner closes the link. */
export function createClusterRegister(
  link: SharedNatsConnection,
  { clusterName, natsReplicas: replicas }: ClusterRegisterOptions,
): NatsSharedRegister {
  return new NatsSharedRegister(link, { bucket: `hindsight-${clusterName}`, key: 'shares', replicas });
}

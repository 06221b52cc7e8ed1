import type { KV, NatsConnection } from 'nats';
import { HindsightError } from '../../../../errors.js';
import type { SharedNatsConnection } from '../../../../streams/live/nats/shared-nats-connection.js';
import type { RegisterReading, SharedRegister } from '../../shared-register.js';

const TIMEOUT_MS = 1_000;

/** JetStream's "wrong last sequence". */
const CONFLICT = 10_071;

export interface NatsSharedRegisterOptions {
  /** Letters, digits, _ and -. Created if it is missing. */
  readonly bucket: string;
  readonly key: string;
  /** Number of servers that store the bucket: 1, or 3 in a cluster of three. Applies when the bucket is created. */
  readonly replicas: number;
}

/**
 * A key of a JetStream bucket. The servers number all writes of a bucket and accept a write only on the revision that
 * it names; NATS 2.9 and later can do this.
 */
export class NatsSharedRegister implements SharedRegister {
  /** Connection to which `#kv` belongs. */
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
      // A key that an operator deleted leaves a marker with a revision of its own.
      return { value: entry.operation === 'PUT' ? entry.string() : undefined, revision: entry.revision };
    });
  }

  write(value: string, expected: number): Promise<number | undefined> {
    return this.#request((kv) => kv.put(this.options.key, value, { previousSeq: expected }).catch(ignoreConflict));
  }

  /** After any failure the bucket is looked up again, and created if it was lost. */
  async #request<T>(operation: (kv: KV) => Promise<T>): Promise<T> {
    try {
      return await withTimeout(this.#openBucket().then(operation));
    } catch (error) {
      this.#kv = undefined;
      throw new HindsightError(
        'unavailable',
        `Cannot access the leases in NATS: ${error instanceof Error ? error.message : String(error)}`,
        [],
        { cause: error },
      );
    }
  }

  async #openBucket(): Promise<KV> {
    const { connection } = this.link;
    if (connection === undefined) throw new Error('not connected');
    if (connection !== this.#connection) this.#kv = undefined;
    this.#connection = connection;
    const { bucket, replicas } = this.options;
    // Direct reads may be served by a server that lags behind, which would look as if the bucket had lost data.
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

/** Requests on a broken connection may never settle. */
async function withTimeout<T>(response: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${TIMEOUT_MS / 1_000} s`)), TIMEOUT_MS);
  });
  try {
    return await Promise.race([response, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Where the leases of an installation are stored; each installation has its own bucket. */
export interface ClusterRegisterOptions {
  readonly clusterName: string;
  /** Servers that store the bucket; applies when it is created. */
  readonly natsReplicas: number;
}

/**
 * The register through which the members of a cluster divide the shards. The connection stays open when the register is
 * closed.
 */
export function createClusterRegister(
  link: SharedNatsConnection,
  { clusterName, natsReplicas: replicas }: ClusterRegisterOptions,
): NatsSharedRegister {
  return new NatsSharedRegister(link, { bucket: `hindsight-${clusterName}`, key: 'shares', replicas });
}

import { connect } from 'nats';
import type { NatsConnection } from 'nats';
import { HindsightError } from '../../../errors.js';
import { parseNatsUrl } from './nats-server-address.js';

/** Diagnostics of the NATS servers. */
export interface NatsDiagnostics {
  /** Such as `2.9.10`. */
  readonly version: string;
  /** Number of servers that the connected one reports, itself included. */
  readonly servers: number;
  readonly roundTripMs: number;
  /** Error of JetStream, which stores the leases; undefined if it is available. */
  readonly jetStreamError: string | undefined;
}

const TIMEOUT_MS = 5_000;

/** Connects once and queries the server. Rejects with `unavailable` if no server responds or the address is invalid. */
export async function diagnoseNats(url: string): Promise<NatsDiagnostics> {
  const connection = await connectOnce(url);
  try {
    const { version = 'unknown', connect_urls: others = [] } = connection.info ?? {};
    return {
      version,
      servers: Math.max(1, others.length),
      roundTripMs: await connection.rtt(),
      jetStreamError: await findJetStreamFault(connection),
    };
  } finally {
    await connection.close();
  }
}

async function connectOnce(url: string): Promise<NatsConnection> {
  try {
    return await connect({ ...parseNatsUrl(url), name: 'hindsight doctor', reconnect: false, timeout: TIMEOUT_MS });
  } catch (cause) {
    throw new HindsightError('unavailable', `Cannot connect to NATS: ${(cause as Error).message}`, [], { cause });
  }
}

async function findJetStreamFault(connection: NatsConnection): Promise<string | undefined> {
  try {
    await (await connection.jetstreamManager({ timeout: TIMEOUT_MS })).getAccountInfo();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

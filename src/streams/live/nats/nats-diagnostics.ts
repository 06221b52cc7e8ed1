import { connect } from 'nats';
import type { NatsConnection } from 'nats';
import { HindsightError } from '../../../errors.js';
import { parseNatsUrl } from './nats-server-address.js';

/** What an operator wants to know of the servers of hints and leases. */
export interface NatsDiagnostics {
  /** Such as `2.9.10`. */
  readonly version: string;
  /** Servers that the one asked knows of, itself included. */
  readonly servers: number;
  readonly roundTripMs: number;
  /** Why JetStream, which keeps the leases, cannot be used; undefined where it can. */
  readonly withoutJetStream: string | undefined;
}

const TIMEOUT_MS = 5_000;

/** Connects once and asks. Rejects with `unavailable` where nobody answers, and for an address that is none. */
export async function diagnoseNats(url: string): Promise<NatsDiagnostics> {
  const connection = await connectOnce(url);
  try {
    const { version = 'unknown', connect_urls: others = [] } = connection.info ?? {};
    return {
      version,
      servers: Math.max(1, others.length),
      roundTripMs: await connection.rtt(),
      withoutJetStream: await findJetStreamFault(connection),
    };
  } finally {
    await connection.close();
  }
}

async function connectOnce(url: string): Promise<NatsConnection> {
  try {
    return await connect({ ...parseNatsUrl(url), name: 'hindsight doctor', reconnect: false, timeout: TIMEOUT_MS });
  } catch (cause) {
    throw new HindsightError('unavailable', `NATS cannot be reached: ${(cause as Error).message}`, [], { cause });
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

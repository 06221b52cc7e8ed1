import { connect } from 'nats';
import type { NatsConnection } from 'nats';
import { HindsightError } from '../../../errors.js';
import { connectionOptions } from './server-address.js';

/** What an operator wants to know of the servers of hints and leases. */
export interface ExaminedNats {
  /** Such as `2.9.10`. */
  readonly version: string;
  /** Servers that the one asked knows of, itself included. */
  readonly servers: number;
  readonly roundTripMs: number;
  /** Why JetStream, which keeps the leases, cannot be used; undefined where it can. */
  readonly withoutJetStream: string | undefined;
}

const PATIENCE_MS = 5_000;

/** Connects once and asks. Rejects with `unavailable` where nobody answers, and for an address that is none. */
export async function examineNats(url: string): Promise<ExaminedNats> {
  const connection = await connected(url);
  try {
    const { version = 'unknown', connect_urls: others = [] } = connection.info ?? {};
    return { version, servers: Math.max(1, others.length), roundTripMs: await connection.rtt(), withoutJetStream: await withoutJetStream(connection) };
  } finally {
    await connection.close();
  }
}

async function connected(url: string): Promise<NatsConnection> {
  try {
    return await connect({ ...connectionOptions(url), name: 'hindsight doctor', reconnect: false, timeout: PATIENCE_MS });
  } catch (cause) {
    throw new HindsightError('unavailable', `NATS cannot be reached: ${(cause as Error).message}`, [], { cause });
  }
}

async function withoutJetStream(connection: NatsConnection): Promise<string | undefined> {
  try {
    await (await connection.jetstreamManager({ timeout: PATIENCE_MS })).getAccountInfo();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

import { ServerFeaturesClient } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import sharedMessages from '@eventstore/db-client/generated/shared_pb.js';
import type { ServiceError } from '@grpc/grpc-js';
import { START } from '../../event-store.js';
import { TELEMETRY_PREFIX } from '../../stream-names.js';
import { upcastToNewest } from '../../events/event-registry.js';
import { toHindsightError, withTimeout } from './eventstoredb-errors.js';
import { StreamsRpcClient } from './streams-rpc-client.js';
import { EventLogReader } from './event-log-reader.js';
import { parseServerAddress } from './eventstoredb-address.js';
import { buildAllRead } from './eventstoredb-requests.js';
import { eventRecordedAt, eventRevision, eventStream } from './event-wire-format.js';
import { StreamMetadata } from './stream-metadata.js';

/** Diagnostics of the EventStoreDB server. */
export interface EventStoreDbDiagnostics {
  /** Reported version, such as `23.10.0`; undefined for servers before 22.6, which do not report it. */
  readonly version: string | undefined;
  /**
   * How far the server's clock is ahead of the local one (ms, accurate to a second); undefined if the server sends no
   * date.
   */
  readonly clockAheadMs: number | undefined;
  /** Error of reading the log; undefined if it can be read. */
  readonly readError: string | undefined;
  /**
   * When the oldest telemetry was recorded (ms since 1970) that retention has truncated and that still takes up disk space,
   * because no scavenge has run since; undefined if there is none among the oldest events, or if they cannot be read.
   */
  readonly unscavengedFrom: number | undefined;
}

const TIMEOUT_MS = 5_000;
/** Events at the beginning of the log among which a truncated one is looked for. */
const OLDEST_EVENTS = 200;
/** gRPC status of servers that do not support the call. */
const UNIMPLEMENTED = 12;

/**
 * Requests the server's version and reads one event of the log. Rejects with `unavailable` if it does not respond or
 * the address is invalid.
 */
export async function diagnoseEventStoreDb(url: string): Promise<EventStoreDbDiagnostics> {
  const client = new FeaturesClient(parseServerAddress(url));
  try {
    const { version, serverDate } = await withTimeout(TIMEOUT_MS, client.fetchFeatures());
    const readError = await findReadFault(client);
    return {
      version,
      clockAheadMs: computeClockAheadMs(serverDate),
      readError,
      unscavengedFrom: readError === undefined ? await findUnscavenged(client) : undefined,
    };
  } catch (error) {
    throw toHindsightError(error, 'reporting its version');
  } finally {
    await client.close();
  }
}

class FeaturesClient extends StreamsRpcClient {
  fetchFeatures(): Promise<{ readonly version: string | undefined; readonly serverDate: string | undefined }> {
    return this.execute(
      ServerFeaturesClient,
      'getSupportedMethods',
      (client) =>
        new Promise((resolve, reject) => {
          let serverDate: string | undefined;
          const onResponse = (error: ServiceError | null, methods?: SupportedMethods): void => {
            if (error !== null && Number(error.code) !== UNIMPLEMENTED) reject(error);
            else resolve({ version: methods?.getEventStoreServerVersion(), serverDate });
          };
          // Like any HTTP server, it sends a Date header.
          client
            .getSupportedMethods(new sharedMessages.Empty(), onResponse)
            .on('metadata', (headers) => (serverDate = headers.get('date')[0]?.toString()));
        }),
    );
  }
}

/** HTTP dates are whole seconds, so half a second is added. */
function computeClockAheadMs(date: string | undefined): number | undefined {
  const serverTime = date === undefined ? NaN : Date.parse(date);
  return Number.isNaN(serverTime) ? undefined : serverTime + 500 - Date.now();
}

async function findReadFault(client: StreamsRpcClient): Promise<string | undefined> {
  try {
    await new EventLogReader(() => client, upcastToNewest, TIMEOUT_MS).readAll(START, { limit: 1, bodies: false });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Looks at the oldest events of the log: a scavenge removes truncated ones, except the last of each stream. */
async function findUnscavenged(client: StreamsRpcClient): Promise<number | undefined> {
  const reader = new EventLogReader(() => client, upcastToNewest, TIMEOUT_MS);
  const metadata = new StreamMetadata(() => client, reader, TIMEOUT_MS);
  try {
    for await (const event of reader.streamEvents(buildAllRead(START, [TELEMETRY_PREFIX], OLDEST_EVENTS))) {
      const first = await metadata.readFirstRevision(eventStream(event));
      if (eventRevision(event) >= first) return undefined;
      if (eventRevision(event) < first - 1) return eventRecordedAt(event);
    }
  } catch {
    // The server answered all other questions; this one only saves disk space.
  }
  return undefined;
}

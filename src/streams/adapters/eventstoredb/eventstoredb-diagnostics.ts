import { ServerFeaturesClient } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import sharedMessages from '@eventstore/db-client/generated/shared_pb.js';
import type { ServiceError } from '@grpc/grpc-js';
import { START } from '../../event-store.js';
import { upcastToNewest } from '../../events/event-registry.js';
import { toHindsightError, withTimeout } from './eventstoredb-errors.js';
import { StreamsRpcClient } from './streams-rpc-client.js';
import { EventLogReader } from './event-log-reader.js';
import { parseServerAddress } from './eventstoredb-address.js';

/** What an operator wants to know of the server of the log. */
export interface EventStoreDbDiagnostics {
  /** As the server says it, such as `23.10.0`; undefined where it does not tell, as before 22.6. */
  readonly version: string | undefined;
  /** By how much the server's clock is ahead of this one, to within a second; undefined where it does not tell the time. */
  readonly clockAheadMs: number | undefined;
  /** Why the whole log cannot be read; undefined where it can. */
  readonly unreadable: string | undefined;
}

const TIMEOUT_MS = 5_000;
/** What a server answers that does not know the call. */
const UNIMPLEMENTED = 12;

/** Asks the server who it is, and for one event of the whole log. Rejects with `unavailable` where it does not answer, and for an address that is none. */
export async function diagnoseEventStoreDb(url: string): Promise<EventStoreDbDiagnostics> {
  const client = new FeaturesClient(parseServerAddress(url));
  try {
    const { version, saidAt } = await withTimeout(TIMEOUT_MS, client.fetchFeatures());
    return { version, clockAheadMs: computeClockAheadMs(saidAt), unreadable: await findReadFault(client) };
  } catch (error) {
    throw toHindsightError(error, 'being asked for its version');
  } finally {
    await client.close();
  }
}

class FeaturesClient extends StreamsRpcClient {
  fetchFeatures(): Promise<{ readonly version: string | undefined; readonly saidAt: string | undefined }> {
    return this.execute(
      ServerFeaturesClient,
      'getSupportedMethods',
      (client) =>
        new Promise((resolve, reject) => {
          let saidAt: string | undefined;
          const answered = (error: ServiceError | null, methods?: SupportedMethods): void => {
            if (error !== null && Number(error.code) !== UNIMPLEMENTED) reject(error);
            else resolve({ version: methods?.getEventStoreServerVersion(), saidAt });
          };
          // As any server of HTTP it dates its answer.
          client
            .getSupportedMethods(new sharedMessages.Empty(), answered)
            .on('metadata', (headers) => (saidAt = headers.get('date')[0]?.toString()));
        }),
    );
  }
}

/** Dates of HTTP are whole seconds. */
function computeClockAheadMs(date: string | undefined): number | undefined {
  const said = date === undefined ? NaN : Date.parse(date);
  return Number.isNaN(said) ? undefined : said + 500 - Date.now();
}

async function findReadFault(client: StreamsRpcClient): Promise<string | undefined> {
  try {
    await new EventLogReader(() => client, upcastToNewest, TIMEOUT_MS).readAll(START, { limit: 1, bodies: false });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

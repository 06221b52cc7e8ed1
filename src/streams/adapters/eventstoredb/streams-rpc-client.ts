import { EventStoreDBClient } from '@eventstore/db-client';
import type { SingleNodeOptions } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { AppendReq, AppendResp, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Channel, ClientReadableStream } from '@grpc/grpc-js';
import type { ServerAddress } from './eventstoredb-address.js';
import { toConnectionOptions } from './eventstoredb-address.js';

/**
 * The vendor's client, used for its connection, leader discovery and credentials, with our own calls. Its
 * `appendToStream` shares one batch stream and one response table between all clients of a process, has no deadline
 * there, and throws outside of any promise when a connection breaks; its `readAll` has no filter.
 */
export class StreamsRpcClient extends EventStoreDBClient {
  #channel: Channel | undefined;

  constructor(address: ServerAddress) {
    const { settings, channel, credentials } = toConnectionOptions(address);
    // The client has an overload for each form of the settings and detects the form at run time.
    super(settings as SingleNodeOptions, channel, credentials);
    const open = this.getChannel;
    this.getChannel = async () => (this.#channel = await open());
  }

  /** Sends one append in one call: all events or none. */
  async append(messages: readonly AppendReq[], deadlineMs: number): Promise<AppendResp> {
    return this.execute(
      StreamsClient,
      'append',
      (client) =>
        new Promise<AppendResp>((resolve, reject) => {
          const options = this.callArguments({ requiresLeader: true, deadline: deadlineMs });
          const call = client.append(...options, (error, response) =>
            error === null ? resolve(response) : reject(error),
          );
          call.on('error', reject);
          for (const message of messages) call.write(message);
          call.end();
        }),
    );
  }

  /**
   * Responses of a read or subscription. Without a deadline it lasts until one side ends it; cancel calls that are not
   * read to their end.
   */
  async read(request: ReadReq, deadlineMs?: number): Promise<ClientReadableStream<ReadResp>> {
    const deadline = deadlineMs === undefined ? Infinity : Date.now() + deadlineMs;
    const options = this.callArguments({ requiresLeader: true }, { deadline });
    return this.GRPCStreamCreator(StreamsClient, 'read', (client) => client.read(request, ...options))();
  }

  /** Cancels pending calls and closes the connection, which the vendor's `dispose` leaves open. */
  async close(): Promise<void> {
    await this.dispose();
    this.#channel?.close();
  }
}

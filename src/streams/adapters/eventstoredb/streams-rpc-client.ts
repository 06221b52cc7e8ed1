import { EventStoreDBClient } from '@eventstore/db-client';
import type { SingleNodeOptions } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { AppendReq, AppendResp, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Channel, ClientReadableStream } from '@grpc/grpc-js';
import type { ServerAddress } from './eventstoredb-address.js';
import { toConnectionOptions } from './eventstoredb-address.js';

/**
 * The vendor's client: its connection, discovery of the leader and credentials, with calls of our own. The client's `appendToStream` shares one
 * stream of batches and one table of answers between all clients of a process, has no deadline there, and throws outside
 * of any promise when a connection breaks in between; its `readAll` knows no filter.
 */
export class StreamsRpcClient extends EventStoreDBClient {
  #channel: Channel | undefined;

  constructor(address: ServerAddress) {
    const { settings, channel, credentials } = toConnectionOptions(address);
    // The client has an overload for each shape of the settings, and looks which one it got.
    super(settings as SingleNodeOptions, channel, credentials);
    const open = this.getChannel;
    this.getChannel = async () => (this.#channel = await open());
  }

  /** One append as one call: all events or none. */
  async append(messages: readonly AppendReq[], deadlineMs: number): Promise<AppendResp> {
    return this.execute(
      StreamsClient,
      'append',
      (client) =>
        new Promise<AppendResp>((resolve, reject) => {
          const options = this.callArguments({ requiresLeader: true, deadline: deadlineMs });
          const call = client.append(...options, (error, answer) => (error === null ? resolve(answer) : reject(error)));
          call.on('error', reject);
          for (const message of messages) call.write(message);
          call.end();
        }),
    );
  }

  /** Answers of a read or a subscription. Without a deadline it lasts until one side ends it; cancel what is not read to its end. */
  async read(request: ReadReq, deadlineMs?: number): Promise<ClientReadableStream<ReadResp>> {
    const deadline = deadlineMs === undefined ? Infinity : Date.now() + deadlineMs;
    const options = this.callArguments({ requiresLeader: true }, { deadline });
    return this.GRPCStreamCreator(StreamsClient, 'read', (client) => client.read(request, ...options))();
  }

  /** Cancels what is under way and hangs up. The vendor's `dispose` leaves the connection open. */
  async close(): Promise<void> {
    await this.dispose();
    this.#channel?.close();
  }
}

import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossipMessages from '@eventstore/db-client/generated/gossip_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import featureMessages from '@eventstore/db-client/generated/serverfeatures_pb.js';
import sharedMessages from '@eventstore/db-client/generated/shared_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type {
  AppendReq,
  AppendResp,
  BatchAppendReq,
  BatchAppendResp,
  ReadReq,
  ReadResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import type {
  Metadata,
  ServerDuplexStream,
  ServerReadableStream,
  ServerUnaryCall,
  ServerWritableStream,
  UntypedServiceImplementation,
  sendUnaryData,
} from '@grpc/grpc-js';
import { setTimeout as pause } from 'node:timers/promises';
import { answerTo, arrivedIn, batchAppend, replyWith } from './appends.js';
import type { Arrived } from './appends.js';
import { Faults } from './faults.js';
import type { Fault, FaultyCall } from './faults.js';
import { ServerLog } from './log.js';
import { read, subscribe } from './reads.js';
import { serverError } from './wire.js';
import { WireTap } from './wire-tap.js';

export interface ServerDoubleOptions {
  /** Default as in the real server: 1 MiB. */
  readonly maxAppendSize?: number;
  /** PEM texts; absent: without TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** Shared by the nodes of a cluster. */
  readonly log?: ServerLog;
  /** 0: any. */
  readonly port?: number;
  /** Version reported by the server. */
  readonly version?: string;
}

/** Number of calls whose headers are recorded. */
const HEADERS_KEPT = 100;

/**
 * A double of EventStoreDB, written from the protocol definitions in the vendor's client and the published behaviour of
 * the server. It tests the protocol and fault handling of the adapter; it proves nothing about a real server, for which
 * the same suites run if EVENT_STORE_URL is set. Not supported: persistent subscriptions, projections, users and access
 * lists, explicit transactions, links, deletion of streams, `$maxAge` and `$maxCount`.
 */
export class EventStoreDbServerDouble {
  readonly faults = new Faults();
  readonly wire = new WireTap();
  readonly log: ServerLog;
  /** Headers of the last received calls, newest last. */
  readonly headers: Metadata[] = [];
  /** Number of completely received appends, including failed ones. */
  appends = 0;
  /** Start positions of subscriptions. */
  readonly subscribedBehind: number[] = [];
  checkpoints = 0;
  /** Number of events in the answers to finite reads. */
  eventsSent = 0;
  readonly #server = new Server();
  #port = 0;

  constructor(private readonly options: ServerDoubleOptions = {}) {
    this.log = options.log ?? new ServerLog(options.clock ?? Date.now);
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `esdb://127.0.0.1:${this.#port}?tls=${this.options.tls !== undefined}`;
  }

  async start(): Promise<this> {
    this.#server.addService(StreamsService, this.#streams());
    this.#server.addService(GossipService, {
      read: (_: unknown, callback: sendUnaryData<unknown>) => callback(null, this.#gossip()),
    });
    this.#server.addService(ServerFeaturesService, {
      getSupportedMethods: (_: unknown, callback: sendUnaryData<unknown>) =>
        callback(null, features(this.options.version ?? '23.10.0')),
    });
    const { tls } = this.options;
    const credentials =
      tls === undefined
        ? ServerCredentials.createInsecure()
        : ServerCredentials.createSsl(null, [{ private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.cert) }]);
    const inner = await new Promise<number>((resolve, reject) => {
      this.#server.bindAsync('127.0.0.1:0', credentials, (error, port) =>
        error === null ? resolve(port) : reject(error),
      );
    });
    this.#port = await this.wire.open(inner, this.options.port ?? 0);
    return this;
  }

  async stop(): Promise<void> {
    this.#server.forceShutdown();
    await this.wire.close();
  }

  #streams(): UntypedServiceImplementation {
    return {
      append: (call: ServerReadableStream<AppendReq, AppendResp>, callback: sendUnaryData<AppendResp>) =>
        void this.#append(call, callback),
      batchAppend: (call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>) => batchAppend(call, this.log),
      read: (call: ServerWritableStream<ReadReq, ReadResp>) => void this.#read(call),
      delete: (_: ServerUnaryCall<unknown, unknown>, callback: sendUnaryData<unknown>) =>
        callback({ code: status.UNIMPLEMENTED }),
      tombstone: (_: ServerUnaryCall<unknown, unknown>, callback: sendUnaryData<unknown>) =>
        callback({ code: status.UNIMPLEMENTED }),
    };
  }

  async #append(call: ServerReadableStream<AppendReq, AppendResp>, callback: sendUnaryData<AppendResp>): Promise<void> {
    this.#note(call.metadata);
    try {
      const arrived = await arrivedIn(call, this.options.maxAppendSize ?? 1024 * 1024);
      this.appends += 1;
      const fault = this.faults.take('append');
      const apply = (): AppendResp => answerTo(this.log.append(arrived.stream, arrived.expected, arrived.proposals));
      const answer = await this.#faulty(fault, apply, arrived);
      if (answer !== undefined) callback(null, answer);
      else if (fault !== undefined) this.#refuse(fault, (error) => callback(error));
    } catch (error) {
      replyWith(callback, error);
    }
  }

  /** Undefined: no response because of the fault. */
  async #faulty(
    fault: Fault | undefined,
    apply: () => AppendResp,
    { stream }: Arrived,
  ): Promise<AppendResp | undefined> {
    // Faults do not apply to stream metadata.
    if (fault === undefined || stream.startsWith('$$')) return apply();
    if (fault.kind === 'delay') await pause(fault.ms);
    if (fault.kind === 'delay') return apply();
    if (fault.kind.startsWith('apply-then')) apply();
    if (fault.kind === 'drop-then-apply') setTimeout(apply, fault.ms);
    return undefined;
  }

  #refuse(fault: Fault, answer: (error: ReturnType<typeof serverError>) => void): void {
    if (fault.kind.endsWith('drop') || fault.kind === 'drop-then-apply') this.wire.cut();
    if (fault.kind.endsWith('timeout')) answer({ code: status.ABORTED, details: 'operation timed out' });
    if (fault.kind === 'not-ready') answer(serverError(status.UNAVAILABLE, ''));
    if (fault.kind === 'access-denied') answer(serverError(status.PERMISSION_DENIED, 'access-denied'));
    if (fault.kind === 'invalid-position') answer(serverError(status.INVALID_ARGUMENT, ''));
    if (fault.kind === 'not-leader') {
      const leader = { 'leader-endpoint-host': fault.host, 'leader-endpoint-port': String(fault.port) };
      answer(serverError(status.NOT_FOUND, 'not-leader', leader));
    }
  }

  async #read(call: ServerWritableStream<ReadReq, ReadResp>): Promise<void> {
    this.#note(call.metadata);
    const kind: FaultyCall = call.request.getOptions()!.hasSubscription() ? 'subscribe' : 'read';
    if (kind === 'subscribe')
      this.subscribedBehind.push(Number(call.request.getOptions()!.getAll()!.getPosition()?.getCommitPosition() ?? 0));
    const fault = this.faults.take(kind);
    if (fault?.kind === 'delay') await pause(fault.ms);
    if (fault !== undefined && fault.kind !== 'delay') return this.#refuse(fault, (error) => call.emit('error', error));
    await (kind === 'subscribe'
      ? subscribe(call, this.log, () => (this.checkpoints += 1))
      : read(call, this.log, () => (this.eventsSent += 1)));
  }

  #note(headers: Metadata): void {
    this.headers.push(headers);
    if (this.headers.length > HEADERS_KEPT) this.headers.shift();
  }

  #gossip(): unknown {
    const { ClusterInfo, EndPoint, MemberInfo } = gossipMessages;
    const place = new EndPoint().setAddress('127.0.0.1').setPort(this.#port);
    const id = new sharedMessages.UUID().setString('00000000-0000-4000-8000-000000000001');
    const member = new MemberInfo()
      .setInstanceId(id)
      .setState(MemberInfo.VNodeState.LEADER)
      .setIsAlive(true)
      .setHttpEndPoint(place)
      .setTimeStamp('0');
    return new ClusterInfo().setMembersList([member]);
  }
}

function features(version: string): unknown {
  const { SupportedMethod, SupportedMethods } = featureMessages;
  const methods = ['read', 'append', 'batchappend'].map((name) =>
    new SupportedMethod().setServiceName('event_store.client.streams.streams').setMethodName(name),
  );
  return new SupportedMethods().setEventStoreServerVersion(version).setMethodsList(methods);
}

import type { ServerResponse } from 'node:http';
import type { Observable } from 'rxjs';
import { HindsightError } from '../../errors.js';
import type { DiagnosticsQueries } from '../../queries/diagnostics/diagnostics-query-types.js';
import type { LiveTopic } from '../../read-models/documents/live-diagnostics-documents.js';
import type { ChangeHint } from '../../streams/live/live-feed.js';
import { headerValues } from '../requests/request-headers.js';
import { StreamingResponse } from '../responses/api-responses.js';
import { Problem } from '../problems/problem-details.js';
import type { LiveStreams, StreamAuthorization } from '../api-call.js';
import { LiveClient, LiveGridChannel } from './live-grid-channel.js';
import { parseLastEventId } from './sse-frames.js';

export interface LiveStreamHubOptions {
  readonly hints: Observable<ChangeHint>;
  readonly diagnostics: Pick<DiagnosticsQueries, 'liveDocument'>;
  /** Default: 1,000. */
  readonly maxStreamsPerGrid?: number;
  /** Of all Grids together. Default: 10,000. */
  readonly maxStreams?: number;
  /** Schedules a periodic call; the returned function cancels it. Default: an unreferenced `setInterval`. */
  readonly every?: (ms: number, run: () => void) => () => void;
}

/** Interval of authorization checks. */
const TICK_MS = 1_000;

/** Refreshes in case hints were lost. Each topic of each Grid is one call to the diagnostics thread. */
const TICKS_PER_REFRESH = 3;

/** Proxies close idle connections after 30 or 60 s. */
const TICKS_PER_HEARTBEAT = 15;

const HEARTBEAT = Buffer.from(':\n\n');
const BUSY_RETRY_S = 15;

/** Serves all live streams of this process. */
export class LiveStreamHub implements LiveStreams {
  private readonly channels = new Map<string, LiveGridChannel>();
  /** Number of streams by Grid that wait for their initial state; they count as open. */
  private readonly joining = new Map<string, number>();
  private readonly guard = new StreamAccessGuard();
  private readonly clients = new Set<LiveClient>();
  private ticks = 0;
  private unsubscribe: (() => void) | undefined;
  private stopped = false;

  constructor(private readonly options: LiveStreamHubOptions) {}

  start(): void {
    const { hints, every = scheduleUnref } = this.options;
    const subscription = hints.subscribe((hint) => {
      if (hint.topic === 'diagnosed') this.channels.get(hint.gridId)?.onTopicChanged(hint.diagnostic as LiveTopic);
    });
    const stopTicking = every(TICK_MS, () => this.tick());
    this.unsubscribe = () => {
      subscription.unsubscribe();
      stopTicking();
    };
  }

  /** Ends all streams and rejects new ones. Idempotent; may be called before `start`. */
  stop(): void {
    this.stopped = true;
    this.unsubscribe?.();
    for (const client of this.clients) client.end();
  }

  /** Immediately ends the streams whose authorization has become invalid. Called when access rights have changed. */
  recheckAccess(): void {
    void this.guard.check();
  }

  /** Number of open streams. */
  get size(): number {
    return this.clients.size;
  }

  async follow(
    gridId: string,
    topics: readonly LiveTopic[],
    authorization: StreamAuthorization,
  ): Promise<StreamingResponse> {
    return new StreamingResponse((response) => this.open(response, gridId, topics, authorization));
  }

  private async open(
    response: ServerResponse,
    gridId: string,
    topics: readonly LiveTopic[],
    authorization: StreamAuthorization,
  ): Promise<void> {
    const channel = this.getOrCreateChannel(gridId);
    this.countJoining(gridId, 1);
    try {
      await channel.loadTopics(topics);
      this.assertRunning();
    } finally {
      this.countJoining(gridId, -1);
    }
    if (response.headersSent || response.destroyed) return;
    this.add(new LiveClient(response, topics), channel, { response, gridId, authorization });
  }

  private add(
    client: LiveClient,
    channel: LiveGridChannel,
    {
      response,
      gridId,
      authorization,
    }: { response: ServerResponse; gridId: string; authorization: StreamAuthorization },
  ): void {
    const unwatch = this.guard.watch(client, authorization);
    this.clients.add(client);
    response.once('close', () => {
      unwatch();
      this.clients.delete(client);
      channel.leave(client);
      this.dropUnused(gridId, channel);
    });
    const [lastEventId] = headerValues(response.req.rawHeaders, 'last-event-id');
    channel.join(client, parseLastEventId(lastEventId));
  }

  private getOrCreateChannel(gridId: string): LiveGridChannel {
    this.assertRunning();
    const { diagnostics, maxStreamsPerGrid = 1_000, maxStreams = 10_000 } = this.options;
    if (this.clients.size >= maxStreams)
      throw createTooManyStreamsProblem(`The service has reached its limit of ${maxStreams} open streams.`);
    let channel = this.channels.get(gridId);
    if (channel === undefined)
      this.channels.set(
        gridId,
        (channel = new LiveGridChannel(async (topic) => diagnostics.liveDocument(gridId, topic))),
      );
    if (channel.size + (this.joining.get(gridId) ?? 0) >= maxStreamsPerGrid) {
      throw createTooManyStreamsProblem(`This Grid has reached its limit of ${maxStreamsPerGrid} open streams.`);
    }
    return channel;
  }

  private countJoining(gridId: string, by: 1 | -1): void {
    const joining = (this.joining.get(gridId) ?? 0) + by;
    if (joining > 0) this.joining.set(gridId, joining);
    else this.joining.delete(gridId);
  }

  private tick(): void {
    this.ticks += 1;
    void this.guard.check();
    for (const [gridId, channel] of this.channels) {
      if (this.ticks % TICKS_PER_HEARTBEAT === 0) channel.sendAll(HEARTBEAT);
      if (this.ticks % TICKS_PER_REFRESH === 0) channel.refreshAll();
      this.dropUnused(gridId, channel);
    }
  }

  private dropUnused(gridId: string, channel: LiveGridChannel): void {
    if (channel.size === 0 && !this.joining.has(gridId)) this.channels.delete(gridId);
  }

  private assertRunning(): void {
    if (this.stopped) throw new HindsightError('unavailable', 'The service is shutting down.');
  }
}

function createTooManyStreamsProblem(detail: string): Problem {
  return new Problem('rate-limited', detail, { headers: { 'Retry-After': String(BUSY_RETRY_S) } });
}

function scheduleUnref(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms).unref();
  return () => clearInterval(timer);
}

interface CredentialGroup {
  readonly authorization: StreamAuthorization;
  readonly clients: Set<LiveClient>;
  checking: boolean;
  /** A check was requested during the running one, which may have read older state. */
  checkAgain: boolean;
}

/** Ends streams whose authorization has become invalid. Checks once for all streams with the same credentials and Grid. */
class StreamAccessGuard {
  private readonly groups = new Map<string, CredentialGroup>();

  /** Returns a function that stops watching. */
  watch(client: LiveClient, authorization: StreamAuthorization): () => void {
    const key = authorization.credentialKey();
    let group = this.groups.get(key);
    if (group === undefined)
      this.groups.set(key, (group = { authorization, clients: new Set(), checking: false, checkAgain: false }));
    const { clients } = group;
    clients.add(client);
    return () => {
      clients.delete(client);
      if (clients.size === 0 && this.groups.get(key)?.clients === clients) this.groups.delete(key);
    };
  }

  async check(): Promise<void> {
    await Promise.all(Array.from(this.groups.values(), (group) => endUnlessAuthorized(group)));
  }
}

async function endUnlessAuthorized(group: CredentialGroup): Promise<void> {
  if (group.checking) {
    group.checkAgain = true;
    return;
  }
  group.checking = true;
  let isAuthorized: boolean;
  do {
    group.checkAgain = false;
    isAuthorized = await group.authorization.isValid().catch(assumeAuthorized);
  } while (isAuthorized && group.checkAgain);
  group.checking = false;
  if (!isAuthorized) for (const client of group.clients) client.end();
}

/** Streams stay open while the authorization cannot be determined. */
const assumeAuthorized = (): boolean => true;

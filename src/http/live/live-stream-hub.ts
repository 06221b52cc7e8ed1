import type { ServerResponse } from 'node:http';
import type { Observable } from 'rxjs';
import { HindsightError } from '../../errors.js';
import type { DiagnosticsQueries } from '../../queries/diagnostics/diagnostics-query-types.js';
import type { LiveTopic } from '../../read-models/documents/live-diagnostics-documents.js';
import type { ChangeHint } from '../../streams/live/live-feed.js';
import { headerValues } from '../requests/request-head.js';
import { StreamingResponse } from '../responses/api-responses.js';
import { Problem } from '../problems/problem-details.js';
import type { StreamAuthorization } from '../steps/authorization.js';
import { LiveClient, LiveGridChannel } from './live-grid-channel.js';
import { parseLastEventId } from './sse-frames.js';

/** What the stream operation asks for. */
export interface LiveStreams {
  /** Resolves at once; the answer sends the current state of the topics, then each change, until the caller or the service ends it. */
  follow(gridId: string, topics: readonly LiveTopic[], admission: StreamAuthorization): Promise<StreamingResponse>;
}

export interface LiveStreamHubOptions {
  readonly hints: Observable<ChangeHint>;
  readonly diagnostics: Pick<DiagnosticsQueries, 'liveDocument'>;
  /** 1,000 unless said otherwise. */
  readonly maxStreamsPerGrid?: number;
  /** Of all Grids together; 10,000 unless said otherwise. */
  readonly maxStreams?: number;
  /** Runs something every so often until the returned function is called; of the system, without keeping the process alive, unless said otherwise. */
  readonly every?: (ms: number, run: () => void) => () => void;
}

/** Hints may get lost, keys may be revoked: both are looked after this often. */
const TICK_MS = 1_000;

/** Proxies close what is silent for 30 or 60 s. */
const TICKS_PER_HEARTBEAT = 15;

const HEARTBEAT = Buffer.from(':\n\n');
const BUSY_RETRY_S = 15;

/** All open streams of this process. */
export class LiveStreamHub implements LiveStreams {
  private readonly channels = new Map<string, LiveGridChannel>();
  /** Streams by Grid that wait for their first state, in which they count as open. */
  private readonly joining = new Map<string, number>();
  private readonly guard = new StreamAccessGuard();
  private readonly clients = new Set<LiveClient>();
  private ticks = 0;
  private quit: (() => void) | undefined;
  private stopped = false;

  constructor(private readonly options: LiveStreamHubOptions) {}

  start(): void {
    const { hints, every = scheduleUnref } = this.options;
    const hearing = hints.subscribe((hint) => {
      if (hint.topic === 'diagnosed') this.channels.get(hint.gridId)?.onTopicChanged(hint.diagnostic as LiveTopic);
    });
    const quitTicking = every(TICK_MS, () => this.tick());
    this.quit = () => {
      hearing.unsubscribe();
      quitTicking();
    };
  }

  /** Ends every stream, and lets nobody in any more. Legal twice, and before `start`. */
  stop(): void {
    this.stopped = true;
    this.quit?.();
    for (const client of this.clients) client.end();
  }

  /** Ends at once the streams of those who would not be let in any more: somebody's rights have changed. */
  recheckAccess(): void {
    void this.guard.check();
  }

  /** Streams that are open. */
  get size(): number {
    return this.clients.size;
  }

  async follow(
    gridId: string,
    topics: readonly LiveTopic[],
    admission: StreamAuthorization,
  ): Promise<StreamingResponse> {
    return new StreamingResponse((response) => this.open(response, gridId, topics, admission));
  }

  private async open(
    response: ServerResponse,
    gridId: string,
    topics: readonly LiveTopic[],
    admission: StreamAuthorization,
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
    this.add(new LiveClient(response, topics), channel, { response, gridId, admission });
  }

  private add(
    client: LiveClient,
    channel: LiveGridChannel,
    { response, gridId, admission }: { response: ServerResponse; gridId: string; admission: StreamAuthorization },
  ): void {
    const unwatch = this.guard.watch(client, admission);
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
      throw createTooManyStreamsProblem(`The service has ${maxStreams} open streams, which is as many as it may have.`);
    let channel = this.channels.get(gridId);
    if (channel === undefined)
      this.channels.set(
        gridId,
        (channel = new LiveGridChannel(async (topic) => diagnostics.liveDocument(gridId, topic))),
      );
    if (channel.size + (this.joining.get(gridId) ?? 0) >= maxStreamsPerGrid) {
      throw createTooManyStreamsProblem(
        `This Grid has ${maxStreamsPerGrid} open streams, which is as many as it may have.`,
      );
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
      channel.refreshAll();
      this.dropUnused(gridId, channel);
    }
  }

  private dropUnused(gridId: string, channel: LiveGridChannel): void {
    if (channel.size === 0 && !this.joining.has(gridId)) this.channels.delete(gridId);
  }

  private assertRunning(): void {
    if (this.stopped) throw new HindsightError('unavailable', 'The service stops.');
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
  readonly admission: StreamAuthorization;
  readonly clients: Set<LiveClient>;
  checking: boolean;
  /** Asked while a check was under way, which may know less. */
  checkAgain: boolean;
}

/** Ends streams whose callers would not be let in any more. Asks once for all streams of the same credentials and Grid. */
class StreamAccessGuard {
  private readonly groups = new Map<string, CredentialGroup>();

  /** Answers how to stop watching. */
  watch(client: LiveClient, admission: StreamAuthorization): () => void {
    const key = admission.credentialKey();
    let group = this.groups.get(key);
    if (group === undefined)
      this.groups.set(key, (group = { admission, clients: new Set(), checking: false, checkAgain: false }));
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
  let holds: boolean;
  do {
    group.checkAgain = false;
    holds = await group.admission.isValid().catch(assumeAuthorized);
  } while (holds && group.checkAgain);
  group.checking = false;
  if (!holds) for (const client of group.clients) client.end();
}

/** While nobody can tell, streams stay: nobody was thrown out. */
const assumeAuthorized = (): boolean => true;

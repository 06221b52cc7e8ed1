import type { ServerResponse } from 'node:http';
import type { Observable } from 'rxjs';
import { HindsightError } from '../../errors.js';
import type { DiagnosticsQueries } from '../../queries/diagnostics/questions.js';
import type { LiveTopic } from '../../read-models/live-diagnostics.js';
import type { Hint } from '../../streams/live/live-feed.js';
import { headerValues } from '../headers.js';
import { OpenAnswer } from '../open-answer.js';
import { Problem } from '../problems/problem.js';
import type { Admission } from '../steps/admission.js';
import { LiveClient } from './client.js';
import { seenBy } from './frames.js';
import { GridChannel } from './grid-channel.js';
import { Guard } from './guard.js';

/** What the stream operation asks for. */
export interface LiveStreams {
  /** Resolves at once; the answer sends the current state of the topics, then each change, until the caller or the service ends it. */
  follow(gridId: string, topics: readonly LiveTopic[], admission: Admission): Promise<OpenAnswer>;
}

export interface LiveHubOptions {
  readonly hints: Observable<Hint>;
  readonly diagnostics: Pick<DiagnosticsQueries, 'live'>;
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
export class LiveHub implements LiveStreams {
  private readonly channels = new Map<string, GridChannel>();
  /** Streams by Grid that wait for their first state, in which they count as open. */
  private readonly joining = new Map<string, number>();
  private readonly guard = new Guard();
  private readonly clients = new Set<LiveClient>();
  private ticks = 0;
  private quit: (() => void) | undefined;
  private stopped = false;

  constructor(private readonly options: LiveHubOptions) {}

  start(): void {
    const { hints, every = everyUnref } = this.options;
    const hearing = hints.subscribe((hint) => {
      if (hint.topic === 'diagnosed') this.channels.get(hint.gridId)?.hear(hint.diagnostic as LiveTopic);
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
  review(): void {
    void this.guard.check();
  }

  /** Streams that are open. */
  get size(): number {
    return this.clients.size;
  }

  async follow(gridId: string, topics: readonly LiveTopic[], admission: Admission): Promise<OpenAnswer> {
    return new OpenAnswer((response) => this.open(response, gridId, topics, admission));
  }

  private async open(response: ServerResponse, gridId: string, topics: readonly LiveTopic[], admission: Admission): Promise<void> {
    const channel = this.channelOf(gridId);
    this.count(gridId, 1);
    try {
      await channel.prepare(topics);
      this.refuseWhenStopped();
    } finally {
      this.count(gridId, -1);
    }
    if (response.headersSent || response.destroyed) return;
    this.add(new LiveClient(response, topics), channel, { response, gridId, admission });
  }

  private add(client: LiveClient, channel: GridChannel, { response, gridId, admission }: { response: ServerResponse; gridId: string; admission: Admission }): void {
    const unwatch = this.guard.watch(client, admission);
    this.clients.add(client);
    response.once('close', () => {
      unwatch();
      this.clients.delete(client);
      channel.leave(client);
      this.dropUnused(gridId, channel);
    });
    const [lastEventId] = headerValues(response.req.rawHeaders, 'last-event-id');
    channel.join(client, seenBy(lastEventId));
  }

  private channelOf(gridId: string): GridChannel {
    this.refuseWhenStopped();
    const { diagnostics, maxStreamsPerGrid = 1_000, maxStreams = 10_000 } = this.options;
    if (this.clients.size >= maxStreams) throw tooManyStreams(`The service has ${maxStreams} open streams, which is as many as it may have.`);
    let channel = this.channels.get(gridId);
    if (channel === undefined) this.channels.set(gridId, (channel = new GridChannel(async (topic) => diagnostics.live(gridId, topic))));
    if (channel.size + (this.joining.get(gridId) ?? 0) >= maxStreamsPerGrid) {
      throw tooManyStreams(`This Grid has ${maxStreamsPerGrid} open streams, which is as many as it may have.`);
    }
    return channel;
  }

  private count(gridId: string, by: 1 | -1): void {
    const joining = (this.joining.get(gridId) ?? 0) + by;
    if (joining > 0) this.joining.set(gridId, joining);
    else this.joining.delete(gridId);
  }

  private tick(): void {
    this.ticks += 1;
    void this.guard.check();
    for (const [gridId, channel] of this.channels) {
      if (this.ticks % TICKS_PER_HEARTBEAT === 0) channel.sendAll(HEARTBEAT);
      channel.lookAround();
      this.dropUnused(gridId, channel);
    }
  }

  private dropUnused(gridId: string, channel: GridChannel): void {
    if (channel.size === 0 && !this.joining.has(gridId)) this.channels.delete(gridId);
  }

  private refuseWhenStopped(): void {
    if (this.stopped) throw new HindsightError('unavailable', 'The service stops.');
  }
}

function tooManyStreams(detail: string): Problem {
  return new Problem('rate-limited', detail, { headers: { 'Retry-After': String(BUSY_RETRY_S) } });
}

function everyUnref(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms).unref();
  return () => clearInterval(timer);
}

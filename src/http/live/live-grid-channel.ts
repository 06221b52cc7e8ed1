import type { LiveDiagnosticsDocument, LiveTopic } from '../../read-models/documents/live-diagnostics-documents.js';
import { buildEventId, buildFrame, formatFrame, type SeenFingerprints, type SseFrame } from './sse-frames.js';
import type { ServerResponse } from 'node:http';

/** MUST NOT throw synchronously; failures are rejections. */
export type LoadLiveDocument = (topic: LiveTopic) => Promise<LiveDiagnosticsDocument | undefined>;

/**
 * The streams of one Grid: its clients, and the last frame of each topic. Clients with the same topics have received the same
 * frames, so each event is serialized once for all of them.
 */
export class LiveGridChannel {
  private readonly clients = new Set<LiveClient>();
  /** Number of clients by topic. */
  private readonly followers = new Map<LiveTopic, number>();
  private readonly frames = new Map<LiveTopic, SseFrame>();
  private readonly refreshing = new Map<LiveTopic, Promise<void>>();
  /** Topics that have changed during their refresh. */
  private readonly stale = new Set<LiveTopic>();

  /** `now` in ms since 1970. */
  constructor(
    private readonly load: LoadLiveDocument,
    private readonly now: () => number = Date.now,
  ) {}

  get size(): number {
    return this.clients.size;
  }

  /** Loads the current state of topics that are not kept up to date yet. Rejects if the state cannot be read. */
  async loadTopics(topics: readonly LiveTopic[]): Promise<void> {
    const missing = topics.filter((topic) => !this.followers.has(topic) || !this.frames.has(topic));
    await Promise.all(missing.map((topic) => this.refresh(topic)));
  }

  /** Sends the current state of all topics that the client has not seen, and every change from then on. */
  join(client: LiveClient, seen: SeenFingerprints): void {
    const unseen = client.topics.filter((topic) => this.frames.get(topic)?.fingerprint !== seen.get(topic));
    const now = this.now();
    const events = unseen.flatMap((topic) => {
      const frame = this.frames.get(topic);
      return frame === undefined ? [] : formatFrame(frame, now);
    });
    // Only the last event has an id: a client that loses the connection before it has not received all of them.
    client.sendInitialState(
      events.map((lines, at) => (at === events.length - 1 ? this.idLine(client.topics) + lines : lines)).join(''),
    );
    this.clients.add(client);
    for (const topic of client.topics) this.followers.set(topic, (this.followers.get(topic) ?? 0) + 1);
  }

  leave(client: LiveClient): void {
    if (!this.clients.delete(client)) return;
    for (const topic of client.topics) {
      const left = (this.followers.get(topic) ?? 1) - 1;
      if (left > 0) this.followers.set(topic, left);
      else this.followers.delete(topic);
    }
  }

  /** Refreshes a topic after a change hint. */
  onTopicChanged(topic: LiveTopic): void {
    if (!this.followers.has(topic)) return;
    if (this.refreshing.has(topic)) this.stale.add(topic);
    else this.refreshIgnoringErrors(topic);
  }

  /** Refreshes all followed topics, in case hints were lost. */
  refreshAll(): void {
    for (const topic of this.followers.keys()) if (!this.refreshing.has(topic)) this.refreshIgnoringErrors(topic);
  }

  sendAll(bytes: Uint8Array): void {
    for (const client of this.clients) client.send(bytes);
  }

  /** A failed refresh is repeated by the next one. */
  private refreshIgnoringErrors(topic: LiveTopic): void {
    this.refresh(topic).catch(() => undefined);
  }

  /** Runs one refresh at a time per topic; changes during a refresh cause one more. */
  private refresh(topic: LiveTopic): Promise<void> {
    const running = this.refreshing.get(topic);
    if (running !== undefined) return running;
    const refresh = this.refreshUntilSettled(topic);
    this.refreshing.set(topic, refresh);
    return refresh;
  }

  private async refreshUntilSettled(topic: LiveTopic): Promise<void> {
    try {
      do {
        this.stale.delete(topic);
        const document = await this.load(topic);
        if (document !== undefined) this.update(document);
      } while (this.stale.has(topic));
    } finally {
      // Synchronously after the last check of `stale`, so that no change in between is lost.
      this.refreshing.delete(topic);
    }
  }

  private update(document: LiveDiagnosticsDocument): void {
    const { topic, version } = document;
    const before = this.frames.get(topic);
    if (before?.version === version) {
      this.frames.set(topic, { ...before, since: document.since ?? document.at });
      return;
    }
    const frame = buildFrame(document);
    this.frames.set(topic, frame);
    if (before?.fingerprint !== frame.fingerprint) this.broadcast(topic, frame);
  }

  private broadcast(topic: LiveTopic, frame: SseFrame): void {
    const lines = formatFrame(frame, this.now());
    const events = new Map<string, Uint8Array>();
    for (const client of this.clients) {
      if (!client.topics.includes(topic)) continue;
      const key = client.topics.join();
      let event = events.get(key);
      if (event === undefined) events.set(key, (event = Buffer.from(this.idLine(client.topics) + lines)));
      client.send(event);
    }
  }

  private idLine(topics: readonly LiveTopic[]): string {
    const seen = new Map(topics.map((topic) => [topic, this.frames.get(topic)?.fingerprint ?? '']));
    return `id: ${buildEventId(seen)}\n`;
  }
}

/** Maximum unread bytes of a client before the next write. */
const MAX_UNREAD_BYTES = 256 * 1024;

const SSE_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

/** Reconnect delay of EventSources in ms, randomized so that they do not all reconnect at the same time after a restart. */
const RETRY_FROM_MS = 1_000;

const RETRY_SPREAD_MS = 4_000;

/** One open stream. Holds no timers and no buffers, so that a thousand idle streams cost little more than their sockets. */
export class LiveClient {
  constructor(
    private readonly response: ServerResponse,
    readonly topics: readonly LiveTopic[],
  ) {}

  /** Writes the head and the initial state, whose size does not count as unread. */
  sendInitialState(state: string): void {
    this.response.writeHead(200, SSE_HEADERS);
    // HEAD gets the headers of GET and ends immediately.
    if (this.response.req.method === 'HEAD') this.response.end();
    else this.response.write(`retry: ${RETRY_FROM_MS + Math.floor(RETRY_SPREAD_MS * Math.random())}\n\n${state}`);
  }

  /** Sends bytes, or disconnects a client that reads too slowly: it reconnects and gets the then current state. No-op after the end. */
  send(bytes: Uint8Array): void {
    if (this.response.writableEnded || this.response.destroyed) return;
    if (this.response.writableLength > MAX_UNREAD_BYTES) this.response.destroy();
    else this.response.write(bytes);
  }

  /** Ends the stream. A second call disconnects a client that has not read to the end, which would otherwise occupy a slot forever. */
  end(): void {
    if (this.response.writableEnded) this.response.destroy();
    else this.response.end();
  }
}

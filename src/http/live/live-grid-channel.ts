import type { LiveDiagnosticsDocument, LiveTopic } from '../../read-models/documents/live-diagnostics-documents.js';
import { buildEventId, buildFrame, type SeenFingerprints, type SseFrame } from './sse-frames.js';
import type { ServerResponse } from 'node:http';

/** MUST reject where it fails, not throw. */
export type LoadLiveDocument = (topic: LiveTopic) => Promise<LiveDiagnosticsDocument | undefined>;

/**
 * The streams of one Grid: who follows what, and the last frame of each topic that is followed. All clients of the same
 * topics have seen the same, so an event is made once for all of them.
 */
export class LiveGridChannel {
  private readonly clients = new Set<LiveClient>();
  private readonly followers = new Map<LiveTopic, number>();
  private readonly frames = new Map<LiveTopic, SseFrame>();
  private readonly looking = new Map<LiveTopic, Promise<void>>();
  private readonly lookAgain = new Set<LiveTopic>();

  constructor(private readonly ask: LoadLiveDocument) {}

  get size(): number {
    return this.clients.size;
  }

  /** Makes sure that the state of these topics is known and fresh, as far as there is one. Rejects when it cannot be asked for. */
  async loadTopics(topics: readonly LiveTopic[]): Promise<void> {
    const notKept = topics.filter((topic) => !this.followers.has(topic) || !this.frames.has(topic));
    await Promise.all(notKept.map((topic) => this.refresh(topic)));
  }

  /** Sends the current state, except of what was seen already; from then on each change. */
  join(client: LiveClient, seen: SeenFingerprints): void {
    const unseen = client.topics.filter((topic) => this.frames.get(topic)?.fingerprint !== seen.get(topic));
    const events = unseen.flatMap((topic) => this.frames.get(topic)?.lines ?? []);
    // The id comes with the last one: who loses the connection before it has not seen all of them.
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

  /** A topic has changed, it is said. */
  onTopicChanged(topic: LiveTopic): void {
    if (!this.followers.has(topic)) return;
    if (this.looking.has(topic)) this.lookAgain.add(topic);
    else this.refreshIgnoringErrors(topic);
  }

  /** For hints that were lost. */
  refreshAll(): void {
    for (const topic of this.followers.keys()) if (!this.looking.has(topic)) this.refreshIgnoringErrors(topic);
  }

  sendAll(bytes: Uint8Array): void {
    for (const client of this.clients) client.send(bytes);
  }

  /** A look that fails is made good by the next one. */
  private refreshIgnoringErrors(topic: LiveTopic): void {
    this.refresh(topic).catch(() => undefined);
  }

  /** One look at a time for each topic; whatever is heard meanwhile is worth one more. */
  private refresh(topic: LiveTopic): Promise<void> {
    const under = this.looking.get(topic);
    if (under !== undefined) return under;
    const look = this.refreshUntilSettled(topic);
    this.looking.set(topic, look);
    return look;
  }

  private async refreshUntilSettled(topic: LiveTopic): Promise<void> {
    try {
      do {
        this.lookAgain.delete(topic);
        const document = await this.ask(topic);
        if (document !== undefined) this.update(document);
      } while (this.lookAgain.has(topic));
    } finally {
      // In the same turn as the last look at `lookAgain`: what is heard a turn later begins a look of its own.
      this.looking.delete(topic);
    }
  }

  private update(document: LiveDiagnosticsDocument): void {
    const { topic, version } = document;
    const before = this.frames.get(topic);
    if (before?.version === version) return;
    const frame = buildFrame(document);
    this.frames.set(topic, frame);
    if (before?.fingerprint !== frame.fingerprint) this.broadcast(topic, frame);
  }

  private broadcast(topic: LiveTopic, { lines }: SseFrame): void {
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

/** Bytes that a client may leave unread before more is to be written. */
const MAX_UNREAD_BYTES = 256 * 1024;

const SSE_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

/** How long an EventSource waits before it connects again: all of them come when the service starts anew, but not in the same moment. */
const RETRY_FROM_MS = 1_000;

const RETRY_SPREAD_MS = 4_000;

/** One open response. Holds no timer and no copy of anything: a thousand idle ones cost little more than their sockets. */
export class LiveClient {
  constructor(
    private readonly response: ServerResponse,
    readonly topics: readonly LiveTopic[],
  ) {}

  /** Writes the head, and `state` in the same go: however much it is, its reader is not slow yet. */
  sendInitialState(state: string): void {
    this.response.writeHead(200, SSE_HEADERS);
    // HEAD asks what GET would answer, and is not kept waiting for its end.
    if (this.response.req.method === 'HEAD') this.response.end();
    else this.response.write(`retry: ${RETRY_FROM_MS + Math.floor(RETRY_SPREAD_MS * Math.random())}\n\n${state}`);
  }

  /** A reader that is too slow is cut off. It will come again, and be given what counts by then. Nothing happens after the end. */
  send(bytes: Uint8Array): void {
    if (this.response.writableEnded || this.response.destroyed) return;
    if (this.response.writableLength > MAX_UNREAD_BYTES) this.response.destroy();
    else this.response.write(bytes);
  }

  /** Whoever has not read to the end when it is called again is cut off: otherwise they would keep their place for ever. */
  end(): void {
    if (this.response.writableEnded) this.response.destroy();
    else this.response.end();
  }
}

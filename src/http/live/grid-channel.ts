import type { LiveDocument, LiveTopic } from '../../read-models/live-diagnostics.js';
import type { LiveClient } from './client.js';
import { eventId, frameOf, type Frame, type Seen } from './frames.js';

/** MUST reject where it fails, not throw. */
export type AskLive = (topic: LiveTopic) => Promise<LiveDocument | undefined>;

/**
 * The streams of one Grid: who follows what, and the last frame of each topic that is followed. All clients of the same
 * topics have seen the same, so an event is made once for all of them.
 */
export class GridChannel {
  private readonly clients = new Set<LiveClient>();
  private readonly followers = new Map<LiveTopic, number>();
  private readonly frames = new Map<LiveTopic, Frame>();
  private readonly looking = new Map<LiveTopic, Promise<void>>();
  private readonly lookAgain = new Set<LiveTopic>();

  constructor(private readonly ask: AskLive) {}

  get size(): number {
    return this.clients.size;
  }

  /** Makes sure that the state of these topics is known and fresh, as far as there is one. Rejects when it cannot be asked for. */
  async prepare(topics: readonly LiveTopic[]): Promise<void> {
    const notKept = topics.filter((topic) => !this.followers.has(topic) || !this.frames.has(topic));
    await Promise.all(notKept.map((topic) => this.look(topic)));
  }

  /** Sends the current state, except of what was seen already; from then on each change. */
  join(client: LiveClient, seen: Seen): void {
    const unseen = client.topics.filter((topic) => this.frames.get(topic)?.fingerprint !== seen.get(topic));
    const events = unseen.flatMap((topic) => this.frames.get(topic)?.lines ?? []);
    // The id comes with the last one: who loses the connection before it has not seen all of them.
    client.greet(events.map((lines, at) => (at === events.length - 1 ? this.idLine(client.topics) + lines : lines)).join(''));
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
  hear(topic: LiveTopic): void {
    if (!this.followers.has(topic)) return;
    if (this.looking.has(topic)) this.lookAgain.add(topic);
    else this.lookInVain(topic);
  }

  /** For hints that were lost. */
  lookAround(): void {
    for (const topic of this.followers.keys()) if (!this.looking.has(topic)) this.lookInVain(topic);
  }

  sendAll(bytes: Uint8Array): void {
    for (const client of this.clients) client.send(bytes);
  }

  /** A look that fails is made good by the next one. */
  private lookInVain(topic: LiveTopic): void {
    this.look(topic).catch(() => undefined);
  }

  /** One look at a time for each topic; whatever is heard meanwhile is worth one more. */
  private look(topic: LiveTopic): Promise<void> {
    const under = this.looking.get(topic);
    if (under !== undefined) return under;
    const look = this.lookUntilQuiet(topic);
    this.looking.set(topic, look);
    return look;
  }

  private async lookUntilQuiet(topic: LiveTopic): Promise<void> {
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

  private update(document: LiveDocument): void {
    const { topic, version } = document;
    const before = this.frames.get(topic);
    if (before?.version === version) return;
    const frame = frameOf(document);
    this.frames.set(topic, frame);
    if (before?.fingerprint !== frame.fingerprint) this.broadcast(topic, frame);
  }

  private broadcast(topic: LiveTopic, { lines }: Frame): void {
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
    return `id: ${eventId(seen)}\n`;
  }
}

import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { waitUntil } from './wait-until.js';

export interface ReceivedEvent {
  readonly event: string;
  /** The last event id, like that of an EventSource. */
  readonly id: string;
  readonly data: unknown;
}

/** A client for server-sent events (WHATWG HTML, section 9.2) that records everything received. */
export class EventStream {
  readonly events: ReceivedEvent[] = [];
  comments = 0;
  /** Reconnection delay of an EventSource (ms). */
  retryMs: number | undefined;
  ended = false;
  private rest = '';
  private lastId = '';

  private constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => this.read(chunk));
    response.on('close', () => (this.ended = true));
    // The server closed the stream.
    response.on('error', () => (this.ended = true));
  }

  static async open(url: string, headers: Readonly<Record<string, string>>): Promise<EventStream> {
    const request = get(url, { headers, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return new EventStream(response);
  }

  /** Waits for this many events and returns them in order. */
  async received(count: number): Promise<readonly ReceivedEvent[]> {
    await waitUntil(
      () => this.events.length >= count,
      `${count} events of a stream, of which ${this.events.length} came`,
      5_000,
    );
    return this.events;
  }

  close(): void {
    this.response.destroy();
  }

  private read(chunk: string): void {
    const blocks = (this.rest + chunk).split('\n\n');
    this.rest = blocks.pop() ?? '';
    for (const block of blocks) this.dispatch(block.split('\n'));
  }

  private dispatch(lines: readonly string[]): void {
    const fields = new Map(
      lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trimStart()]),
    );
    if (fields.has('')) this.comments += 1;
    this.lastId = fields.get('id') ?? this.lastId;
    const retry = fields.get('retry');
    if (retry !== undefined) this.retryMs = Number(retry);
    const data = fields.get('data');
    if (data !== undefined)
      this.events.push({ event: fields.get('event') ?? 'message', id: this.lastId, data: JSON.parse(data) as unknown });
  }
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from '../generator/random.js';

/** What a webhook of Alertmanager's format says of one alert. */
interface ReceivedAlert {
  readonly status: 'firing' | 'resolved';
  readonly fingerprint: string;
  readonly labels: Readonly<Record<string, string>>;
}

interface WebhookBody {
  readonly alerts: readonly ReceivedAlert[];
  readonly hindsight: { readonly key: string; readonly reason: string };
}

/** One request to the receiver. */
export interface Arrival {
  readonly key: string;
  readonly reason: string;
  readonly text: string;
  readonly alerts: readonly ReceivedAlert[];
  /** `taken`: answered with success; `refused`: with 503; `cut`: processed, and the connection was cut without an answer; `hung`: never answered. */
  readonly outcome: 'taken' | 'refused' | 'cut' | 'hung';
  /** Other requests with this key that were not yet answered. */
  readonly concurrent: number;
}

/** How long (ms) an answer takes, so that two senders of one message would overlap. */
const ANSWER_MS = 50;

/** Part of the requests that are never answered: few, because each takes the longest time of an attempt. */
const HANGING = 0.02;

/**
 * Failures in a row: a channel sends in order, and its pause doubles with each failure of a message. Seven cost two minutes,
 * and with several such runs of bad luck what waits behind them would arrive after the time that a test has.
 */
const MAX_FAILURES_IN_A_ROW = 4;

/**
 * A webhook receiver that fails half of the requests: with 503, by a cut connection after it has read the request, or by
 * no answer.
 */
export class FlakyReceiver {
  readonly arrivals: Arrival[] = [];
  /** Called before each answer. */
  onArrival: () => void = () => undefined;
  private readonly open = new Map<string, number>();
  private server: Server | undefined;
  private failures = 0;

  constructor(
    private readonly random: Random,
    /** Part of the requests that fail. */
    public failing = 0.5,
  ) {}

  async start(): Promise<void> {
    const server = createServer((request, response) => void this.take(request, response));
    this.server = server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server?.address() as AddressInfo).port}/hook`;
  }

  async stop(): Promise<void> {
    if (this.server === undefined) return;
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** Those that were answered with success. */
  get taken(): readonly Arrival[] {
    return this.arrivals.filter(({ outcome }) => outcome === 'taken');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readText(request);
    if (text === undefined) return; // the sender was killed while it sent
    const { alerts, hindsight } = JSON.parse(text) as WebhookBody;
    const { key, reason } = hindsight;
    const concurrent = this.open.get(key) ?? 0;
    this.open.set(key, concurrent + 1);
    const outcome = this.drawOutcome();
    this.arrivals.push({ key, reason, text, alerts, outcome, concurrent });
    this.onArrival();
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
    this.open.set(key, (this.open.get(key) ?? 1) - 1);
    if (outcome === 'cut') request.socket.destroy();
    else if (outcome !== 'hung') response.writeHead(outcome === 'taken' ? 200 : 503).end('as drawn');
  }

  private drawOutcome(): Arrival['outcome'] {
    const draw = this.random.unit();
    this.failures = draw < this.failing && this.failures < MAX_FAILURES_IN_A_ROW ? this.failures + 1 : 0;
    if (this.failures === 0) return 'taken';
    if (draw < HANGING) return 'hung';
    return draw < this.failing / 2 ? 'cut' : 'refused';
  }
}

/** Undefined if the connection ended before the request. */
async function readText(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  try {
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  } catch {
    return undefined; // by a kill of the sender
  }
  return Buffer.concat(parts).toString('utf8');
}

import type { NatsConnection, Subscription as NatsSubscription } from 'nats';
import { Subject, Subscription, takeUntil } from 'rxjs';
import type { Observable } from 'rxjs';
import type { Health } from '../../../component.js';
import type { Logger } from '../../../self-telemetry/logger.js';
import type { ChangeHint, LiveFeed } from '../live-feed.js';
import { CoalescingHintQueue, decodeHint, encodeHint, toClusterSubject, toHintSubject } from './hint-messages.js';
import type { SharedNatsConnection } from './shared-nats-connection.js';

/**
 * Hints to every process of a cluster, by way of NATS, beside those within the process. What is announced on `local`, in any of its
 * threads, goes out; what comes in is announced on `local`. One such feed a process, or hints go round in circles.
 *
 * Local hints never wait for NATS. At most one batch is on its way at a time; what is announced meanwhile waits in the outbox,
 * where the latest word on a thing replaces the earlier. While NATS is away the outbox keeps the latest words for its return.
 */
export class NatsFeed implements LiveFeed {
  readonly #outbox = new CoalescingHintQueue();
  readonly #closed = new Subject<void>();
  readonly #cluster: string;
  #listening: Subscription | undefined;
  #connection: NatsConnection | undefined;
  #subscription: NatsSubscription | undefined;
  /** The connection on which a batch is under way. */
  #sendingTo: NatsConnection | undefined;
  #fromAfar = false;
  #isClosed = false;

  /** Closes neither `link` nor `local`: whoever made them does. */
  constructor(
    private readonly link: SharedNatsConnection,
    private readonly local: LiveFeed,
    cluster: string,
    private readonly log: Logger,
  ) {
    this.#cluster = toClusterSubject(cluster);
  }

  get hints(): Observable<ChangeHint> {
    this.#open();
    return this.local.hints.pipe(takeUntil(this.#closed));
  }

  announce(hint: ChangeHint): void {
    if (this.#isClosed) return;
    this.#open();
    this.local.announce(hint);
  }

  /** Without NATS the feed still works within the process, so that is a degradation. */
  async check(): Promise<Health> {
    if (this.#isClosed) return { ok: false, reason: 'the live feed is closed' };
    this.#open();
    const [local, link] = await Promise.all([this.local.check(), this.link.check()]);
    if (!local.ok || link.ok) return local;
    return { ok: true, degraded: `hints do not cross processes, which look every second instead: ${link.reason}` };
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#listening?.unsubscribe();
    this.#subscription?.unsubscribe();
    this.#connection = undefined;
    this.#closed.next();
    this.#closed.complete();
    return Promise.resolve();
  }

  #open(): void {
    if (this.#isClosed || this.#listening !== undefined) return;
    this.#listening = new Subscription();
    this.#listening.add(this.local.hints.subscribe((hint) => this.#forward(hint)));
    this.#listening.add(this.link.connections.subscribe((connection) => this.#subscribeOn(connection)));
  }

  #subscribeOn(connection: NatsConnection | undefined): void {
    this.#connection = connection;
    // Ends with its connection; `close` ends it earlier.
    this.#subscription = connection?.subscribe(`${this.#cluster}.>`, {
      callback: (error, message) =>
        error === null ? this.#receive(message.data) : this.log.warn('NATS refuses hints', { error }),
    });
    void this.#send();
  }

  #receive(message: Uint8Array): void {
    const hint = decodeHint(message);
    if (hint === undefined || this.#isClosed) return;
    this.#fromAfar = true;
    try {
      this.local.announce(hint);
    } finally {
      this.#fromAfar = false;
    }
  }

  /** The local feed tells its own hints at once, within `announce`: what comes in is told apart by that. */
  #forward(hint: ChangeHint): void {
    if (this.#fromAfar) return;
    this.#outbox.enqueue(hint);
    void this.#send();
  }

  /** Batch after batch, each answered before the next goes out: a slow server slows nobody and fills no buffer. */
  async #send(): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined || connection === this.#sendingTo) return;
    // By connection, because a flush on one that died is never answered.
    this.#sendingTo = connection;
    try {
      while (this.#connection === connection && this.#outbox.size > 0) await this.#sendBatch(connection);
    } catch (error) {
      // The link tells that NATS is away. What this batch said is lost, as a hint may be.
      this.log.debug('hints were not sent', { error });
    } finally {
      if (this.#sendingTo === connection) this.#sendingTo = undefined;
    }
  }

  async #sendBatch(connection: NatsConnection): Promise<void> {
    for (const hint of this.#outbox.drain()) connection.publish(toHintSubject(this.#cluster, hint), encodeHint(hint));
    await connection.flush();
  }
}

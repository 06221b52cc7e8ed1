import type { NatsConnection, Subscription as NatsSubscription } from 'nats';
import { Subject, Subscription, takeUntil } from 'rxjs';
import type { Observable } from 'rxjs';
import type { Health } from '../../../component.js';
import type { Logger } from '../../../self-telemetry/logger.js';
import type { ChangeHint, LiveFeed } from '../live-feed.js';
import { CoalescingHintQueue, decodeHint, encodeHint, toClusterSubject, toHintSubject } from './hint-messages.js';
import type { SharedNatsConnection } from './shared-nats-connection.js';

/**
 * Exchanges hints between the processes of a cluster over NATS, in addition to the feed within the process. Hints
 * announced on `local` in any thread are published; received hints are announced on `local`. Use only one such feed per
 * process, otherwise hints loop.
 *
 * Local hints never wait for NATS. At most one batch is in flight; hints announced meanwhile are queued, where newer
 * hints replace older ones of the same subject. While NATS is unavailable, the queue keeps the latest hints.
 */
export class NatsFeed implements LiveFeed {
  readonly #queue = new CoalescingHintQueue();
  readonly #closed = new Subject<void>();
  readonly #cluster: string;
  #subscriptions: Subscription | undefined;
  #connection: NatsConnection | undefined;
  #subscription: NatsSubscription | undefined;
  /** The connection with a batch in flight. */
  #flushingOn: NatsConnection | undefined;
  #isReceiving = false;
  #isClosed = false;

  /** Closes neither `nats` nor `local`: their owners do. */
  constructor(
    private readonly nats: SharedNatsConnection,
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

  /** Without NATS the feed still works within the process, so its health is degraded, not failed. */
  async check(): Promise<Health> {
    if (this.#isClosed) return { ok: false, reason: 'the live feed is closed' };
    this.#open();
    const [local, nats] = await Promise.all([this.local.check(), this.nats.check()]);
    if (!local.ok || nats.ok) return local;
    return {
      ok: true,
      degraded: `change hints do not reach other processes, which poll every second instead: ${nats.reason}`,
    };
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#subscriptions?.unsubscribe();
    this.#subscription?.unsubscribe();
    this.#connection = undefined;
    this.#closed.next();
    this.#closed.complete();
    return Promise.resolve();
  }

  #open(): void {
    if (this.#isClosed || this.#subscriptions !== undefined) return;
    this.#subscriptions = new Subscription();
    this.#subscriptions.add(this.local.hints.subscribe((hint) => this.#forward(hint)));
    this.#subscriptions.add(this.nats.connections.subscribe((connection) => this.#subscribeOn(connection)));
  }

  #subscribeOn(connection: NatsConnection | undefined): void {
    this.#connection = connection;
    // Ends with its connection or on `close`.
    this.#subscription = connection?.subscribe(`${this.#cluster}.>`, {
      callback: (error, message) =>
        error === null
          ? this.#receive(message.data)
          : this.log.warn('NATS subscription to change hints failed', { error }),
    });
    void this.#send();
  }

  #receive(message: Uint8Array): void {
    const hint = decodeHint(message);
    if (hint === undefined || this.#isClosed) return;
    this.#isReceiving = true;
    try {
      this.local.announce(hint);
    } finally {
      this.#isReceiving = false;
    }
  }

  /** The local feed delivers synchronously within `announce`; this flag identifies hints that came from NATS. */
  #forward(hint: ChangeHint): void {
    if (this.#isReceiving) return;
    this.#queue.enqueue(hint);
    void this.#send();
  }

  /** Sends one batch at a time and waits for its flush: a slow server delays nothing else and fills no buffer. */
  async #send(): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined || connection === this.#flushingOn) return;
    // Tracked per connection, because a flush on a dead connection never completes.
    this.#flushingOn = connection;
    try {
      while (this.#connection === connection && this.#queue.size > 0) await this.#sendBatch(connection);
    } catch (error) {
      // The connection logs that NATS is unavailable. The hints of this batch are lost, which is allowed.
      this.log.debug('Failed to send change hints', { error });
    } finally {
      if (this.#flushingOn === connection) this.#flushingOn = undefined;
    }
  }

  async #sendBatch(connection: NatsConnection): Promise<void> {
    for (const hint of this.#queue.drain()) connection.publish(toHintSubject(this.#cluster, hint), encodeHint(hint));
    await connection.flush();
  }
}

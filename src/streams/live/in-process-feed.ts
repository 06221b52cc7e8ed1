import { BroadcastChannel } from 'node:worker_threads';
import { Subject } from 'rxjs';
import type { Observable } from 'rxjs';
import type { Health } from '../../component.js';
import type { ChangeHint, LiveFeed } from './live-feed.js';

/**
 * Delivers hints to all threads of this process that opened a feed with the same name. Does not keep its thread or
 * process alive.
 */
export class InProcessFeed implements LiveFeed {
  readonly #subject = new Subject<ChangeHint>();
  readonly #name: string;
  #channel: BroadcastChannel | undefined;
  #closed = false;

  constructor(name = 'hindsight.live') {
    this.#name = name;
  }

  get hints(): Observable<ChangeHint> {
    this.#open();
    return this.#subject;
  }

  announce(hint: ChangeHint): void {
    this.#open()?.postMessage(hint);
    this.#subject.next(hint);
  }

  check(): Promise<Health> {
    return Promise.resolve(this.#closed ? { ok: false, reason: 'the live feed is closed' } : { ok: true });
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#channel?.close();
    this.#channel = undefined;
    this.#subject.complete();
    return Promise.resolve();
  }

  #open(): BroadcastChannel | undefined {
    if (this.#closed || this.#channel !== undefined) return this.#channel;
    const channel = new BroadcastChannel(this.#name);
    channel.onmessage = (message: unknown) => this.#subject.next((message as { data: ChangeHint }).data);
    channel.unref();
    this.#channel = channel;
    return channel;
  }
}

import { randomUUID } from 'node:crypto';
import { EventStoreDbEventStore } from '../../../../../src/streams/adapters/eventstoredb/eventstoredb-event-store.js';
import type { EventStoreDbOptions } from '../../../../../src/streams/adapters/eventstoredb/eventstoredb-event-store.js';
import type { NewEvent, RecordedEvent } from '../../../../../src/streams/event-store.js';
import { EventStoreDbServerDouble } from '../../../../support/eventstoredb-server/server.js';
import type { ServerDoubleOptions } from '../../../../support/eventstoredb-server/server.js';

/** The machine may be busy with other tests. */
export const TIMEOUT_MS = 15_000;

/** A double of the server, and stores that are connected to it. */
export class Scene {
  readonly #stores: EventStoreDbEventStore[] = [];

  private constructor(readonly server: EventStoreDbServerDouble) {}

  static async open(options: ServerDoubleOptions = {}): Promise<Scene> {
    return new Scene(await new EventStoreDbServerDouble(options).start());
  }

  store(options: Partial<EventStoreDbOptions> = {}): EventStoreDbEventStore {
    const store = new EventStoreDbEventStore({ url: this.server.url, storeTimeoutMs: TIMEOUT_MS, ...options });
    this.#stores.push(store);
    return store;
  }

  async close(): Promise<void> {
    await Promise.all(this.#stores.map((store) => store.close()));
    await this.server.stop();
  }
}

export function event(n: number, body?: Uint8Array): NewEvent {
  return { id: randomUUID(), type: 'Numbered.v1', data: { n }, ...(body === undefined ? {} : { body }) };
}

export function numbersOf(events: readonly RecordedEvent[]): number[] {
  return events.map(({ data }) => (data as { n: number }).n);
}

export function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}

import { randomUUID } from 'node:crypto';
import { Projector } from '../../../src/projections/engine/projector.js';
import { SILENT_LOGGER } from '../../../src/self-telemetry/logger.js';
import { MemoryReadModelStore } from '../../../src/read-models/adapters/memory/read-model-store.js';
import type { ReadModelStore } from '../../../src/read-models/read-model-store.js';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import type { EventReader } from '../../../src/streams/event-store.js';
import type { Upcast } from '../../../src/streams/events/event-registry.js';
import { feedOf } from '../../unit/projections/engine/support/projected.js';
import type { GoldenEvent } from './golden-log.js';

const TIMEOUT_MS = 20_000;

/** An in-memory event log with these events at their times. */
export async function createEventLog(events: readonly GoldenEvent[], upcast?: Upcast): Promise<MemoryEventStore> {
  let now = 0;
  const log = new MemoryEventStore({ clock: () => now, ...(upcast === undefined ? {} : { upcast }) });
  for (const { stream, at, id, type, data, body } of events) {
    now = at;
    await log.append(stream, 'any', [{ id, type, data, ...(body === undefined ? {} : { body: body.slice() }) }]);
  }
  return log;
}

export interface ReplayResult {
  readonly digests: Readonly<Record<string, string>>;
  readonly deadLetters: number;
}

/** Replays a log into all projections. */
export async function replayAll(
  events: EventReader,
  store: ReadModelStore = new MemoryReadModelStore(),
): Promise<ReplayResult> {
  const projector = new Projector({
    events,
    store,
    feed: feedOf(),
    log: SILENT_LOGGER,
    scratch: () => new MemoryReadModelStore(),
    pollingIntervals: { everyMs: 0, idleMs: 50 },
  });
  try {
    await projector.start();
    const head = await events.head();
    const digests: Record<string, string> = {};
    for (const name of await projector.projections()) {
      if (!(await projector.waitForPosition(name, head, TIMEOUT_MS))) throw new Error(`${name} is late`);
      digests[name] = (await projector.digest(name)).digest;
    }
    return { digests, deadLetters: (await projector.listDeadLetters()).length };
  } finally {
    await projector.stop();
  }
}

/** An event of a newer program version. */
export function createFutureEvent(stream: string, at: number, type: string): GoldenEvent {
  return { stream, at, id: randomUUID(), type, data: { any: { thing: 1 } }, body: Uint8Array.of(1, 2, 3) };
}

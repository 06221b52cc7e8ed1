import { DamagedEvent } from './damaged-event.js';
import type { RecordedEvent } from './event-store.js';
import type { Upcast } from './events/registry.js';

/**
 * A stored event in its newest version. A step that fails is not mended by trying again: it throws a `DamagedEvent`, so that
 * readers pass the event by and go on.
 */
export function newestVersion({ type, position, revision }: Pick<RecordedEvent, 'type' | 'position' | 'revision'>, json: string, upcast: Upcast): ReturnType<Upcast> {
  try {
    return upcast(type, JSON.parse(json));
  } catch (error) {
    throw new DamagedEvent(position, `${type} cannot be brought to its newest version: ${String(error)}`, { cause: error, revision });
  }
}

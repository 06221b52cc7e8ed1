import { SettingsError } from '../../config/settings.js';
import { lockDataFolder } from '../../streams/adapters/sqlite/data-folder.js';
import { openEventReader } from '../../streams/adapters/sqlite/event-log-reader.js';
import { openEventStore } from '../../streams/adapters/sqlite/sqlite-event-store.js';
import type { EventReader, EventStore } from '../../streams/event-store.js';
import type { LiveFeed } from '../../streams/live/live-feed.js';
import { isLogEmbedded, type EngineSettings } from './engine-settings.js';

type LogSettings = Pick<EngineSettings, 'dataDir' | 'eventStoreUrl'>;

/**
 * The log of record, and with it the data folder, which belongs to one process whatever it holds. Announces on `feed` what this process appends.
 * Rejects with code `unavailable` when another process has the folder, with a `SettingsError` where the address is none.
 * @param onLost told when the log cannot go on; a remote log comes back by itself
 */
export async function openEventLog(
  settings: LogSettings,
  feed: LiveFeed,
  onLost: (error: Error) => void = () => undefined,
): Promise<EventStore> {
  if (isLogEmbedded(settings)) return openEventStore(settings.dataDir, feed, onLost);
  const lock = lockDataFolder(settings.dataDir);
  try {
    const log = await openRemoteEventLog(settings, feed);
    const close = log.close.bind(log);
    return Object.assign(log, { close: () => close().finally(() => lock.release()) });
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The reading half, for a thread of its own. */
export async function openEventLogReader(settings: LogSettings, feed: LiveFeed): Promise<EventReader> {
  return isLogEmbedded(settings) ? openEventReader(settings.dataDir, feed) : openRemoteEventLog(settings, feed);
}

/** The log of an installation with other processes, for one that owns no data folder: not for an embedded log. Rejects with a `SettingsError` where the address is none. */
export async function openRemoteEventLog({ eventStoreUrl: url }: LogSettings, feed: LiveFeed): Promise<EventStore> {
  const { EventStoreDbEventStore } = await import('../../streams/adapters/eventstoredb/eventstoredb-event-store.js');
  try {
    return new EventStoreDbEventStore({ url, feed });
  } catch (cause) {
    throw new SettingsError('EVENT_STORE_URL', `cannot be used: ${(cause as Error).message}`, { cause });
  }
}

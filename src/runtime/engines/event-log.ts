import { SettingsError } from '../../config/settings.js';
import { lockDataFolder } from '../../streams/adapters/sqlite/data-folder.js';
import { openEventReader } from '../../streams/adapters/sqlite/sqlite-event-reader.js';
import { openEventStore } from '../../streams/adapters/sqlite/sqlite-event-store.js';
import { DamagedWalError, refuseDamagedWalOfIdleFolder } from '../../streams/adapters/sqlite/wal-damage.js';
import type { EventReader, EventStore } from '../../streams/event-store.js';
import type { LogChecker } from '../../streams/log-checker.js';
import type { LiveFeed } from '../../streams/live/live-feed.js';
import { assertFolderVersion, recordFolderVersion } from './data-folder-version.js';
import { isLogEmbedded, type EngineSettings } from './engine-settings.js';

type LogSettings = Pick<EngineSettings, 'dataDir' | 'eventStoreUrl' | 'storeTimeoutMs'>;

/**
 * Opens the event log and locks the data folder, which belongs to one process even if the log is remote. Announces
 * appended events on `feed`. Rejects with code `unavailable` when another process holds the folder, with
 * `SettingsError` for an invalid address.
 * An embedded log can be checked for damage; a remote one is checked by its server.
 * `SettingsError` also for a folder that a newer version wrote, and for a damaged write-ahead log: a restart does not help.
 * @param onLost called when an embedded log fails for good; a remote log reconnects by itself
 * @param notify called with what the operator should know about the version that wrote the folder before
 */
export async function openEventLog(
  settings: LogSettings,
  feed: LiveFeed,
  onLost: (error: Error) => void = () => undefined,
  notify: (text: string) => void = () => undefined,
): Promise<EventStore & Partial<LogChecker>> {
  const { dataDir } = settings;
  assertFolderVersion(dataDir);
  if (isLogEmbedded(settings)) {
    const store = await openEventStore(dataDir, feed, onLost).catch((error: unknown) => {
      throw toFolderError(error);
    });
    reportFolderVersion(dataDir, notify);
    return store;
  }
  const lock = lockDataFolder(dataDir);
  try {
    reportFolderVersion(dataDir, notify);
    const log = await openRemoteEventLog(settings, feed);
    const close = log.close.bind(log);
    return Object.assign(log, { close: () => close().finally(() => lock.release()) });
  } catch (error) {
    lock.release();
    throw error;
  }
}

function reportFolderVersion(dataDir: string, notify: (text: string) => void): void {
  const note = recordFolderVersion(dataDir);
  if (note !== undefined) notify(note);
}

/**
 * Throws `SettingsError` if readers of the embedded log in `dataDir` would miss committed events, because its write-ahead
 * log is damaged. Call before this process opens the log. Checks nothing while another process uses the folder.
 */
export function assertIntactWal(dataDir: string): void {
  try {
    refuseDamagedWalOfIdleFolder(dataDir);
  } catch (error) {
    throw toFolderError(error);
  }
}

function toFolderError(error: unknown): unknown {
  if (!(error instanceof DamagedWalError)) return error;
  return new SettingsError('DATA_DIR', `has a damaged event log: ${error.message}`, { cause: error });
}

/** Opens a read-only connection, for a worker thread. */
export async function openEventLogReader(settings: LogSettings, feed: LiveFeed): Promise<EventReader> {
  return isLogEmbedded(settings) ? openEventReader(settings.dataDir, feed) : openRemoteEventLog(settings, feed);
}

/**
 * Opens a remote event log without locking a data folder; must not be called for an embedded log. Rejects with
 * `SettingsError` for an invalid address.
 */
export async function openRemoteEventLog(
  { eventStoreUrl: url, storeTimeoutMs }: LogSettings,
  feed: LiveFeed,
): Promise<EventStore> {
  const { EventStoreDbEventStore } = await import('../../streams/adapters/eventstoredb/eventstoredb-event-store.js');
  try {
    return new EventStoreDbEventStore({ url, feed, storeTimeoutMs });
  } catch (cause) {
    throw new SettingsError('EVENT_STORE_URL', `is not usable: ${(cause as Error).message}`, { cause });
  }
}

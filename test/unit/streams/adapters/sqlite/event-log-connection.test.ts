import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import {
  assertDurable,
  openCheckpointer,
  openReaderConnection,
  openWriter,
  readPragma,
} from '../../../../../src/streams/adapters/sqlite/event-log-connection.js';
import { createDataFolder } from '../../../../../src/streams/adapters/sqlite/data-folder.js';
import { LogFolder, request } from './log-folder.js';

describe('event log connections', () => {
  let folder: LogFolder;
  beforeEach(() => {
    folder = new LogFolder();
  });
  afterEach(() => folder.remove());

  it('write with WAL and synchronous=FULL, and leave checkpoints to others', () => {
    for (const attempt of ['new', 'reopened']) {
      const database = openWriter(folder.file);
      const settings = ['journal_mode', 'synchronous', 'wal_autocheckpoint', 'auto_vacuum', 'page_size'].map((name) =>
        readPragma(database, name),
      );
      assert.deepEqual(settings, ['wal', 2, 0, 2, 4096], attempt);
      database.close();
    }
    const checkpointer = openCheckpointer(folder.file);
    assert.equal(readPragma(checkpointer, 'synchronous'), 2);
    checkpointer.close();
  });

  it('use an SQLite without the race of checkpoint and WAL restart (fixed in 3.51.3), and no memory mapping', () => {
    const database = openWriter(folder.file);
    const { version } = database.prepare('SELECT sqlite_version() AS version').get() as { version: string };
    assert.ok(version.localeCompare('3.51.3', 'en', { numeric: true }) >= 0, version);
    assert.equal(readPragma(database, 'mmap_size'), 0);
    database.close();
  });

  it('are rejected if appends would not be durable', () => {
    const database = openWriter(folder.file);
    database.exec('PRAGMA synchronous = NORMAL');
    assert.throws(() => assertDurable(database), /not durable.*synchronous is 1/);
    database.exec('PRAGMA synchronous = FULL; PRAGMA journal_mode = DELETE');
    assert.throws(() => assertDurable(database), /journal_mode is delete/);
    database.close();
  });

  it('refuse a log in a newer format', () => {
    const newer = new DatabaseSync(folder.file);
    newer.exec('PRAGMA user_version = 2');
    newer.close();
    assert.throws(() => openWriter(folder.file), /format 2/);
  });

  it('refuse a log whose schema was changed', () => {
    openWriter(folder.file).close();
    const other = new DatabaseSync(folder.file);
    other.exec('ALTER TABLE streams ADD COLUMN extra');
    other.close();
    for (const open of [openWriter, openReaderConnection])
      assert.throws(() => open(folder.file), /schema of the event log/);
  });

  it('keep the folder and its files private', () => {
    createDataFolder(folder.dir);
    const writer = folder.writer();
    writer.commit([request('grid-a', 1)]);
    const modes = [folder.dir, folder.file, `${folder.file}-wal`, `${folder.file}-shm`].map(
      (path) => statSync(path).mode & 0o777,
    );
    assert.deepEqual(modes, [0o700, 0o600, 0o600, 0o600]);
    writer.close();
  });
});

import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings, SettingsError } from '../../../../src/config/settings.js';
import { openEventLog } from '../../../../src/runtime/engines/event-log.js';
import { backUpDataFolder } from '../../../../src/runtime/offline/data-folder-backup.js';
import { exportFromEventLog } from '../../../../src/runtime/offline/offline-incident-export.js';
import { lockDataFolder, toEventLogPath } from '../../../../src/streams/adapters/sqlite/data-folder.js';
import { InProcessFeed } from '../../../../src/streams/live/in-process-feed.js';
import { SalvageFolder } from '../../streams/adapters/sqlite/salvage/salvage-folder.js';

const quiet = (): void => undefined;
const BACKUP = { logOnly: true, hindsight: '0', now: 1, onProgress: quiet };
const EXPORT = {
  fromMs: 0,
  toMs: 10_000,
  baselineMs: 0,
  lateMs: 0,
  strip: [],
  now: 10_000,
  hindsight: '0',
  onProgress: quiet,
};

describe('a stopped data folder of which SQLite would drop commits of the write-ahead log', () => {
  let folder: SalvageFolder;
  let dataDir: string;
  let target: string;
  let wal: Buffer;

  beforeEach(() => {
    folder = new SalvageFolder();
    dataDir = folder.createDamagedDataFolder();
    target = join(folder.scratch, 'target');
    wal = readFileSync(`${toEventLogPath(dataDir)}-wal`);
  });
  afterEach(() => folder.remove());

  const settings = () => readSettings({ DATA_DIR: dataDir });
  const isRefusal = (error: unknown): boolean => {
    assert.ok(error instanceof SettingsError, String(error));
    assert.match(error.message, /^DATA_DIR has a damaged event log: .* is damaged at frame \d+: .*`hindsight salvage`/);
    return true;
  };
  const accesses: readonly [string, () => Promise<unknown>][] = [
    ['a backup', () => backUpDataFolder(dataDir, target, BACKUP)],
    ['an export', () => exportFromEventLog(settings(), 'shop', target, EXPORT)],
    ['a start', () => openEventLog(settings(), new InProcessFeed())],
  ];

  for (const [name, access] of accesses)
    it(`is refused by ${name}, as a setting that a restart does not repair, and stays as it is`, async () => {
      await assert.rejects(access(), isRefusal);
      assert.equal(existsSync(target), false);
      assert.ok(wal.equals(readFileSync(`${toEventLogPath(dataDir)}-wal`)));
      lockDataFolder(dataDir).release(); // throws if it is still locked
    });

  it('is not checked while another process uses it, which writes it meanwhile and has checked it', async () => {
    const lock = lockDataFolder(dataDir);
    try {
      const { events } = await backUpDataFolder(dataDir, target, BACKUP);
      assert.ok(events < 40, 'what the check prevents');
    } finally {
      lock.release();
    }
  });

  it('is backed up completely if nothing is damaged', async () => {
    for (const end of ['', '-wal']) copyFileSync(folder.log.file + end, toEventLogPath(dataDir) + end);
    const { events } = await backUpDataFolder(dataDir, target, BACKUP);
    assert.equal(events, 40);
  });
});

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import {
  assertFolderVersion,
  recordFolderVersion,
  VERSION_FILE,
} from '../../../../src/runtime/engines/data-folder-version.js';
import { SettingsError } from '../../../../src/config/settings.js';

const CURRENT = { format: 1, hindsight: '0.2.0' };

describe('the version of a data folder', () => {
  let dataDir: string;
  let file: string;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'hindsight-version-'));
    file = join(dataDir, VERSION_FILE);
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  const store = (version: unknown): void =>
    writeFileSync(file, typeof version === 'string' ? version : JSON.stringify(version));
  const refusal = (): string => {
    try {
      assertFolderVersion(dataDir, CURRENT);
    } catch (error) {
      assert.ok(error instanceof SettingsError);
      return error.message;
    }
    return '';
  };

  it('is recorded once in a private file, without a note', () => {
    assert.equal(refusal(), '');
    assert.equal(recordFolderVersion(dataDir, CURRENT), undefined);
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), CURRENT);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const { mtimeMs } = statSync(file);
    assert.equal(recordFolderVersion(dataDir, CURRENT), undefined);
    assert.equal(statSync(file).mtimeMs, mtimeMs);
    assert.equal(refusal(), '');
  });

  it('of another format is refused in one line with the version that wrote it and what to do, and stays', () => {
    store({ format: 2, hindsight: '1.4.0', more: true });
    const text = refusal();
    assert.match(
      text,
      /^DATA_DIR .* was written by Hindsight 1\.4\.0 \(format 2\), but this is Hindsight 0\.2\.0, .*$/,
    );
    assert.match(text, /start 1\.4\.0 or newer on it, or restore a backup/);
    assert.equal((JSON.parse(readFileSync(file, 'utf8')) as typeof CURRENT).hindsight, '1.4.0');
  });

  it('is refused by the format of its event log alone, too', () => {
    const database = new DatabaseSync(join(dataDir, 'events.db'));
    database.exec('CREATE TABLE events (position INTEGER PRIMARY KEY); PRAGMA user_version = 1');
    assert.equal(refusal(), '');
    database.exec('PRAGMA user_version = 2');
    database.close();
    assert.match(refusal(), /was written by a newer Hindsight \(format 2 of the event log\)/);
  });

  it('of the same format is taken over in both directions, with a note', () => {
    for (const [before, note] of [
      ['0.1.9', /^.* was last written by Hindsight 0\.1\.9, this is 0\.2\.0$/],
      ['0.10.0', /was last written by Hindsight 0\.10\.0.*types that it does not know are skipped/],
    ] as const) {
      store({ format: 1, hindsight: before });
      assert.equal(refusal(), '');
      assert.match(recordFolderVersion(dataDir, CURRENT) ?? '', note);
      assert.equal(recordFolderVersion(dataDir, CURRENT), undefined);
    }
  });

  it('is written again where the file is damaged', () => {
    for (const content of ['', '{', 'null', '[]', '{"format":"9","hindsight":1}']) {
      store(content);
      assert.equal(refusal(), '', content);
      assert.equal(recordFolderVersion(dataDir, CURRENT), undefined);
      assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), CURRENT);
    }
  });

  it('does not keep a service from starting that cannot record it', () => {
    mkdirSync(`${file}.new`);
    assert.match(recordFolderVersion(dataDir, CURRENT) ?? '', /cannot record .* which version writes the folder/);
    assert.ok(!existsSync(file));
  });
});

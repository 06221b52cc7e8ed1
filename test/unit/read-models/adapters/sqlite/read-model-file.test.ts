import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 as referenceOf } from 'node:zlib';
import fc from 'fast-check';
import { crc32ByTable, crc32 } from '../../../../../src/read-models/adapters/sqlite/crc32.js';
import { readRecordedDamage } from '../../../../../src/read-models/adapters/sqlite/store-damage.js';
import { openForWriting } from '../../../../../src/read-models/adapters/sqlite/read-model-file.js';
import {
  checkReadModelIntegrity,
  discardUnusableStore,
} from '../../../../../src/read-models/adapters/sqlite/read-model-file.js';
import { SqliteReadModelReader } from '../../../../../src/read-models/adapters/sqlite/read-model-reader.js';
import { SqliteReadModelStore } from '../../../../../src/read-models/adapters/sqlite/read-model-store.js';
import type { Position } from '../../../../../src/streams/event-store.js';

const PEOPLE = { name: 'people.v1', indexes: [] };
const at = (n: number) => n.toString(16).padStart(16, '0') as Position;

describe('Read models in a file', () => {
  let dir: string;
  let file: string;

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'hindsight-fitness-'));
    file = join(dir, 'read-models.db');
    const store = new SqliteReadModelStore(file);
    await store.commit(
      [
        {
          kind: 'put',
          collection: PEOPLE,
          id: 'ada',
          document: { name: 'Ada Lovelace' },
          blobs: { picture: Buffer.from('a picture of Ada') },
        },
      ],
      [{ projection: 'people.v1', expected: undefined, position: at(7) }],
    );
    await store.close();
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const rot = (from: string, to: string) =>
    writeFileSync(file, Buffer.from(readFileSync(file).toString('latin1').replaceAll(from, to), 'latin1'));

  it('are used if they are intact and not ahead of the log', () => {
    assert.equal(discardUnusableStore(file, at(7)), undefined);
    assert.ok(existsSync(file));
    assert.deepEqual(checkReadModelIntegrity(file), []);
  });

  it('count commits for those who read, and not for the one who writes', async () => {
    const [store, reader] = [new SqliteReadModelStore(file), new SqliteReadModelReader(file)];
    const before = await reader.readChangeCounter();
    assert.ok(before !== undefined);
    assert.equal(await reader.readChangeCounter(), before);
    await store.commit([{ kind: 'put', collection: PEOPLE, id: 'eve', document: { name: 'Eve' } }], []);
    const after = await reader.readChangeCounter();
    assert.notEqual(after, before);
    assert.deepEqual(await reader.get(PEOPLE, 'eve'), { name: 'Eve' });
    assert.equal(await reader.readChangeCounter(), after);
    assert.equal(await store.readChangeCounter(), undefined);
    await Promise.all([store.close(), reader.close()]);
  });

  it('are deleted if they are ahead of the log', () => {
    assert.match(discardUnusableStore(file, at(6)) ?? '', /up to position 0{15}7, but the log ends at 0{15}6/);
    assert.deepEqual([existsSync(file), existsSync(`${file}.damaged`)], [false, false]);
  });

  it('are deleted if they have another format', () => {
    const database = openForWriting(file);
    database.exec('PRAGMA user_version = 0');
    database.close();
    assert.match(discardUnusableStore(file, at(7)) ?? '', /format 0/);
    assert.equal(existsSync(file), false);
  });

  it('are quarantined if they are not a database', () => {
    writeFileSync(file, Buffer.alloc(8192, 1));
    assert.match(discardUnusableStore(file, at(7)) ?? '', /damaged: .*not a database; moved to/);
    assert.deepEqual([existsSync(file), existsSync(`${file}.damaged`)], [false, true]);
  });

  for (const [what, from, to, read] of [
    ['document', 'Ada Lovelace', 'Ada Loveless', (reader: SqliteReadModelReader) => reader.get(PEOPLE, 'ada')],
    ['document of a list', 'Ada Lovelace', 'Ada Loveless', (reader: SqliteReadModelReader) => reader.find(PEOPLE, {})],
    [
      'blob',
      'a picture of Ada',
      'a picture of Eve',
      (reader: SqliteReadModelReader) => reader.readBlob(PEOPLE, 'ada', 'picture'),
    ],
    [
      'blob of a list',
      'a picture of Ada',
      'a picture of Eve',
      (reader: SqliteReadModelReader) => reader.readBlobs(PEOPLE, 'picture', { prefix: '', limit: 9 }),
    ],
    [
      'checkpoint',
      '0000000000000007',
      '0000000000000004',
      (reader: SqliteReadModelReader) => reader.readCheckpoint('people.v1'),
    ],
  ] as const) {
    it(`never give a ${what} that is corrupted: they are marked as damaged, and the next start discards them`, async () => {
      rot(from, to);
      const reported: Error[] = [];
      const reader = new SqliteReadModelReader(file, (error) => reported.push(error));
      await assert.rejects(read(reader), { code: 'unavailable' });
      await reader.close();
      assert.match(reported[0].message, /damaged/);
      assert.match(readRecordedDamage(file) ?? '', /checksum/);
      assert.notDeepEqual(checkReadModelIntegrity(file), []);
      assert.match(discardUnusableStore(file, at(7)) ?? '', /checksum/);
      assert.equal(readRecordedDamage(file), undefined);
    });
  }

  it('are found by the parsed schema of SQLite, whatever is corrupted in its text', async () => {
    rot('tabledocuments people.v1documents people.v1', 'tabledocuments People.v1documents people.v1');
    const reader = new SqliteReadModelReader(file);
    assert.deepEqual(await reader.get(PEOPLE, 'ada'), { name: 'Ada Lovelace' });
    assert.equal(await reader.count(PEOPLE), 1);
    await reader.close();
  });

  it('are damaged when a column has lost its name', async () => {
    rot('document TEXT', 'Socument TEXT');
    const reader = new SqliteReadModelReader(file);
    await assert.rejects(reader.get(PEOPLE, 'ada'), { code: 'unavailable' });
    await reader.close();
    assert.match(readRecordedDamage(file) ?? '', /no such column/);
  });

  it('are protected by CRC-32, with and without the implementation of Node', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 300 }), (a, b) => {
        const expected = referenceOf(Buffer.concat([a, b]));
        assert.equal(crc32(a, b), expected);
        assert.equal(crc32ByTable(b, crc32ByTable(a)), expected);
      }),
    );
    assert.equal(crc32('a', Buffer.alloc(0)), crc32('a', new Uint8Array(0)));
    assert.equal(crc32('a', Buffer.alloc(0)), crc32('a'));
  });
});

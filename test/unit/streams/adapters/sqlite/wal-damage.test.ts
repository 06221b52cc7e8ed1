import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { findWalDamage, assertWalUndamaged } from '../../../../../src/streams/adapters/sqlite/wal-damage.js';
import { checkpoint } from '../../../../../src/streams/adapters/sqlite/wal-checkpointer.js';
import { request } from './log-folder.js';
import { PAGE, SalvageFolder } from './salvage/salvage-folder.js';

const HEADER = 32;
const FRAME = PAGE + 24;

describe('damage to the write-ahead log of an event log', () => {
  let folder: SalvageFolder;
  /** Offsets of the frames, and of those that complete a commit. */
  let frames: number[];
  let commits: number[];

  beforeEach(() => {
    folder = new SalvageFolder();
    folder.fill(20);
    folder.moveWalIntoFile();
    folder.fill(20);
    const bytes = readFileSync(`${folder.log.file}-wal`);
    frames = Array.from({ length: Math.floor((bytes.length - HEADER) / FRAME) }, (_, n) => HEADER + n * FRAME);
    commits = frames.filter((at) => bytes.readUInt32BE(at + 4) > 0);
    assert.equal(commits.length, 20);
  });
  afterEach(() => folder.remove());

  const damaged = (change: (bytes: Buffer) => Buffer | void): string => folder.copyDamaged(change, '-wal');
  const flip = (at: number) => (bytes: Buffer) => void (bytes[at] ^= 4);

  it('is found before SQLite drops the commits after it, wherever a bit flips before the last two', () => {
    const places = [0, 3, 9, 17, 24, 3_000, FRAME - 1];
    for (const [n, at] of frames.filter((each) => each <= commits[17]).entries()) {
      if (n % 3 > 0 && n > 3) continue;
      const place = places[n % places.length];
      const found = findWalDamage(damaged(flip(at + place))) ?? '';
      assert.match(found, new RegExp(`-wal is damaged at frame ${n}: .* would lose \\d+ pages`), `byte ${place}`);
    }
  });

  it('is found in a log with pages of 16 KiB, as versions until 2026-11-24 created', async () => {
    const former = new SalvageFolder(undefined, 16_384);
    former.fill(20);
    former.moveWalIntoFile();
    former.fill(20);
    for (const at of [0, 8, 26]) {
      const found = findWalDamage(former.copyDamaged(flip(at), '-wal')) ?? '';
      assert.match(found, /damaged at its start/, `byte ${at}`);
    }
    assert.match(findWalDamage(former.copyDamaged(flip(HEADER + 16_384 + 30), '-wal')) ?? '', /damaged at frame 1/);
    await former.remove();
  });

  it('is refused with a remedy, which finds the events that SQLite drops', async () => {
    const file = damaged(flip(commits[9] + 17));
    assert.throws(() => assertWalUndamaged(file), /Nothing was changed: .*`hindsight salvage`/);
    const { saved, missing } = await folder.salvage(file);
    assert.deepEqual([saved.length, missing], [40, 0]);
    assert.ok(folder.readEvents(file).length < 40, 'what it prevents');
  });

  it('is found if the disk does not have a frame, or the header', () => {
    const middle = commits[9];
    assert.match(findWalDamage(damaged((bytes) => bytes.fill(0, middle, middle + FRAME))) ?? '', /damaged at frame/);
    for (const at of [0, 3, 8, 10, 17, 22, 26])
      assert.match(findWalDamage(damaged(flip(at))) ?? '', /damaged at its start/, `byte ${at}`);
  });

  it('is not what a power cut leaves of the last commit', () => {
    assert.equal(findWalDamage(folder.log.file), undefined);
    for (const at of frames.filter((each) => each > commits[18])) {
      for (const end of [at, at + 24, at + 2_048])
        assert.equal(findWalDamage(damaged((bytes) => bytes.subarray(0, end))), undefined);
      assert.equal(findWalDamage(damaged((bytes) => bytes.fill(0, at, at + FRAME))), undefined);
      assert.equal(findWalDamage(damaged((bytes) => bytes.fill(0xa5, at + 2_048, at + FRAME))), undefined);
    }
    assert.equal(findWalDamage(damaged((bytes) => Buffer.concat([bytes, randomBytes(3 * FRAME)]))), undefined);
  });

  it('loses nothing where a checkpoint has copied the pages into the database', () => {
    folder.writer.withConnection((database) => checkpoint(database, 'PASSIVE'));
    assert.ok(readFileSync(`${folder.log.file}-wal`).length > FRAME);
    // SQLite then ignores all frames, and reads all pages from the file.
    assert.equal(findWalDamage(damaged(flip(frames[0] + 3_000))), undefined);
    assert.equal(findWalDamage(damaged(flip(3))), undefined);
  });

  it('is none after the WAL began again, with frames of the former commits behind those of the new ones', () => {
    folder.writer.withConnection((database) => checkpoint(database, 'RESTART'));
    for (let n = 0; n < 3; n++) folder.writer.commit([request('grid-a', n)]);
    const bytes = readFileSync(`${folder.log.file}-wal`);
    assert.equal(bytes.length, frames.at(-1)! + FRAME, 'the file keeps its size');
    assert.equal(findWalDamage(folder.log.file), undefined);
    assert.equal(findWalDamage(damaged((all) => all.subarray(0, HEADER + FRAME))), undefined);
  });

  it('is none without a write-ahead log', () => {
    folder.moveWalIntoFile();
    assert.equal(findWalDamage(folder.log.file), undefined);
    assert.equal(findWalDamage(`${folder.log.file}-none`), undefined);
  });
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FaultyDisk } from '../support/power-cut/disk.js';

const WAL = 'events.db-wal';

/** What both programs begin with: a file of the log whose content and name are durable, closed as libuv closes. */
const BEGIN = `
  const { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } = require('node:fs');
  const { execFileSync } = require('node:child_process');
  const file = process.env.DATA_DIR + '/${WAL}';
  const synced = (path, flags) => { const descriptor = openSync(path, flags); fsyncSync(descriptor); return descriptor; };
  const first = openSync(file, 'w+');
  writeSync(first, 'acknowledged');
  fsyncSync(first);
  closeSync(synced(process.env.DATA_DIR, 'r'));
  closeSync(first);
`;
const CUT = `
  writeSync(openSync(process.env.DISK_CONTROL, 'r+'), Buffer.from(Int32Array.of(1).buffer), 0, 4, 0);
  writeSync(again, 'never');
`;

/** Once an index of the WAL got the descriptor of a WAL that libuv had closed: see docs/decisions/124-fault-tests.md. */
const reused = (other: string) => `${BEGIN}
  const other = openSync(${other}, 'w+');
  if (other !== first) throw new Error('the descriptor is not used again');
  ftruncateSync(other, 3);
  writeSync(other, Buffer.alloc(1), 0, 1, 4095);
  const again = synced(file, 'r+');
${CUT}`;

/** An empty LD_PRELOAD: this write is one that the disk does not see. */
const UNSEEN = `${BEGIN}
  const again = synced(file, 'r+');
  execFileSync('sh', ['-c', 'printf more >> "$0"', file], { env: { ...process.env, LD_PRELOAD: '' } });
${CUT}`;

describe('The disk of the tests that loses power', () => {
  let disk: FaultyDisk;

  beforeEach(function () {
    const made = FaultyDisk.make();
    if (made === undefined) {
      console.log('skipped: the disk of the tests (needs Linux and gcc)');
      return this.skip();
    }
    disk = made;
  });
  afterEach(() => disk.remove());

  const run = (program: string) =>
    spawnSync(process.execPath, ['-e', program], { env: { ...process.env, ...disk.environment }, encoding: 'utf8' });

  for (const [name, other] of [
    ['an index of the WAL', `process.env.DATA_DIR + '/events.db-shm'`],
    ['a file elsewhere', `process.env.DISK_CONTROL + '-neighbour'`],
  ]) {
    it(`takes no write to ${name} for one to the file that had its descriptor before`, () => {
      const { signal, stderr } = run(reused(other));
      assert.equal(signal, 'SIGKILL', stderr);
      assert.equal(readFileSync(join(disk.dataDir, WAL), 'utf8'), 'acknowledged');
    });
  }

  it('ends the process with 97 where it has missed a write', () => {
    const { status, stderr } = run(UNSEEN);
    assert.equal(status, 97, stderr);
    assert.match(stderr, /has lost track of .*events\.db-wal: it has another size/);
  });
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FaultyDisk } from '../support/power-cut/faulty-disk.js';

const WAL = 'events.db-wal';

/** Start of both programs: a log file with durable content and name, closed as by libuv. */
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

/** A WAL index once got the descriptor of a WAL that libuv had closed: see README.md. */
const reused = (other: string) => `${BEGIN}
  const other = openSync(${other}, 'w+');
  if (other !== first) throw new Error('the descriptor is not used again');
  ftruncateSync(other, 3);
  writeSync(other, Buffer.alloc(1), 0, 1, 4095);
  const again = synced(file, 'r+');
${CUT}`;

/** An empty LD_PRELOAD, so that the simulated disk does not see this write. */
const UNSEEN = `${BEGIN}
  const again = synced(file, 'r+');
  execFileSync('sh', ['-c', 'printf more >> "$0"', file], { env: { ...process.env, LD_PRELOAD: '' } });
${CUT}`;

describe('The simulated disk of the power-cut tests', () => {
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
    it(`does not attribute a write to ${name} to the file that had its descriptor before`, () => {
      const { signal, stderr } = run(reused(other));
      assert.equal(signal, 'SIGKILL', stderr);
      assert.equal(readFileSync(join(disk.dataDir, WAL), 'utf8'), 'acknowledged');
    });
  }

  it('ends the process with status 97 if it has missed a write', () => {
    const { status, stderr } = run(UNSEEN);
    assert.equal(status, 97, stderr);
    assert.match(stderr, /has lost track of .*events\.db-wal: it has another size/);
  });
});

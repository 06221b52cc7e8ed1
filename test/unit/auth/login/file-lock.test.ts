import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withFileLock } from '../../../../src/auth/login/file-lock.js';

describe('lock of a login', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hindsight-lock-'));
    path = join(folder, 'lock');
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Works in parts, and fails when somebody else is at work. */
  function oneAtATime(): () => Promise<void> {
    let working = 0;
    return async () => {
      working += 1;
      assert.equal(working, 1);
      await new Promise((next) => setImmediate(next));
      working -= 1;
    };
  }

  it('lets one work at a time, whether or not the one before failed, and leaves nothing behind', async () => {
    const work = oneAtATime();
    await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        withFileLock(path, work).then(() => {
          if (at % 3 === 0) return withFileLock(path, () => Promise.reject(new Error('broken'))).catch(() => undefined);
          return undefined;
        }),
      ),
    );
    assert.deepEqual(await readdir(folder), []);
  });

  it('takes over what a process left behind that died, one of many', async () => {
    await writeFile(path, 'dead');
    await utimes(path, new Date(0), new Date(0));
    const work = oneAtATime();
    await Promise.all(Array.from({ length: 12 }, () => withFileLock(path, work)));
    assert.deepEqual(await readdir(folder), []);
  });

  it('leaves the lock of who took it for dead', async () => {
    let leave = (): void => undefined;
    const left = new Promise<void>((resolve) => (leave = resolve));
    let second: Promise<void> | undefined;
    await withFileLock(path, async () => {
      await utimes(path, new Date(0), new Date(0));
      await new Promise<void>((entered) => {
        second = withFileLock(path, () => {
          entered();
          return left;
        });
      });
    });
    assert.deepEqual(await readdir(folder), ['lock']);
    leave();
    await second;
    assert.deepEqual(await readdir(folder), []);
  });

  it('waits for who works, and leaves its lock alone', async () => {
    const order: string[] = [];
    let waiting: Promise<unknown> | undefined;
    await withFileLock(path, async () => {
      waiting = withFileLock(path, () => Promise.resolve(order.push('waited')));
      for (let turn = 0; turn < 20; turn += 1) await readdir(folder);
      order.push('worked');
    });
    await waiting;
    assert.deepEqual(order, ['worked', 'waited']);
  });
});

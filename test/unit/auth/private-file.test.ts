import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePrivateFile } from '../../../src/auth/private-file.js';

describe('private file', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'hindsight-private-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  it('makes its folder and is for the owner alone', async () => {
    const path = join(root, 'data', 'secret.json');
    await writePrivateFile(path, 'one');
    assert.equal(await readFile(path, 'utf8'), 'one');
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await stat(join(root, 'data'))).mode & 0o777, 0o700);
  });

  it('takes the place of what was there, also of a file that others could read, and leaves nothing beside it', async () => {
    const path = join(root, 'secret.json');
    await writePrivateFile(path, 'a long first text');
    await chmod(path, 0o644);
    await writePrivateFile(path, 'two');
    assert.equal(await readFile(path, 'utf8'), 'two');
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(root), ['secret.json']);
  });
});

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openScratchStore } from '../../../../src/read-models/adapters/sqlite/scratch-store.js';
import type { DocumentChange } from '../../../../src/read-models/read-model-store.js';
import { readModelStoreContract } from '../../../contracts/read-model-store.contract.js';

const THINGS = { name: 'things.v1', indexes: [] };
const thing = (id: string): DocumentChange => ({ kind: 'put', collection: THINGS, id, document: { id } });

readModelStoreContract('scratch', () => {
  const dir = mkdtempSync(join(tmpdir(), 'hindsight-scratch-'));
  const store = openScratchStore(dir);
  const dispose = async () => {
    await store.close();
    rmSync(dir, { recursive: true });
  };
  return Promise.resolve({ store, reader: store, dispose });
});

describe('scratch store', () => {
  let dir: string;

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'hindsight-scratch-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  it('leaves nothing behind when it is closed, used or not', async () => {
    const [used, unused] = [openScratchStore(dir), openScratchStore(dir)];
    await used.commit([thing('a')], []);
    assert.equal(readdirSync(dir).length, 1);
    for (const store of [used, unused, used]) await store.close();
    assert.deepEqual(readdirSync(dir), []);
  });

  it('restricts its folder to the owner', async () => {
    const store = openScratchStore(dir);
    await store.commit([thing('a')], []);
    assert.equal(statSync(join(dir, readdirSync(dir)[0])).mode & 0o777, 0o700);
    await store.close();
  });

  it('removes what a killed process left, and nothing else', async () => {
    const leftOver = join(dir, 'scratch-of-another-life-1');
    mkdirSync(leftOver);
    writeFileSync(join(leftOver, 'read-models.db'), 'half');
    writeFileSync(join(dir, 'events.db'), 'kept');
    const store = openScratchStore(dir);
    await store.commit([thing('a')], []);
    assert.equal(existsSync(leftOver), false);
    assert.ok(existsSync(join(dir, 'events.db')));
    await store.close();
  });

  it('coexists with others of its process', async () => {
    const first = openScratchStore(dir);
    await first.commit([thing('first')], []);
    const second = openScratchStore(dir);
    await second.commit([thing('second')], []);
    assert.equal(await second.get(THINGS, 'first'), undefined);
    assert.deepEqual(await first.get(THINGS, 'first'), { id: 'first' });
    await second.close();
    assert.deepEqual(await first.get(THINGS, 'first'), { id: 'first' });
    await first.close();
  });
});

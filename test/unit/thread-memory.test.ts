import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { collectGarbage, measureThreadMemory, type ReleasableCache, ThreadCaches } from '../../src/thread-memory.js';

/** A cache of numbers, each of so many bytes. */
class NumberCache implements ReleasableCache {
  released = 0;
  constructor(public size: number) {}

  releaseUnused(): void {
    this.released++;
  }

  shrinkTo(bytes: number): void {
    this.size = Math.min(this.size, bytes);
  }
}

describe('the caches of a thread', () => {
  it('report their sizes by name, those of one name together', () => {
    const caches = new ThreadCaches();
    caches.add('blocks', new NumberCache(100));
    caches.add('blocks', new NumberCache(20));
    caches.add('bodies', new NumberCache(3));
    assert.deepEqual(caches.sizes, { blocks: 120, bodies: 3 });
    assert.deepEqual(measureThreadMemory(caches).caches, { blocks: 120, bodies: 3 });
  });

  it('release what is unused, or half of each', async () => {
    const caches = new ThreadCaches();
    const [blocks, bodies] = [caches.add('blocks', new NumberCache(100)), caches.add('bodies', new NumberCache(30))];
    await caches.release('unused');
    assert.deepEqual([blocks.released, bodies.released, blocks.size], [1, 1, 100]);
    await caches.release('half');
    assert.deepEqual([blocks.size, bodies.size, blocks.released], [50, 15, 1]);
  });

  it('release what stores have cached with each release', async () => {
    const caches = new ThreadCaches();
    let released = 0;
    caches.addStore({ releaseMemory: () => Promise.resolve(void released++) });
    caches.addStore({});
    await caches.release('unused');
    await caches.release('half');
    assert.equal(released, 2);
  });

  it('release all that they can when one store fails', async () => {
    const caches = new ThreadCaches();
    let released = 0;
    caches.addStore({ releaseMemory: () => Promise.reject(new Error('gone')) });
    caches.addStore({ releaseMemory: () => Promise.resolve(void released++) });
    await assert.rejects(caches.release('half'), /gone/);
    assert.equal(released, 1);
  });
});

describe('collecting garbage', () => {
  it('frees what nothing refers to any more', () => {
    const dropped = new WeakRef(new Uint8Array(1024));
    return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      collectGarbage();
      assert.equal(dropped.deref(), undefined);
    });
  });

  it('gives buffers outside the heap back at once', async () => {
    let buffers: Uint8Array[] = Array.from({ length: 64 }, () => new Uint8Array(1024 * 1024));
    const filled = measureThreadMemory().externalBytes;
    assert.equal(buffers.length, 64);
    buffers = [];
    await new Promise<void>((resolve) => setImmediate(resolve));
    collectGarbage();
    assert.ok(filled - measureThreadMemory().externalBytes >= 60 * 1024 * 1024);
  });
});

describe('allowing heaps to grow', () => {
  it('sets what this version of V8 knows: it would only print what it does not', async () => {
    const module = new URL('../../src/thread-memory.js', import.meta.url).href;
    const script = `(await import('${module}')).allowHeapGrowth(); console.log('set');`;
    const output = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
    assert.deepEqual(output, { stdout: 'set\n', stderr: '' });
  });
});

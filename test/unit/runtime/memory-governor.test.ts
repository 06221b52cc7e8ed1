import assert from 'node:assert/strict';
import { MemoryGovernor, type ReleasableMemory } from '../../../src/runtime/memory-governor.js';
import type { ProcessUsage } from '../../../src/runtime/memory-release-policy.js';
import { createLogger } from '../../../src/self-telemetry/logger.js';

describe('the memory governor', () => {
  const used = { heapBytes: 10, externalBytes: 5, caches: { blocks: 3 } };
  let released: string[];
  let usage: ProcessUsage;

  const threadOf = (name: string, releaseMemory = () => Promise.resolve()): ReleasableMemory => ({
    measureMemory: () => Promise.resolve(used),
    async releaseMemory(extent) {
      await releaseMemory();
      released.push(`${name} ${extent}`);
    },
  });
  const governorOf = (threads: Record<string, ReleasableMemory>, threadWaitMs = 60_000): MemoryGovernor =>
    new MemoryGovernor({
      limitBytes: 1_000,
      threads,
      trimNativeMemory: () => Promise.resolve(void released.push('native')),
      log: createLogger('silent'),
      readUsage: () => usage,
      threadWaitMs,
    });

  beforeEach(() => {
    released = [];
    usage = { atMs: 0, cpuMs: 0, residentBytes: 950 };
  });

  it('lets all threads release when the process comes close to its limit', async () => {
    const pool: ReleasableMemory = { releaseMemory: (extent) => Promise.resolve(void released.push(`pool ${extent}`)) };
    const governor = governorOf({ main: threadOf('main'), reader: threadOf('reader'), pool });
    await governor.sample();
    assert.deepEqual(released, ['main half', 'reader half', 'pool half', 'native']);
    assert.deepEqual(
      [...governor.threads],
      [
        ['main', used],
        ['reader', used],
      ],
    );
  });

  it('only measures while there is enough memory', async () => {
    usage = { atMs: 0, cpuMs: 0, residentBytes: 500 };
    const governor = governorOf({ main: threadOf('main') });
    await governor.sample();
    assert.deepEqual([released, [...governor.threads.keys()]], [[], ['main']]);
  });

  it('releases one thread after the other', async () => {
    let finish: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => (finish = resolve));
    const governor = governorOf({ slow: threadOf('slow', () => slow), next: threadOf('next') });
    const sampled = governor.sample();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(released, []);
    assert.equal(governor.sample(), sampled, 'a sample that is running is shared');
    finish();
    await sampled;
    assert.deepEqual(released, ['slow half', 'next half', 'native']);
  });

  it('waits for no thread that works, and asks it again once it has answered', async () => {
    let finish: () => void = () => undefined;
    const busy = new Promise<void>((resolve) => (finish = resolve));
    const governor = governorOf({ busy: threadOf('busy', () => busy), next: threadOf('next') }, 5);
    await governor.sample();
    assert.deepEqual(released, ['next half', 'native']);
    usage = { atMs: 30_000, cpuMs: 0, residentBytes: 950 };
    await governor.sample();
    assert.deepEqual([released.length, [...governor.threads.keys()]], [4, ['next']], 'it is asked once');
    finish();
    await new Promise((resolve) => setImmediate(resolve));
    usage = { atMs: 90_000, cpuMs: 0, residentBytes: 950 };
    await governor.sample();
    assert.equal(released.filter((each) => each === 'busy half').length, 2);
    assert.deepEqual([...governor.threads.keys()].sort(), ['busy', 'next']);
  });

  it('lets the other threads release and be measured when one fails, in each sample', async () => {
    const broken: ReleasableMemory = {
      releaseMemory: () => Promise.reject(new Error('gone')),
      measureMemory: () => Promise.reject(new Error('gone')),
    };
    const governor = governorOf({ broken, healthy: threadOf('healthy') });
    await governor.sample();
    assert.deepEqual([released, [...governor.threads.keys()]], [['healthy half', 'native'], ['healthy']]);
    usage = { atMs: 30_000, cpuMs: 0, residentBytes: 950 };
    await governor.sample();
    assert.deepEqual(released, ['healthy half', 'native', 'healthy half', 'native']);
  });
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { filter, firstValueFrom, take, toArray } from 'rxjs';
import type { Position } from '../../../../src/streams/event-store.js';
import { InProcessFeed } from '../../../../src/streams/live/in-process-feed.js';
import type { ChangeHint } from '../../../../src/streams/live/live-feed.js';
import { liveFeedContract } from '../../../contracts/live-feed.contract.js';

const MODULE = new URL('../../../../src/streams/live/in-process-feed.js', import.meta.url).href;

function appended(position: string): ChangeHint {
  return { topic: 'appended', position: position as Position };
}

let opened = 0;
liveFeedContract('within a process', () => {
  const name = `contract-${opened++}`;
  const feeds = [new InProcessFeed(name), new InProcessFeed(name)] as const;
  const stranger = new InProcessFeed(`${name}-other`);
  const dispose = async (): Promise<void> => void (await Promise.all([...feeds, stranger].map((feed) => feed.close())));
  return Promise.resolve({ feeds, stranger, dispose });
});

describe('in-process feed', () => {
  let feed: InProcessFeed;
  let name: string;
  let count = 0;

  beforeEach(() => {
    name = `test-${count++}`;
    feed = new InProcessFeed(name);
  });
  afterEach(() => feed.close());

  it('delivers to itself and all feeds of its name once and in order', async () => {
    const other = new InProcessFeed(name);
    const received = [feed, other].map((listener) => firstValueFrom(listener.hints.pipe(take(3), toArray())));
    const hints = ['1', '2', '3'].map(appended);
    for (const hint of hints) feed.announce(hint);
    assert.deepEqual(await Promise.all(received), [hints, hints]);
    await other.close();
  });

  it('crosses threads in both directions', async () => {
    const worker = new Worker(
      `
      import(${JSON.stringify(MODULE)}).then(({ InProcessFeed }) => {
        const feed = new InProcessFeed(${JSON.stringify(name)});
        feed.hints.subscribe((hint) => {
          if (hint.topic === 'appended') feed.announce({ topic: 'projected', projection: 'traces.v1', position: hint.position });
        });
        require('node:worker_threads').parentPort.on('message', () => {}).postMessage('ready');
      });`,
      { eval: true },
    );
    await once(worker, 'message');
    const answer = firstValueFrom(feed.hints.pipe(filter(({ topic }) => topic === 'projected')));
    feed.announce(appended('7'));
    assert.deepEqual(await answer, { topic: 'projected', projection: 'traces.v1', position: '7' });
    await worker.terminate();
  });

  it('is separate from feeds with other names', async () => {
    const [strange, notified] = [new InProcessFeed(`${name}-other`), [] as ChangeHint[]];
    feed.hints.subscribe((hint) => notified.push(hint));
    const sentinel = firstValueFrom(strange.hints);
    strange.announce(appended('1'));
    await sentinel;
    const own = firstValueFrom(feed.hints);
    new InProcessFeed(name).announce(appended('2'));
    await own;
    assert.deepEqual(notified, [appended('2')]);
    await strange.close();
  });

  it('does not keep its process alive', () => {
    const script = `const { InProcessFeed } = await import(${JSON.stringify(MODULE)});
      const feed = new InProcessFeed(); feed.hints.subscribe(() => {}); feed.announce({ topic: 'appended', position: '1' });`;
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 10_000 });
  });

  it('can be closed twice, completes its hints and ignores later announcements', async () => {
    let completed = false;
    feed.hints.subscribe({
      complete: () => {
        completed = true;
      },
    });
    assert.deepEqual(await feed.check(), { ok: true });
    await feed.close();
    await feed.close();
    feed.announce(appended('1'));
    assert.ok(completed);
    assert.equal((await feed.check()).ok, false);
  });
});

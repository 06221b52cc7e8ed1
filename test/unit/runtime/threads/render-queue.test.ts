import assert from 'node:assert/strict';
import { RenderQueue } from '../../../../src/runtime/threads/render-queue.js';

/** Pictures by name: which have started, and how to end one. */
function drawings(line: RenderQueue) {
  const started: string[] = [];
  const ends = new Map<string, { readonly finish: () => void; readonly fail: (error: Error) => void }>();
  const draw = (name: string, pixels: number, ownerId = 'owner'): Promise<string> =>
    line.enqueue({ ownerId, gridId: `grid of ${ownerId}` }, pixels, () => {
      started.push(name);
      return new Promise((resolve, reject) => ends.set(name, { finish: () => resolve(name), fail: reject }));
    });
  return {
    started,
    draw,
    finish: (name: string) => ends.get(name)!.finish(),
    fail: (name: string, error: Error) => ends.get(name)!.fail(error),
  };
}

/** One owner alone may use half of the places for waiting pictures. */
const BOUNDS = {
  running: 2,
  runningPixels: 100,
  runningOfOwner: 2,
  runningPixelsOfOwner: 100,
  waiting: 6,
  waitingPixels: 400,
};

describe('RenderQueue', () => {
  it('runs as many at once as capacity allows, the others in order of arrival', async () => {
    const { started, draw, finish } = drawings(new RenderQueue(BOUNDS));
    const all = ['a', 'b', 'c', 'd'].map((name) => draw(name, 10));
    assert.deepEqual(started, ['a', 'b']);
    finish('b');
    assert.equal(await all[1], 'b');
    assert.deepEqual(started, ['a', 'b', 'c']);
    finish('a');
    await all[0];
    assert.deepEqual(started, ['a', 'b', 'c', 'd']);
  });

  it('lets a large picture wait, and no later one overtake it', async () => {
    const { started, draw, finish } = drawings(new RenderQueue(BOUNDS));
    const small = draw('small', 10);
    const large = draw('large', 95);
    void draw('later', 10);
    assert.deepEqual(started, ['small']);
    finish('small');
    await small;
    assert.deepEqual(started, ['small', 'large']);
    finish('large');
    await large;
    assert.deepEqual(started, ['small', 'large', 'later']);
  });

  it('runs a picture alone that exceeds the pixel limit', () => {
    const { started, draw } = drawings(new RenderQueue(BOUNDS));
    void draw('huge', 1_000);
    void draw('small', 1);
    assert.deepEqual(started, ['huge']);
  });

  it('rejects pictures when too many are waiting', async () => {
    const { draw, finish } = drawings(new RenderQueue(BOUNDS));
    const all = ['a', 'b', 'c', 'd', 'e'].map((name) => draw(name, 1));
    await assert.rejects(draw('f', 1), { code: 'overloaded' });
    finish('a');
    await all[0];
    void draw('g', 1);
    await assert.rejects(draw('h', 1), { code: 'overloaded' });
  });

  it('rejects pictures while too many pixels are waiting', async () => {
    const { started, draw, finish } = drawings(new RenderQueue(BOUNDS));
    const drawn = draw('a', 100);
    const next = draw('b', 150);
    await assert.rejects(draw('c', 101), { code: 'overloaded' });
    void draw('d', 50);
    await assert.rejects(draw('e', 1), { code: 'overloaded' });
    finish('a');
    await drawn;
    void draw('f', 50);
    finish('b');
    await next;
    assert.deepEqual(started, ['a', 'b', 'd', 'f']);
  });

  it('takes turns of owners: a single picture is drawn before the rest of a long queue', async () => {
    const { started, draw, finish } = drawings(new RenderQueue({ ...BOUNDS, running: 1 }));
    const [first] = ['a', 'b', 'c'].map((name) => draw(name, 10, 'flood'));
    void draw('d', 10, 'neighbour');
    finish('a');
    await first;
    assert.deepEqual(started, ['a', 'd']);
  });

  it('keeps a place for others beside an owner at its limit, and passes over what that owner has waiting', () => {
    const { started, draw } = drawings(new RenderQueue({ ...BOUNDS, running: 3, runningPixels: 120 }));
    void draw('large', 100, 'flood');
    void draw('more', 10, 'flood');
    void draw('small', 10, 'neighbour');
    assert.deepEqual(started, ['large', 'small']);
  });

  it('refuses one owner who has too many waiting, and nobody else', async () => {
    const { draw } = drawings(new RenderQueue({ ...BOUNDS, running: 1 }));
    for (const name of ['a', 'b', 'c', 'd']) void draw(name, 1, 'flood');
    await assert.rejects(draw('e', 1, 'flood'), { code: 'overloaded' });
    const outcome = draw('f', 1, 'neighbour').catch(() => 'refused');
    assert.equal(await Promise.race([outcome, new Promise((resolve) => setImmediate(resolve, 'waits'))]), 'waits');
  });

  it('frees capacity when a picture fails', async () => {
    const { started, draw, fail } = drawings(new RenderQueue({ ...BOUNDS, running: 1 }));
    const failing = draw('a', 100);
    void draw('b', 100);
    fail('a', new Error('no ink'));
    await assert.rejects(failing, /no ink/);
    assert.deepEqual(started, ['a', 'b']);
  });

  it('rejects all waiting pictures on demand; running and later ones proceed', async () => {
    const line = new RenderQueue({ ...BOUNDS, running: 1 });
    const { started, draw, finish } = drawings(line);
    const [drawn, ...waiting] = [draw('a', 100), draw('b', 100), draw('c', 100)];
    line.rejectWaiting(new Error('closing time'));
    for (const turned of waiting) await assert.rejects(turned, /closing time/);
    void draw('d', 200);
    finish('a');
    assert.equal(await drawn, 'a');
    assert.deepEqual(started, ['a', 'd']);
  });
});

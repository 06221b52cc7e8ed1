import assert from 'node:assert/strict';
import { RenderQueue } from '../../../../src/runtime/threads/render-queue.js';

/** Pictures by name: which have begun, and how to end one. */
function drawings(line: RenderQueue) {
  const begun: string[] = [];
  const ends = new Map<string, { readonly finish: () => void; readonly fail: (error: Error) => void }>();
  const draw = (name: string, pixels: number): Promise<string> =>
    line.enqueue(pixels, () => {
      begun.push(name);
      return new Promise((resolve, reject) => ends.set(name, { finish: () => resolve(name), fail: reject }));
    });
  return {
    begun,
    draw,
    finish: (name: string) => ends.get(name)!.finish(),
    fail: (name: string, error: Error) => ends.get(name)!.fail(error),
  };
}

const BOUNDS = { atWork: 2, pixelsAtWork: 100, waiting: 3, pixelsWaiting: 200 };

describe('PictureLine', () => {
  it('draws as many at once as there is room for, the others in the order in which they came', async () => {
    const { begun, draw, finish } = drawings(new RenderQueue(BOUNDS));
    const all = ['a', 'b', 'c', 'd'].map((name) => draw(name, 10));
    assert.deepEqual(begun, ['a', 'b']);
    finish('b');
    assert.equal(await all[1], 'b');
    assert.deepEqual(begun, ['a', 'b', 'c']);
    finish('a');
    await all[0];
    assert.deepEqual(begun, ['a', 'b', 'c', 'd']);
  });

  it('lets a large picture wait for room, and no later one overtake it', async () => {
    const { begun, draw, finish } = drawings(new RenderQueue(BOUNDS));
    const small = draw('small', 10);
    const large = draw('large', 95);
    void draw('later', 10);
    assert.deepEqual(begun, ['small']);
    finish('small');
    await small;
    assert.deepEqual(begun, ['small', 'large']);
    finish('large');
    await large;
    assert.deepEqual(begun, ['small', 'large', 'later']);
  });

  it('draws a picture alone that has more pixels than are drawn at once', () => {
    const { begun, draw } = drawings(new RenderQueue(BOUNDS));
    void draw('huge', 1_000);
    void draw('small', 1);
    assert.deepEqual(begun, ['huge']);
  });

  it('turns away what finds too many waiting', async () => {
    const { draw, finish } = drawings(new RenderQueue(BOUNDS));
    const all = ['a', 'b', 'c', 'd', 'e'].map((name) => draw(name, 1));
    await assert.rejects(draw('f', 1), { code: 'overloaded' });
    finish('a');
    await all[0];
    void draw('g', 1);
    await assert.rejects(draw('h', 1), { code: 'overloaded' });
  });

  it('turns away what finds too many pixels waiting, until some of them are drawn', async () => {
    const { begun, draw, finish } = drawings(new RenderQueue(BOUNDS));
    const drawn = draw('a', 100);
    const next = draw('b', 150);
    await assert.rejects(draw('c', 51), { code: 'overloaded' });
    void draw('d', 50);
    await assert.rejects(draw('e', 1), { code: 'overloaded' });
    finish('a');
    await drawn;
    void draw('f', 50);
    finish('b');
    await next;
    assert.deepEqual(begun, ['a', 'b', 'd', 'f']);
  });

  it('makes room again when a picture fails', async () => {
    const { begun, draw, fail } = drawings(new RenderQueue({ ...BOUNDS, atWork: 1 }));
    const failing = draw('a', 100);
    void draw('b', 100);
    fail('a', new Error('no ink'));
    await assert.rejects(failing, /no ink/);
    assert.deepEqual(begun, ['a', 'b']);
  });

  it('can turn away all that wait: what is drawn goes on, and others may come then', async () => {
    const line = new RenderQueue({ ...BOUNDS, atWork: 1 });
    const { begun, draw, finish } = drawings(line);
    const [drawn, ...waiting] = [draw('a', 100), draw('b', 100), draw('c', 100)];
    line.turnAway(new Error('closing time'));
    for (const turned of waiting) await assert.rejects(turned, /closing time/);
    void draw('d', 200);
    finish('a');
    assert.equal(await drawn, 'a');
    assert.deepEqual(begun, ['a', 'd']);
  });
});

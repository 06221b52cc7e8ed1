import assert from 'node:assert/strict';
import { getPriority } from 'node:os';
import { transferableSymbol, valueSymbol } from 'piscina';
import type { ChartRenderOptions } from '../../../../src/charts/render-options.js';
import { createPngRenderer } from '../../../../src/charts/png-renderer.js';
import type { ChartRenderInput, PackedChartInput } from '../../../../src/queries/charts/chart-query-types.js';
import { ChartRenderPool, type ChartRenderPoolOptions } from '../../../../src/runtime/threads/chart-render-pool.js';
import drawOnThread from '../../../../src/runtime/threads/render-thread.js';
import { packChart } from '../../../../src/queries/charts/packed-chart.js';
import { wavyPicture } from '../../../support/sample-chart-images.js';
import { waitUntil } from '../../../support/wait-until.js';
import type { FakePicture } from './fake-render-thread.js';

const LOOK: ChartRenderOptions = { width: 400, height: 200, theme: 'dark' };
const HUGE: ChartRenderOptions = { width: 4_000, height: 4_000, theme: 'dark' };
const GRID = 'grid';
const FAKE = new URL('./fake-render-thread.js', import.meta.url);

function sealed(picture: ChartRenderInput): PackedChartInput {
  return { ...packChart(picture), frame: picture.data.frame };
}

describe('ChartRenderPool', () => {
  const pools: ChartRenderPool[] = [];
  const open = (options: Partial<ChartRenderPoolOptions> = {}): ChartRenderPool => {
    pools.push(new ChartRenderPool({ threads: 1, maxWaiting: 2, ...options }));
    return pools.at(-1)!;
  };
  const fake = (options: Partial<ChartRenderPoolOptions> = {}) => {
    const pool = open({ entry: FAKE, ...options });
    return {
      pool,
      order: (picture: FakePicture, look = LOOK) => pool.render(GRID, picture as unknown as PackedChartInput, look),
    };
  };
  afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

  it('renders the same as the renderer on this thread', async () => {
    const expected = createPngRenderer().renderChart(wavyPicture(), LOOK);
    assert.deepEqual(await open().render(GRID, sealed(wavyPicture()), LOOK), expected);
  });

  it('starts no thread for a picture whose owner is found only after it was closed', async () => {
    let report = (_ownerId: string): void => undefined;
    const pool = open({ findOwner: () => new Promise((resolve) => (report = resolve)) });
    const rendered = pool.render(GRID, sealed(wavyPicture()), LOOK);
    await pool.close();
    report('owner');
    await assert.rejects(rendered, { code: 'unavailable' });
    assert.equal(pool.threads, 0);
  });

  it('renders dashboards with unpacked charts', async () => {
    const [picture, position] = [wavyPicture(), { row: 0, col: 0, width: 12, height: 4 }];
    const { frame } = picture.data;
    const expected = createPngRenderer().renderDashboard(
      { title: 'Shop', frame, charts: [{ position, picture }] },
      LOOK,
    );
    assert.deepEqual(
      await open().renderDashboard(
        GRID,
        { title: 'Shop', frame, charts: [{ position, ...packChart(picture) }], closed: true },
        LOOK,
      ),
      expected,
    );
  });

  it('counts the pixels of dashboards by their rows', async () => {
    const { pool, order } = fake({ maxWaiting: 50 });
    const board = (rows: number): Promise<Uint8Array> => {
      const charts = Array.from({ length: rows }, (_, row) => ({
        position: { row: row * 30, col: 0, width: 12, height: 30 },
        sealed: '',
        points: new Float64Array(0),
        digest: '',
        closed: true,
      }));
      return pool.renderDashboard(
        GRID,
        { ...({ work: 'hang' } as object), title: '', frame: wavyPicture().data.frame, charts, closed: true },
        { width: 4_000, theme: 'dark' },
      );
    };
    const first = Promise.allSettled([order({ work: 'hang' }), ...Array.from({ length: 4 }, () => board(30))]);
    await assert.rejects(board(30), { code: 'overloaded' });
    await pool.close();
    assert.ok((await first).every(({ status }) => status === 'rejected'));
  });

  it('transfers the bytes instead of copying them', async () => {
    const answer = (await drawOnThread({
      kind: 'chart',
      picture: sealed(wavyPicture({ points: 2 })),
      look: LOOK,
    })) as Record<symbol, unknown>;
    const png = answer[valueSymbol] as Uint8Array;
    assert.equal(png.byteLength, png.buffer.byteLength);
    assert.deepEqual(answer[transferableSymbol], png.buffer);
  });

  it('frees rendered pictures: eventually memory grows by less than a quarter of the pixels', async () => {
    const pool = open();
    const [side, pictures] = [1_400, 8];
    let before = 0;
    await waitUntil(async () => {
      for (let n = 0; n < pictures; n++)
        await pool.render(GRID, sealed(wavyPicture({ series: 1, points: 10 })), {
          width: side,
          height: side,
          theme: 'dark',
        });
      const grown = process.memoryUsage.rss() - before;
      before += grown;
      return grown < (pictures * side * side * 4) / 4;
    }, 'the memory has stopped growing');
  });

  it('has no thread before the first picture, nor after an idle time', async () => {
    const { pool, order } = fake({ idleMs: 1 });
    assert.equal(pool.threads, 0);
    await order({ work: 'number' });
    await waitUntil(() => pool.threads === 0, 'the thread has ended');
    await order({ work: 'number' });
  });

  it('renders several pictures in parallel threads', async () => {
    const place = new Int32Array(new SharedArrayBuffer(8));
    place[1] = 2;
    const { order } = fake({ threads: 2 });
    const [[one], [other]] = await Promise.all([order({ work: 'meet', place }), order({ work: 'meet', place })]);
    assert.notEqual(one, other);
  });

  it('lowers the priority of its own threads only', async function () {
    if (process.platform !== 'linux') return this.skip();
    const { order } = fake();
    const before = getPriority();
    assert.deepEqual(await order({ work: 'priority' }), Uint8Array.of(Math.min(19, before + 5)));
    assert.equal(getPriority(), before);
  });

  it('rejects pictures when too many, or too many pixels, are waiting', async () => {
    const { pool, order } = fake({ maxWaiting: 5 });
    const taken = Array.from({ length: 5 }, () => order({ work: 'hang' }, HUGE));
    await assert.rejects(order({ work: 'number' }), { code: 'overloaded' });
    const settled = Promise.allSettled(taken);
    await pool.close();
    assert.ok((await settled).every(({ status }) => status === 'rejected'));
    const { order: another } = fake({ maxWaiting: 1 });
    const small = Promise.allSettled([another({ work: 'hang' }), another({ work: 'number' })]);
    await assert.rejects(another({ work: 'number' }), { code: 'overloaded' });
    await Promise.all(pools.map((each) => each.close()));
    await small;
  });

  it('rejects a picture that cannot be rendered, and renders the next', async () => {
    const { order } = fake();
    const [before] = await order({ work: 'number' });
    await assert.rejects(order({ work: 'throw' }), { message: 'no ink' });
    assert.deepEqual(await order({ work: 'number' }), Uint8Array.of(before), 'on the same thread');
  });

  for (const work of ['exit', 'exhaust'] as const) {
    it(`rejects a picture that ends its thread (${work}), and renders the next one on another`, async () => {
      const { order } = fake();
      const [before] = await order({ work: 'number' });
      const [crashed, next] = await Promise.allSettled([order({ work }), order({ work: 'number' })]);
      assert.equal(crashed.status, 'rejected');
      assert.ok(next.status === 'fulfilled' && next.value[0] !== before);
    });
  }

  it('ends the thread of a picture that takes too long', async () => {
    const { pool, order } = fake({ timeoutMs: 500 });
    // A picture that times out before its thread has started ends none.
    await waitUntil(
      () =>
        order({ work: 'number' }).then(
          () => true,
          () => false,
        ),
      'a thread has started',
    );
    await assert.rejects(order({ work: 'hang' }), { code: 'unavailable' });
    await waitUntil(() => pool.threads === 0, 'the thread has ended');
  });

  it('rejects every picture when the threads cannot start', async () => {
    const { order } = fake({ entry: new URL('../../../threads/no-such-file.js', import.meta.url), threads: 2 });
    const all = await Promise.allSettled([
      order({ work: 'number' }),
      order({ work: 'number' }),
      order({ work: 'number' }),
    ]);
    assert.ok(all.every((one) => one.status === 'rejected' && /no-such-file/.test(String(one.reason))));
  });

  it('closes at once, rejecting running and waiting pictures as unavailable; closing is idempotent', async () => {
    const { pool, order } = fake();
    const pictures = [order({ work: 'hang' }), order({ work: 'number' })].map((picture) =>
      assert.rejects(picture, { code: 'unavailable' }),
    );
    assert.deepEqual(await pool.check(), { ok: true });
    await pool.close();
    await pool.close();
    await Promise.all(pictures);
    assert.equal(pool.threads, 0);
    assert.deepEqual(await pool.check(), { ok: false, reason: 'closed' });
    await assert.rejects(order({ work: 'number' }), { code: 'unavailable' });
    await open().close();
  });
});

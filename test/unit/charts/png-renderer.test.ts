import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createCanvas } from 'canvas';
import { createPngRenderer } from '../../../src/charts/png-renderer.js';
import type { ChartRenderOptions } from '../../../src/charts/render-options.js';
import { wavyPicture } from '../../support/sample-chart-images.js';
import { decodePixels } from '../../support/golden-images.js';

const LOOK: ChartRenderOptions = { width: 800, height: 400, theme: 'dark' };

async function differentPixels(one: Uint8Array, other: Uint8Array): Promise<number> {
  const [a, b] = (await Promise.all([decodePixels(one), decodePixels(other)])).map(
    ({ bytes }) => new Uint32Array(bytes.buffer),
  );
  return a.reduce((sum, pixel, at) => sum + (pixel === b[at] ? 0 : 1), 0);
}

const hashOf = (png: Uint8Array): string => createHash('sha256').update(png).digest('hex');

describe('renderer', () => {
  const { renderChart: render } = createPngRenderer();

  it('draws a PNG of exactly the size that was asked for, one after the other', async () => {
    for (const [width, height] of [
      [800, 400],
      [100, 100],
      [1234, 567],
      [100, 4000],
      [800, 400],
    ]) {
      const read = await decodePixels(render(wavyPicture({ points: 60 }), { width, height, theme: 'light' }));
      assert.deepEqual([read.width, read.height], [width, height]);
    }
  });

  it('draws each kind of chart, in the dark and in the light, each in its own way', () => {
    const looks = (['dark', 'light'] as const).flatMap((theme) =>
      (['line', 'bar', 'area'] as const).map((chartType) =>
        hashOf(render(wavyPicture({ chartType, points: 60 }), { ...LOOK, theme })),
      ),
    );
    assert.equal(new Set(looks).size, 6);
  });

  it('draws words: another title is another picture, in any of our scripts', async () => {
    const [blank, ...titled] = ['', 'Zürich', 'Ελλάδα', 'Привет', 'Việt'].map((title) =>
      render(wavyPicture({ title, points: 10 }), LOOK),
    );
    for (const png of titled) assert.ok((await differentPixels(blank, png)) > 200);
    assert.equal(new Set(titled.map(hashOf)).size, titled.length);
  });

  it('draws the same bytes for the same picture, whatever came between', () => {
    const first = hashOf(render(wavyPicture(), LOOK));
    render(wavyPicture({ chartType: 'bar', series: 50, points: 30 }), { width: 300, height: 900, theme: 'light' });
    assert.equal(hashOf(render(wavyPicture(), LOOK)), first);
  });

  it('draws the same bytes on a machine without any font', () => {
    const program = `
      const { createHash } = await import('node:crypto');
      const { createPngRenderer } = await import(${JSON.stringify(new URL('../../../src/charts/png-renderer.js', import.meta.url).href)});
      const { wavyPicture } = await import(${JSON.stringify(new URL('../../support/sample-chart-images.js', import.meta.url).href)});
      process.stdout.write(createHash('sha256').update(createPngRenderer().renderChart(wavyPicture(), ${JSON.stringify(LOOK)})).digest('hex'));`;
    const withoutFonts = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      env: { ...process.env, DISABLE_SYSTEM_FONTS_LOAD: '1' },
      encoding: 'utf8',
    });
    assert.equal(withoutFonts, hashOf(render(wavyPicture(), LOOK)));
  });

  it('does not let a canvas redraw its pixels before it is read', () => {
    const canvases = Object.getPrototypeOf(createCanvas(1, 1)) as object;
    const height = Object.getOwnPropertyDescriptor(canvases, 'height')!;
    const heights: number[] = [];
    Object.defineProperty(canvases, 'height', { ...height, set: (value: number) => void heights.push(value) });
    try {
      render(wavyPicture({ points: 2 }), LOOK);
    } finally {
      Object.defineProperty(canvases, 'height', height);
    }
    assert.deepEqual(heights, []);
  });

  it('gives bytes that are alone in their buffer', () => {
    const png = render(wavyPicture({ points: 2 }), LOOK);
    assert.equal(png.byteLength, png.buffer.byteLength);
  });
});

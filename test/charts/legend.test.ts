import assert from 'node:assert/strict';
import fc from 'fast-check';
import { layoutOf } from '../../src/charts/layout.js';
import { legendOf, type LegendItem } from '../../src/charts/legend.js';

const layout = layoutOf({ width: 800, height: 400, theme: 'dark' });
const items = (count: number, label = 'service', value = 'max 12 ms'): LegendItem[] => Array.from({ length: count }, (_, n) => ({ label: `${label} ${n + 1}`, value, colour: '#ffffff', dash: [] }));

describe('legend', () => {
  it('is one row, as the series come, where that is enough', () => {
    const { items: shown, more } = legendOf(items(4), layout);
    assert.deepEqual(shown.map(({ label, value }) => `${label}: ${value}`), ['service 1: max 12 ms', 'service 2: max 12 ms', 'service 3: max 12 ms', 'service 4: max 12 ms']);
    assert.equal(new Set(shown.map(({ y }) => y)).size, 1);
    assert.ok(shown.every(({ x }, index) => index === 0 || x > shown[index - 1].x));
    assert.equal(more, undefined);
  });

  it('lets go of the values first, then of the middles of labels, then of the last series', () => {
    assert.equal(legendOf(items(40, 's'), layout).items[0].value, '');
    const { items: shown, more } = legendOf(items(50, 'GET /api/v1/a/very/long/resource/of/something'), layout);
    assert.match(shown[0].label, /^GET \/api.*….*1$/);
    assert.equal(more?.text, `+${50 - shown.length} more`);
  });

  it('counts what is left out', () => {
    const { items: shown, more } = legendOf(items(13, 'x'.repeat(300)), layoutOf({ width: 400, height: 300, theme: 'dark' }));
    assert.equal(shown.length + Number(/\d+/.exec(more!.text)), 13);
  });

  it('is not there without series or without room', () => {
    assert.deepEqual(legendOf([], layout), { items: [], more: undefined, height: 0 });
    assert.equal(legendOf(items(3), layoutOf({ width: 320, height: 160, theme: 'dark' })).height, 0);
  });

  it('stays within the picture and takes a third of its height at most', () => {
    const size = fc.integer({ min: 100, max: 4_000 });
    fc.assert(fc.property(size, size, fc.array(fc.string({ maxLength: 60 }), { minLength: 1, maxLength: 50 }), (width, height, labels) => {
      const { items: shown, more, height: taken } = legendOf(labels.map((label) => ({ ...items(1)[0], label })), layoutOf({ width, height, theme: 'dark' }));
      assert.ok(taken <= height / 3);
      for (const { x, y } of [...shown, ...(more === undefined ? [] : [more])]) assert.ok(x >= 0 && x < width && y > height - taken - height * 0.05 && y < height, `${x}, ${y}`);
    }));
  });
});

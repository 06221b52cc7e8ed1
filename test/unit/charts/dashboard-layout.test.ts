import assert from 'node:assert/strict';
import fc from 'fast-check';
import { computeDashboardLayout, type PixelBox } from '../../../src/charts/dashboard-layout.js';
import { DASHBOARD_WIDTH_BOUNDS, IMAGE_SIDE_BOUNDS } from '../../../src/charts/render-options.js';
import { CHART_BOUNDS, DASHBOARD_COLUMNS, type ChartPosition } from '../../../src/diagnostics/chart-model.js';
import { createDefaultDashboards } from '../../../src/streams/events/grid-defaults.js';

const at = (row: number, col: number, width: number, height: number): ChartPosition => ({ row, col, width, height });
const asBox = ({ row, col, width, height }: ChartPosition): PixelBox => ({ x: col, y: row, width, height });

function overlap(a: PixelBox, b: PixelBox): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Valid positions on a dashboard: up to the last row, without overlaps. */
const positions = fc.constantFrom(20, 200, CHART_BOUNDS.rows).chain((rows) => {
  const position = fc.tuple(fc.nat(rows - 1), fc.nat(DASHBOARD_COLUMNS - 1), fc.nat(), fc.nat());
  const within = position.map(([row, col, width, height]) =>
    at(row, col, 1 + (width % (DASHBOARD_COLUMNS - col)), 1 + (height % Math.min(40, rows - row))),
  );
  return fc
    .array(within, { maxLength: CHART_BOUNDS.chartsOfADashboard })
    .map((all) =>
      all.reduce<ChartPosition[]>(
        (kept, one) => (kept.some((other) => overlap(asBox(one), asBox(other))) ? kept : [...kept, one]),
        [],
      ),
    );
});
const widths = fc.integer(DASHBOARD_WIDTH_BOUNDS);

describe('layout of a dashboard', () => {
  it('keeps charts apart and inside, below the title, in whole pixels, wherever they are placed', () => {
    fc.assert(
      fc.property(positions, widths, (placed, width) => {
        const { height, header, charts } = computeDashboardLayout(placed, width);
        assert.ok(
          Number.isInteger(height) &&
            height <= IMAGE_SIDE_BOUNDS.max &&
            header.x > 0 &&
            header.x + header.width < width &&
            header.y + header.height <= height,
        );
        for (const box of charts) {
          assert.ok(
            Object.values(box).every(Number.isInteger) && box.width >= 1 && box.height >= 1,
            JSON.stringify(box),
          );
          assert.ok(
            box.x >= header.x &&
              box.x + box.width <= header.x + header.width &&
              box.y >= header.y + header.height &&
              box.y + box.height < height,
            JSON.stringify(box),
          );
        }
        charts.forEach((box, i) => assert.ok(charts.slice(i + 1).every((other) => !overlap(box, other))));
      }),
    );
  });

  it('keeps what is above above, what is left left, and edges in line', () => {
    fc.assert(
      fc.property(positions, widths, (placed, width) => {
        const { charts } = computeDashboardLayout(placed, width);
        placed.forEach((one, i) =>
          placed.forEach((other, k) => {
            if (one.row + one.height <= other.row) assert.ok(charts[i].y + charts[i].height <= charts[k].y);
            if (one.col + one.width <= other.col) assert.ok(charts[i].x + charts[i].width <= charts[k].x);
            if (one.row === other.row) assert.equal(charts[i].y, charts[k].y);
            if (one.col + one.width === other.col + other.width)
              assert.equal(charts[i].x + charts[i].width, charts[k].x + charts[k].width);
          }),
        );
      }),
    );
  });

  it('has proportions that charts can be read at, at any width', () => {
    for (const width of [400, 1_200, 2_000]) {
      const [third, , , half] = computeDashboardLayout(
        createDefaultDashboards('grid')[0].charts.map(({ position }) => position),
        width,
      ).charts;
      for (const { width: w, height: h } of [third, half]) assert.ok(w / h > 1.4 && w / h < 2, `${w} × ${h}`);
    }
  });

  it('makes rows lower where they would be higher than a picture may be', () => {
    const rows = (count: number): ChartPosition[] => Array.from({ length: count }, (_, row) => at(row * 10, 0, 12, 10));
    const [few, many] = [computeDashboardLayout(rows(4), 1_200), computeDashboardLayout(rows(100), 1_200)];
    assert.ok(few.height < IMAGE_SIDE_BOUNDS.max);
    assert.ok(many.height <= IMAGE_SIDE_BOUNDS.max && many.height > IMAGE_SIDE_BOUNDS.max - 20, String(many.height));
    assert.ok(many.charts[0].height < few.charts[0].height / 4);
  });

  it('leaves out rows that no chart reaches', () => {
    const close = computeDashboardLayout([at(0, 0, 6, 4), at(4, 6, 6, 4)], 1_200);
    assert.deepEqual(computeDashboardLayout([at(3, 0, 6, 4), at(990, 6, 6, 4)], 1_200), close);
  });

  it('has room to say that there are no charts', () => {
    const { height, header, charts } = computeDashboardLayout([], 400);
    assert.deepEqual(charts, []);
    assert.ok(height > header.y + header.height + 40);
  });

  it('writes larger on a wider board, and never too small', () => {
    const [narrow, usual, wide] = [400, 1_200, 2_400].map((width) => computeDashboardLayout([], width).scale);
    assert.ok(narrow >= 10 / 12 && narrow < usual && usual < wide && wide < 2 * usual);
  });
});

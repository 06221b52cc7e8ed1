import assert from 'node:assert/strict';
import { computeDashboardLayout } from '../../../src/charts/dashboard-layout.js';
import type { UnpackedDashboardPicture } from '../../../src/charts/dashboard-drawing.js';
import { computeHeading } from '../../../src/charts/chart-heading.js';
import { computeChartLayout } from '../../../src/charts/chart-layout.js';
import type { DashboardRenderOptions, ChartRenderOptions } from '../../../src/charts/render-options.js';
import { PALETTES } from '../../../src/charts/colour-palette.js';
import { createPngRenderer } from '../../../src/charts/png-renderer.js';
import { CHART_BOUNDS, type ChartPosition } from '../../../src/diagnostics/chart-model.js';
import type { ChartRenderInput } from '../../../src/queries/charts/chart-query-types.js';
import { wavyPicture } from '../../support/sample-chart-images.js';
import { SCENES } from '../../support/chart-scenes.js';
import { assertGolden, describeDifference, decodePixels, type Pixels } from '../../support/golden-images.js';

const at = (row: number, col: number, width: number, height: number): ChartPosition => ({ row, col, width, height });
const { frame } = SCENES.latency.data;

function boardOf(...charts: readonly (readonly [ChartRenderInput, ChartPosition])[]): UnpackedDashboardPicture {
  return { title: 'Service overview', frame, charts: charts.map(([picture, position]) => ({ picture, position })) };
}

const BOARD = boardOf(
  [SCENES.area, at(0, 0, 4, 4)],
  [SCENES.thresholds, at(0, 4, 4, 4)],
  [SCENES.empty, at(0, 8, 4, 4)],
  [SCENES.latency, at(4, 0, 6, 5)],
  [SCENES.services, at(4, 6, 6, 5)],
  [SCENES.severities, at(9, 0, 12, 3)],
);
const DARK: DashboardRenderOptions = { width: 800, theme: 'dark' };

/** `#rrggbb` of the pixel. */
function colourAt({ bytes, width }: Pixels, x: number, y: number): string {
  return `#${Buffer.from(bytes.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)).toString('hex')}`;
}

describe('picture of a dashboard', () => {
  const { renderDashboard: board, renderChart: chart } = createPngRenderer();

  it('looks as it did: board-dark', () => assertGolden('board-dark', board(BOARD, DARK)));
  it('looks as it did: board-light', () => assertGolden('board-light', board(BOARD, { width: 640, theme: 'light' })));

  it('is as wide as was asked for, and as high as its rows', async () => {
    const positions = BOARD.charts.map(({ position }) => position);
    for (const width of [400, 1_234]) {
      const { height } = computeDashboardLayout(positions, width);
      const pixels = await decodePixels(board(BOARD, { width, theme: 'light' }));
      assert.deepEqual([pixels.width, pixels.height], [width, height]);
    }
  });

  it('has each chart at its place, between them the board', async () => {
    const positions = BOARD.charts.map(({ position }) => position);
    const pixels = await decodePixels(board(BOARD, DARK));
    for (const { x, y, width, height } of computeDashboardLayout(positions, DARK.width).charts) {
      assert.equal(colourAt(pixels, x + Math.floor(width / 2), y), PALETTES.dark.background);
      assert.equal(colourAt(pixels, x + width - 1, y + Math.floor(height / 2)), PALETTES.dark.background);
      for (const [atX, atY] of [
        [x - 1, y + 9],
        [x + width, y + 9],
        [x + 9, y - 1],
        [x + 9, y + height],
      ])
        assert.equal(colourAt(pixels, atX, atY), PALETTES.dark.dashboard);
    }
  });

  it('shows in its place what the chart alone shows in that look', async () => {
    const position = at(0, 0, 12, 5);
    const [{ x, y, width, height }] = computeDashboardLayout([position], 800).charts;
    const panel = { scale: computeDashboardLayout([position], 800).scale, showsService: false };
    const [whole, alone] = [
      await decodePixels(board(boardOf([SCENES.latency, position]), DARK)),
      await decodePixels(chart(SCENES.latency, { width, height, theme: 'dark', panel })),
    ];
    const bytes = Buffer.concat(
      Array.from({ length: height }, (_, row) =>
        whole.bytes.subarray(((y + row) * whole.width + x) * 4, ((y + row) * whole.width + x + width) * 4),
      ),
    );
    assert.equal(describeDifference({ width, height, bytes }, alone), undefined);
  });

  it('says that it has no charts, and whose it is', async () => {
    const [one, other] = [boardOf(), { ...boardOf(), title: 'Checkout' }].map((picture) => board(picture, DARK));
    assert.notEqual(describeDifference(await decodePixels(one), await decodePixels(other)), undefined);
    const { height, header } = computeDashboardLayout([], DARK.width);
    const pixels = await decodePixels(one);
    const below = Array.from({ length: (height - header.y - header.height) * DARK.width }, (_, i) =>
      colourAt(pixels, i % DARK.width, header.y + header.height + Math.floor(i / DARK.width)),
    );
    assert.ok(below.filter((colour) => colour !== PALETTES.dark.dashboard).length > 100);
  });

  it('leaves out of the titles of a service what the board is called', () => {
    const titled = (title: string) =>
      board(
        { ...boardOf([{ ...SCENES.area, chart: { ...SCENES.area.chart, title } }, at(0, 0, 4, 4)]), title: 'checkout' },
        DARK,
      );
    assert.deepEqual(titled('checkout · Latency'), titled('Latency'));
    assert.notDeepEqual(titled('cart · Latency'), titled('Latency'));
  });

  it('draws what dashboards can be at worst: the smallest charts, and a hundred of them', async () => {
    const picture = wavyPicture({ series: 2, points: 10 });
    const cells = Array.from(
      { length: CHART_BOUNDS.chartsOfADashboard },
      (_, i) => [picture, at(i * 10, i % 12, 1, i % 2 === 0 ? 1 : 10)] as const,
    );
    const high = boardOf(...cells.map(([one, { row, col }]) => [one, at(row, col, 1, 10)] as const));
    for (const each of [boardOf(...cells), high])
      assert.ok((await decodePixels(board(each, { width: 400, theme: 'dark' }))).height <= 4_000);
  });

  describe('heading of a part', () => {
    const options = (panel?: ChartRenderOptions['panel']): ChartRenderOptions => ({
      width: 400,
      height: 250,
      theme: 'dark',
      panel,
    });
    const headingWith = (
      beside: string,
      panel: ChartRenderOptions['panel'],
      picture: ChartRenderInput = SCENES.services,
    ) => computeHeading(picture, computeChartLayout(options(panel)), beside, panel);

    it('reports neither the range nor the steps, and the service only where they differ', () => {
      assert.equal(headingWith('max 5 req/s', { scale: 1, showsService: false }).subtitle, 'max 5 req/s');
      assert.equal(headingWith('req/s', { scale: 1, showsService: true }).subtitle, 'all services by service · req/s');
      assert.match(headingWith('', undefined).subtitle, /UTC/);
    });

    it('is as high as that of its neighbours, without words as well', () => {
      assert.equal(
        headingWith('', { scale: 1, showsService: false }).height,
        headingWith('max 5 req/s', { scale: 1, showsService: false }).height,
      );
    });
  });
});

import assert from 'node:assert/strict';
import type { ChartConfiguration, Point } from 'chart.js';
import { buildChartConfiguration } from '../../../src/charts/chart-configuration.js';
import type { ChartRenderOptions } from '../../../src/charts/render-options.js';
import { createPngRenderer } from '../../../src/charts/png-renderer.js';
import type { ChartRenderInput } from '../../../src/queries/charts/chart-query-types.js';
import { MINUTE, SCENES, sceneOf, TWO_O_CLOCK } from '../../support/chart-scenes.js';

const LOOK: ChartRenderOptions = { width: 800, height: 400, theme: 'dark' };
const RUNNING = TWO_O_CLOCK - 20_000;

const configured = (picture: ChartRenderInput): ChartConfiguration => buildChartConfiguration(picture, LOOK);
const datasetsOf = (picture: ChartRenderInput) =>
  configured(picture).data.datasets as unknown as Record<string, unknown>[];
const pointsOf = (dataset: Record<string, unknown>): Point[] => dataset.data as Point[];
const last = <T>(items: readonly T[]): T => items.at(-1)!;

describe('configuration of chart.js', () => {
  it('draws lines over one another, without fill', () => {
    const lines = datasetsOf({
      ...SCENES.latency,
      data: { ...SCENES.latency.data, frame: { ...SCENES.latency.data.frame, nowMs: TWO_O_CLOCK } },
    });
    const [p50] = lines;
    assert.deepEqual(
      lines.map(({ type, fill }) => [type, fill]),
      [
        ['line', false],
        ['line', false],
        ['line', false],
      ],
    );
    assert.equal(pointsOf(p50).length, 60);
    assert.equal(pointsOf(p50)[0].x, TWO_O_CLOCK - 59.5 * MINUTE);
  });

  it('piles areas of what adds up, each filled down to the one below', () => {
    const picture = sceneOf({
      chart: SCENES.services.chart,
      labels: SCENES.services.data.series.map(({ label }) => label),
    });
    const { series } = picture.data;
    const datasets = datasetsOf(picture);
    assert.deepEqual(
      datasets.slice(0, 3).map(({ fill }) => fill),
      ['origin', '-1', '-1'],
    );
    const sum = series.reduce((total, { points }) => total + points[7].value, 0);
    assert.ok(Math.abs(pointsOf(last(datasets))[7].y! - sum) < 1e-9);
  });

  it('lays areas of what does not add up over one another', () => {
    assert.deepEqual(
      datasetsOf(SCENES.area).map(({ fill }) => fill),
      ['origin', 'origin', 'origin'],
    );
    assert.equal(pointsOf(datasetsOf(SCENES.area)[2])[7].y, SCENES.area.data.series[2].points[7].value);
  });

  it('piles bars of what adds up and puts others side by side, in the middle of their steps', () => {
    const stacked = (picture: ChartRenderInput) =>
      Object.values(configured(picture).options!.scales!).map((scale) => (scale as { stacked: boolean }).stacked);
    assert.deepEqual(
      [stacked(SCENES.severities), stacked(SCENES.bars)],
      [
        [true, true],
        [false, false],
      ],
    );
    assert.equal(configured(SCENES.bars).type, 'bar');
    assert.equal(pointsOf(datasetsOf(SCENES.bars)[0])[0].x, TWO_O_CLOCK - 57.5 * MINUTE);
  });

  it('leaves gaps, and shows values between gaps as dots', () => {
    const [p50] = datasetsOf(SCENES.gaps);
    const values = pointsOf(p50).map(({ y }) => y);
    assert.ok(values.slice(12, 18).every(Number.isNaN));
    assert.deepEqual(
      (p50.pointRadius as number[]).flatMap((radius, at) => (radius > 0 ? [at] : [])),
      [18],
    );
    assert.ok(Number.isFinite(values[42]), 'the gap of a minute is bridged');
    assert.deepEqual(
      datasetsOf(SCENES.latency).map(({ pointRadius }) => pointRadius),
      [0, 0, 0, 0, 0, 0],
    );
  });

  it('never bridges gaps between bars', () => {
    const bars = sceneOf({
      chart: { chartType: 'bar' },
      curve: (share) => (share > 0.1 && share < 0.14 ? undefined : 1),
    });
    assert.ok(pointsOf(datasetsOf(bars)[0]).some(({ y }) => Number.isNaN(y)));
  });

  it('dashes the way to the value of the running step, and pales its bar', () => {
    const [way, line, ...more] = datasetsOf(sceneOf({ nowMs: RUNNING }));
    const [whole] = datasetsOf(sceneOf({ nowMs: TWO_O_CLOCK }));
    assert.deepEqual([way.borderDash, line.borderDash, whole.borderDash, more], [[4, 4], [], [], []]);
    assert.deepEqual(
      [way, line].map((part) => pointsOf(part).map(({ y }) => y)),
      [pointsOf(whole).slice(58), pointsOf(whole).slice(0, 59)].map((part) => part.map(({ y }) => y)),
    );
    const colours = datasetsOf(sceneOf({ chart: { chartType: 'bar' }, nowMs: RUNNING }))[0].backgroundColor as string[];
    assert.equal(last(colours), `${colours[58]}66`);
    assert.equal(new Set(colours).size, 2);
  });

  it('fills the way to the value of the running step with less, down to that of the series below', () => {
    const parts = datasetsOf(SCENES.services);
    assert.equal(parts.length, 2 * SCENES.services.data.series.length);
    assert.deepEqual(
      parts.slice(0, 4).map(({ fill }) => fill),
      ['origin', 'origin', '-2', '-2'],
    );
    assert.deepEqual(
      parts.slice(2, 4).map(({ backgroundColor }) => String(backgroundColor).slice(7)),
      ['47', 'b3'],
    );
    assert.deepEqual(
      parts.slice(2, 4).map(({ label }) => label),
      ['cart', 'cart'],
    );
  });

  it('has no way to the value of the only step, and shows a value between a gap and the end as one dot', () => {
    assert.deepEqual(
      datasetsOf(sceneOf({ minutes: 1, nowMs: RUNNING })).map((only) => [pointsOf(only).length, only.pointRadius]),
      [[1, [2.2]]],
    );
    const broken = (share: number): boolean => share > 0.9 && share < 0.98;
    const radii = datasetsOf(sceneOf({ nowMs: RUNNING, curve: (share) => (broken(share) ? undefined : 1) })).map(
      ({ pointRadius }) => pointRadius as number[],
    );
    assert.deepEqual(
      radii.map((part) => part.filter((radius) => radius > 0)),
      [[2.2], []],
    );
    assert.deepEqual(
      radii.map((part) => part.length),
      [2, 59],
    );
  });

  it('distinguishes colours that come again by dashes', () => {
    const dashes = datasetsOf(SCENES.fifty).map(({ borderDash }) => String(borderDash));
    assert.equal(
      new Set(datasetsOf(SCENES.fifty).map(({ borderColor }, index) => `${String(borderColor)} ${dashes[index]}`)).size,
      50,
    );
    assert.equal(dashes[0], '');
  });

  it('can be drawn at any size, whatever there is to draw', () => {
    const { renderChart: render } = createPngRenderer();
    const oddities = [
      sceneOf({ minutes: 1 }),
      sceneOf({ minutes: 1, chart: { chartType: 'bar' } }),
      sceneOf({ labels: [''], curve: () => -1e300 }),
      sceneOf({ curve: () => 0 }),
      sceneOf({ chart: { metric: 'apdex', chartType: 'area' }, data: { unit: '' } }),
      sceneOf({ curve: () => 5e-324 }),
      sceneOf({
        thresholds: [{ value: Number.MAX_VALUE, severity: 'info', label: 'x'.repeat(1_024) }],
        deployments: [{ atMs: TWO_O_CLOCK, label: '' }],
      }),
    ];
    for (const picture of [...Object.values(SCENES), ...oddities]) {
      for (const [width, height] of [
        [100, 100],
        [100, 700],
        [700, 100],
        [333, 222],
      ])
        assert.ok(render(picture, { width, height, theme: 'light' }).length > 500);
    }
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChartRenderOptions } from '../../../src/charts/render-options.js';
import { planChart } from '../../../src/charts/chart-plan.js';
import { textWidth } from '../../../src/charts/chart-text.js';
import { MINUTE, SCENES, sceneOf, TWO_O_CLOCK } from '../../support/chart-scenes.js';

const LOOK: ChartRenderOptions = { width: 800, height: 400, theme: 'dark' };
const sized = (width: number, height: number): ChartRenderOptions => ({ width, height, theme: 'light' });

describe('plan of a picture', () => {
  it('reports what it shows: title, service, group, range with its zone, step', () => {
    const { title, subtitle } = planChart(SCENES.memory, LOOK).heading;
    assert.deepEqual(
      [title, subtitle],
      ['Memory by instance', 'checkout by instance · Nov 13, 14:00 – Nov 20, 14:00 UTC · 30 min steps'],
    );
    assert.equal(
      planChart(SCENES.services, LOOK).heading.subtitle,
      'all services by service · Nov 20, 13:00 – 14:00 UTC · 1 min steps',
    );
  });

  it('reports the peak of a single series beside it, and of several in the legend', () => {
    const alone = planChart(sceneOf({ curve: (share) => (share > 0.5 && share < 0.52 ? 250 : 100) }), LOOK);
    assert.match(alone.heading.subtitle, / · max 250 req\/s$/);
    assert.deepEqual(alone.legend.items, []);
    const apdex = planChart(
      sceneOf({
        chart: { metric: 'apdex', groupBy: 'service' },
        data: { unit: '', additive: false },
        labels: ['a'],
        curve: (share) => 1 - share / 2,
      }),
      LOOK,
    );
    assert.deepEqual(
      apdex.legend.items.map(({ label, value }) => `${label} ${value}`),
      ['a min 0.508'],
    );
    assert.deepEqual(
      apdex.values.ticks.map(({ label }) => label),
      ['0', '0.2', '0.4', '0.6', '0.8', '1.0'],
    );
  });

  it('names what is counted once, unless ticks carry the unit', () => {
    assert.equal(planChart(SCENES.scripts, LOOK).caption, 'request/s');
    assert.equal(planChart(SCENES.latency, LOOK).caption, '');
    assert.equal(planChart(SCENES.empty, LOOK).caption, '');
  });

  it('drops legend, subtitle and ticks, in this order, where a picture is small', () => {
    const parts = ([width, height]: number[]): boolean[] => {
      const { legend, heading, layout } = planChart(SCENES.latency, sized(width, height));
      return [legend.height > 0, heading.subtitle !== '', layout.showsTicks];
    };
    assert.deepEqual(
      [
        [800, 400],
        [320, 160],
        [180, 120],
        [100, 100],
      ].map(parts),
      [
        [true, true, true],
        [false, true, true],
        [false, false, true],
        [false, false, false],
      ],
    );
  });

  it('keeps the range when a subtitle has no room for everything', () => {
    const long = sceneOf({ chart: { serviceName: 'a-service-with-a-name-that-has-no-end-at-all' } });
    assert.equal(planChart(long, sized(240, 150)).heading.subtitle, 'Nov 20, 13:00 – 14:00 UTC');
    assert.equal(
      planChart(long, sized(400, 200)).heading.subtitle,
      'a-service-with-a-name-that-has-no-end-at-all · Nov 20, 13:00 – 14:00 UTC',
    );
    assert.match(
      planChart(long, sized(480, 200)).heading.subtitle,
      /^a-service-.*… · Nov 20, 13:00 – 14:00 UTC · 1 min steps · max/,
    );
  });

  it('leaves out a threshold far above the data, and takes in a near one', () => {
    const withThreshold = (value: number): number =>
      planChart({ ...SCENES.latency, thresholds: [{ value, severity: 'warning', label: 'alert' }] }, LOOK).values.max;
    assert.equal(withThreshold(60_000), withThreshold(100));
    assert.ok(withThreshold(5_000) >= 5_000);
  });

  it('shows deployments of its range alone', () => {
    const deployments = [-1, 0, 30, 60, 61].map((minute) => ({
      atMs: TWO_O_CLOCK - 60 * MINUTE + minute * MINUTE,
      label: `v${minute}`,
    }));
    assert.deepEqual(
      planChart(sceneOf({ deployments }), LOOK).deployments.map(({ label }) => label),
      ['v0', 'v30', 'v60'],
    );
  });

  it('knows when there is nothing to draw', () => {
    assert.deepEqual(
      [SCENES.empty, sceneOf({ curve: () => undefined }), SCENES.latency].map(
        (scene) => planChart(scene, LOOK).isEmpty,
      ),
      [true, true, false],
    );
  });

  it('shows whatever telemetry calls itself as one line that fits', () => {
    const name = fc.string({ unit: 'binary', maxLength: 40 });
    const side = fc.integer({ min: 100, max: 4_000 });
    fc.assert(
      fc.property(name, name, name, side, side, (title, label, unit, width, height) => {
        const plan = planChart(
          sceneOf({
            chart: { title, serviceName: label, groupBy: unit },
            data: { unit },
            labels: [label, label],
            minutes: 5,
          }),
          sized(width, height),
        );
        const { heading, caption, layout } = plan;
        for (const text of [heading.title, heading.subtitle, caption, ...plan.legend.items.map((item) => item.label)])
          assert.doesNotMatch(text, /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u);
        assert.ok(textWidth(heading.title, layout.titleSize) <= width);
        assert.ok(textWidth(heading.subtitle, layout.textSize) <= width);
        assert.ok(plan.top + plan.bottom < height * 0.7, `${plan.top} and ${plan.bottom} of ${height}`);
      }),
      { numRuns: 60 },
    );
  });
});

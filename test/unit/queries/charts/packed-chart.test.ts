import assert from 'node:assert/strict';
import { unpackChart, packChart } from '../../../../src/queries/charts/packed-chart.js';
import { wavyPicture } from '../../../support/sample-chart-images.js';
import { SCENES } from '../../../support/chart-scenes.js';

describe('packed pictures', () => {
  it('are the same when they are opened, within the frame of the dashboard', () => {
    for (const picture of [...Object.values(SCENES), wavyPicture()])
      assert.deepEqual(unpackChart(packChart(picture), picture.data.frame), picture);
  });

  it('report by their digests whether they show the same, whenever that was asked for', () => {
    const picture = wavyPicture();
    const { frame, series } = picture.data;
    const later = { ...picture, data: { ...picture.data, frame: { ...frame, nowMs: frame.nowMs + 1 } } };
    assert.equal(packChart(later).digest, packChart(picture).digest);
    const [first, second] = series;
    const others = [
      {
        ...picture,
        data: {
          ...picture.data,
          series: [{ ...first, points: first.points.with(3, { ...first.points[3], value: 1e-9 }) }, second],
        },
      },
      {
        ...picture,
        data: {
          ...picture.data,
          series: [
            { ...first, points: [...first.points, second.points[0]] },
            { ...second, points: second.points.slice(1) },
          ],
        },
      },
      { ...picture, data: { ...picture.data, series: [first, second] } },
      { ...picture, chart: { ...picture.chart, title: 'Another' } },
      { ...picture, data: { ...picture.data, series: series.slice(1) } },
      { ...picture, deployments: [{ atMs: 1, label: 'shop 2' }] },
    ];
    assert.equal(new Set([picture, ...others].map((each) => packChart(each).digest)).size, 7);
  });
});

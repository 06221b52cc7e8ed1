import assert from 'node:assert/strict';
import { unpackPicture, packPicture } from '../../../../src/queries/charts/packed-picture.js';
import { wavyPicture } from '../../../support/sample-chart-images.js';
import { SCENES } from '../../../support/chart-scenes.js';

describe('sealed pictures', () => {
  it('are the same when they are opened, within the frame of the dashboard', () => {
    for (const picture of [...Object.values(SCENES), wavyPicture()])
      assert.deepEqual(unpackPicture(packPicture(picture), picture.data.frame), picture);
  });

  it('tell by their digests whether they show the same, whenever that was asked for', () => {
    const picture = wavyPicture();
    const { frame, series } = picture.data;
    const later = { ...picture, data: { ...picture.data, frame: { ...frame, nowMs: frame.nowMs + 1 } } };
    assert.equal(packPicture(later).digest, packPicture(picture).digest);
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
    assert.equal(new Set([picture, ...others].map((each) => packPicture(each).digest)).size, 7);
  });
});

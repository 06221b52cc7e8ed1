import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ChartPictureModel, toChartRenderOptions } from '../../../../src/http/requests/chart-requests.js';
import { parseRequest } from '../../../../src/http/requests/request-parser.js';

describe('ChartPictureModel', () => {
  it('takes every size from 100 to 4,000 pixels, and no other text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.integer({ min: -10, max: 5_000 }).map(String),
          fc.double().map(String),
          fc.string(),
          fc.constantFrom('100', '4000', '99', '4001', '1e3', '٤٠٠'),
        ),
        (width) => {
          const { value, errors } = parseRequest(ChartPictureModel, { width });
          const isRight =
            /^[0-9]+$/.test(width) && Number(width) >= 100 && Number(width) <= 4_000 && width.length <= 15;
          assert.deepEqual(
            errors,
            isRight ? [] : [{ field: 'width', message: 'width must be a whole number from 100 to 4000' }],
          );
          if (isRight)
            assert.deepEqual(toChartRenderOptions(value), { width: Number(width), height: 400, theme: 'dark' });
        },
      ),
    );
  });

  it('has the look of the spec where nothing is said', () => {
    assert.deepEqual(toChartRenderOptions(parseRequest(ChartPictureModel, {}).value), {
      width: 800,
      height: 400,
      theme: 'dark',
    });
  });
});

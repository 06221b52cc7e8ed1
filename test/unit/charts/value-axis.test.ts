import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseUnit } from '../../../src/charts/value-units.js';
import { buildApdexAxis, buildValueAxis, type Axis } from '../../../src/charts/value-axis.js';

const labels = ({ ticks }: Axis): string[] => ticks.map(({ label }) => label);
const to = (max: number, unit: string, count = 5, min = 0): string[] =>
  labels(buildValueAxis({ min, max }, parseUnit(unit), count));

describe('value axis', () => {
  it('counts as people do, in the scale of its largest value', () => {
    assert.deepEqual(to(475, 'req/s'), ['0', '100', '200', '300', '400', '500']);
    assert.deepEqual(to(1_290, 'ms', 6), ['0 s', '0.5 s', '1.0 s', '1.5 s']);
    assert.deepEqual(to(0.0009, 's', 5), ['0 µs', '200 µs', '400 µs', '600 µs', '800 µs', '1,000 µs']);
    assert.deepEqual(to(7 * 60, 's', 4), ['0 min', '2 min', '4 min', '6 min', '8 min']);
    assert.deepEqual(to(50, 's', 4), ['0 s', '15 s', '30 s', '45 s', '60 s']);
    assert.deepEqual(to(40_000, 'req/s', 4), ['0', '20k', '40k', '60k']);
  });

  it('counts bytes in powers of two', () => {
    assert.deepEqual(to(1.8 * 2 ** 30, 'By', 4), ['0 GiB', '0.5 GiB', '1.0 GiB', '1.5 GiB', '2.0 GiB']);
    assert.deepEqual(to(100, 'KiBy', 4), ['0 KiB', '32 KiB', '64 KiB', '96 KiB', '128 KiB']);
    assert.deepEqual(to(3_000, 'By/s', 4), ['0 KiB/s', '1 KiB/s', '2 KiB/s', '3 KiB/s', '4 KiB/s']);
    assert.deepEqual(to(100, 'By', 4), ['0 B', '32 B', '64 B', '96 B', '128 B']);
  });

  it('counts less than a byte in tenths', () => {
    assert.deepEqual(to(0.025, 'By/s', 6), [
      '0 B/s',
      '0.005 B/s',
      '0.010 B/s',
      '0.015 B/s',
      '0.020 B/s',
      '0.025 B/s',
      '0.030 B/s',
    ]);
    assert.deepEqual(to(0.002, 'KiBy/s', 4), ['0 B/s', '1 B/s', '2 B/s', '3 B/s']);
    assert.deepEqual(to(0.0005, 'KiBy/s', 4), ['0 B/s', '0.2 B/s', '0.4 B/s', '0.6 B/s']);
  });

  it('shows no noise of doubles', () => {
    assert.deepEqual(to(0.69, '1', 8), ['0', '0.1', '0.2', '0.3', '0.4', '0.5', '0.6', '0.7', '0.8']);
    assert.deepEqual(to(0.00037, '1', 4), ['0', '0.0001', '0.0002', '0.0003', '0.0004']);
    assert.deepEqual(to(5e-12, '1', 3), ['0', '2e-12', '4e-12', '6e-12']);
  });

  it('has all of a percentage at most, unless there is more', () => {
    assert.equal(to(100, '%', 5).at(-1), '100%');
    assert.equal(to(130, '%', 5).at(-1), '150%');
  });

  it('goes below zero for values that do', () => {
    assert.deepEqual(to(30, '1', 5, -42), ['−60', '−40', '−20', '0', '20', '40']);
    assert.deepEqual(to(0, '1', 4, -4), ['−6', '−4', '−2', '0']);
  });

  it('is there for nothing but zeros', () => {
    assert.deepEqual(to(0, 'req/s', 4), ['0', '0.5', '1.0']);
    assert.deepEqual(to(0, 'ms', 2), ['0 ms', '0.5 ms', '1.0 ms']);
  });

  it('holds zero and every value, with ticks at both ends that are not too many', () => {
    const value = fc.double({ noNaN: true, min: -1e300, max: 1e300 });
    const unit = fc.constantFrom('ms', 's', 'By', '%', '1', 'req/s', 'd');
    fc.assert(
      fc.property(value, value, unit, fc.integer({ min: 1, max: 9 }), (a, b, text, count) => {
        const [min, max] = [Math.min(a, b), Math.max(a, b)];
        const axis = buildValueAxis({ min, max }, parseUnit(text), count);
        const slack = 1e-6 * (axis.max - axis.min);
        assert.ok(
          axis.min <= Math.min(0, min) + slack && axis.max >= Math.max(0, max) - slack,
          `${axis.min} to ${axis.max}`,
        );
        assert.ok(axis.ticks.length >= 2 && axis.ticks.length <= count + 3, `${axis.ticks.length} ticks`);
        assert.equal(axis.ticks.filter(({ strong }) => strong).length, 1);
        assert.equal(new Set(axis.ticks.map(({ label }) => label)).size, axis.ticks.length);
      }),
    );
  });

  it('of Apdex lies between 0 and 1 always', () => {
    assert.deepEqual(labels(buildApdexAxis(6)), ['0', '0.2', '0.4', '0.6', '0.8', '1.0']);
    assert.deepEqual(labels(buildApdexAxis(4)), ['0', '0.25', '0.50', '0.75', '1.00']);
    assert.deepEqual(labels(buildApdexAxis(1)), ['0', '1']);
  });
});

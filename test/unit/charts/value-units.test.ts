import assert from 'node:assert/strict';
import { selectScale, parseUnit, formatValue } from '../../../src/charts/value-units.js';

describe('units', () => {
  it('are read as UCUM, without annotations that say nothing', () => {
    const names = Object.fromEntries(
      ['req/s', '{request}/s', '{connection}', '1', '1/s', '', '1{fraction}', 'Cel', '{fault}/{request}', '$'].map(
        (unit) => [unit, parseUnit(unit).name],
      ),
    );
    assert.deepEqual(names, {
      'req/s': 'req/s',
      '{request}/s': 'request/s',
      '{connection}': 'connection',
      1: '',
      '1/s': '/s',
      '': '',
      '1{fraction}': '',
      Cel: '°C',
      '{fault}/{request}': 'fault/request',
      $: '$',
    });
  });

  it('have kinds: bytes also by the second, times not', () => {
    const kinds = Object.fromEntries(
      ['ms', 'us', 'min', 'By', 'KiBy/s', 'By{total}', '%', 'ms/s', 'constructor', 'toString/s'].map((unit) => [
        unit,
        parseUnit(unit).kind,
      ]),
    );
    assert.deepEqual(kinds, {
      ms: 'time',
      us: 'time',
      min: 'time',
      By: 'bytes',
      'KiBy/s': 'bytes',
      'By{total}': 'bytes',
      '%': 'percent',
      'ms/s': 'count',
      constructor: 'count',
      'toString/s': 'count',
    });
  });

  it('report values in the scale that fits them', () => {
    const cases: [number, string, string][] = [
      [0.25, 'ms', '250 µs'],
      [412.3, 'ms', '412 ms'],
      [1_290, 'ms', '1.29 s'],
      [90, 's', '90 s'],
      [600, 's', '10 min'],
      [7_200_000, 'ms', '2 h'],
      [0, 'ms', '0 ms'],
      [1536, 'By', '1.5 KiB'],
      [3, 'MiBy', '3 MiB'],
      [2048, 'By/s', '2 KiB/s'],
      [0, 'By', '0 B'],
      [12.345, '%', '12.3%'],
      [8_385, 'req/s', '8,385 req/s'],
      [12_345, 'req/s', '12.3k req/s'],
      [2_500_000, '1', '2.5M'],
      [-30, '1', '−30'],
      [0.1 + 0.2, '1', '0.3'],
      [1e300, '1', '1e+300'],
      [1e-9, '1', '1e-9'],
      [5, '{very_long_name_of_something}', '5'],
    ];
    for (const [value, unit, expected] of cases)
      assert.equal(formatValue(value, parseUnit(unit)), expected, `${value} ${unit}`);
  });

  it('scale by the size in the measure of the values', () => {
    assert.deepEqual(selectScale(parseUnit('ms'), 5_000), { size: 1_000, suffix: ' s' });
    assert.deepEqual(selectScale(parseUnit('req/s'), 9_999), { size: 1, suffix: '' });
    assert.deepEqual(selectScale(parseUnit('req/s'), 10_000), { size: 1_000, suffix: 'k' });
  });
});

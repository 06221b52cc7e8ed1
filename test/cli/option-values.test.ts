import assert from 'node:assert/strict';
import { InvalidArgumentError } from 'commander';
import { isoTime, wholeNumber, wholeNumberFrom } from '../../src/cli/option-values.js';

describe('values of options', () => {
  it('takes ISO times, to the millisecond', () => {
    assert.equal(isoTime('2026-11-20T12:00:00.125Z'), Date.UTC(2026, 10, 20, 12, 0, 0, 125));
    assert.equal(isoTime('2026-11-20T12:00+01:00'), Date.UTC(2026, 10, 20, 11));
    assert.equal(isoTime('2026-11-20'), Date.UTC(2026, 10, 20));
  });

  for (const text of ['12345', '1', 'Nov 20 2026', 'yesterday', '', '2026-13-01T00:00:00Z', '0000000000000Z']) {
    it(`takes "${text}" for no time`, () => assert.throws(() => isoTime(text), InvalidArgumentError));
  }

  it('takes whole numbers alone', () => {
    assert.equal(wholeNumber('090'), 90);
    for (const text of ['', '-1', '1.5', '1e3', '1234567890']) assert.throws(() => wholeNumber(text), InvalidArgumentError, text);
  });

  it('takes whole numbers between bounds, which belong to them', () => {
    const pageSize = wholeNumberFrom(1, 100);
    assert.deepEqual(['1', '100'].map(pageSize), [1, 100]);
    for (const text of ['0', '101', '', '-1', '1.5', '1e1']) assert.throws(() => pageSize(text), InvalidArgumentError, text);
  });
});

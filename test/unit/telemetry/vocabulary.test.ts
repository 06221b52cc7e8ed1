import assert from 'node:assert/strict';
import { readException } from '../../../src/telemetry/attributes.js';
import { readIdHexAt, isAllZero, parseHexId } from '../../../src/telemetry/trace-identifiers.js';
import { SEVERITY_LEVELS, severityLevel, severityRange } from '../../../src/telemetry/log-severity.js';
import { isEntryKind, spanKindName } from '../../../src/telemetry/span-kind.js';

describe('severity', () => {
  it('has four numbers a level', () => {
    const levels = Array.from({ length: 24 }, (_, n) => severityLevel(n + 1));
    assert.deepEqual(
      levels,
      SEVERITY_LEVELS.flatMap((level) => [level, level, level, level]),
    );
    for (const level of SEVERITY_LEVELS) {
      const { first, last } = severityRange(level);
      assert.deepEqual([severityLevel(first), severityLevel(last), last - first], [level, level, 3]);
    }
  });

  it('is Information where the number is none', () => {
    for (const number of [0, 25, -1, NaN, 2 ** 32]) assert.equal(severityLevel(number), 'Information');
  });
});

describe('span kind', () => {
  it('is INTERNAL where the number is none', () => {
    assert.deepEqual([0, 1, 2, 3, 4, 5, 6].map(spanKindName), [
      'INTERNAL',
      'INTERNAL',
      'SERVER',
      'CLIENT',
      'PRODUCER',
      'CONSUMER',
      'INTERNAL',
    ]);
    assert.deepEqual([0, 1, 2, 3, 4, 5].filter(isEntryKind), [2, 5]);
  });
});

describe('ids', () => {
  it('are read in any case and written in lower case', () => {
    const id = parseHexId('00F067AA0BA902B7', 8);
    assert.ok(id !== undefined);
    assert.equal(readIdHexAt(id, 0, 8), '00f067aa0ba902b7');
  });

  it('are not read from anything else', () => {
    for (const text of [
      '',
      '00f067aa0ba902b',
      '00f067aa0ba902bg',
      '0'.repeat(16),
      ' 0f067aa0ba902b7',
      '00f067aa0ba902b7b7',
    ]) {
      assert.equal(parseHexId(text, 8), undefined, text);
    }
  });

  it('of a zero row are empty', () => {
    assert.equal(readIdHexAt(new Uint8Array(16), 1, 8), '');
    assert.ok(isAllZero(Uint8Array.of(1, 0, 0), 1, 3) && !isAllZero(Uint8Array.of(0, 1), 0, 2));
  });
});

describe('exceptions', () => {
  it('are recognised by type or message', () => {
    assert.deepEqual(readException({ 'exception.message': 'no', 'exception.stacktrace': 'at x' }), {
      type: '',
      message: 'no',
      stackTrace: 'at x',
    });
    assert.equal(readException({ 'exception.stacktrace': 'at x' }), undefined);
  });
});

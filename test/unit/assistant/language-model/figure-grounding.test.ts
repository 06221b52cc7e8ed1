import assert from 'node:assert/strict';
import { findUngroundedFigures } from '../../../../src/assistant/language-model/figure-grounding.js';

describe('findUngroundedFigures', () => {
  const DATA = {
    services: [
      { name: 'orders-2', errorRate: 8.54, p95LatencyMs: 1_530, requestCount: 4_820, confidence: 0.83 },
      {},
      {},
    ],
    at: '2026-11-20T14:05:30.250Z',
    version: '1.8.3',
    change: -12.5,
  };
  const unfounded = (text: string): readonly string[] => findUngroundedFigures(text, [DATA, 'last 15 minutes']);

  it('finds figures in the data as they are, rounded, in other units, as lengths of lists, and as times', () => {
    for (const text of [
      '4,820 requests',
      '4820',
      '8.54 %',
      '8.5 %',
      '9 %',
      '1.53 s',
      '1.5 s',
      '83 %',
      '3 services',
      'at 14:05 on 2026-11-20',
      '14:05:30',
      'version 1.8.3',
      'down by 12.5 %',
      '-12.5 %',
      'in the last 15 minutes',
    ]) {
      assert.deepEqual(unfounded(text), [], text);
    }
  });

  it('finds no other figures, each once', () => {
    assert.deepEqual(unfounded('5 of 4,821 requests, 8.55 % and 5 more'), ['5', '4,821', '8.55']);
    assert.deepEqual(unfounded('At 14:06 version 1.8.4 took 1.54 s, -99 %.'), ['14:06', '1.8.4', '1.54', '99']);
  });

  it('distinguishes a time in any of its parts from others', () => {
    assert.deepEqual(unfounded('14:05:30.250, 14:05:30, 14:05'), []);
    assert.deepEqual(unfounded('14:05:3 and 14:0'), ['14:05:3', '14:0']);
  });

  it('leaves names, numbers of lines and words alone', () => {
    assert.deepEqual(unfounded('1. orders-77 and p95\n2) http2, v9, 5xx, the 22nd\nTwo more.'), []);
  });
});

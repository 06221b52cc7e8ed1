import assert from 'node:assert/strict';
import { SignInRefusalLog } from '../../../../src/http/portal/sign-in-refusals.js';
import type { SignInRefusal } from '../../../../src/self-telemetry/prometheus-metrics.js';

describe('refused sign-ins', () => {
  let now: number;
  let lines: [level: string, fields: unknown][];
  let counted: SignInRefusal[];
  let refusals: SignInRefusalLog;

  beforeEach(() => {
    [now, lines, counted] = [0, [], []];
    const kept =
      (level: string) =>
      (_message: string, fields: unknown): void =>
        void lines.push([level, fields]);
    refusals = new SignInRefusalLog(
      { warn: kept('warn'), error: kept('error') },
      { countRefusedSignIn: (reason) => void counted.push(reason) },
      () => now,
    );
  });

  it('are all counted, and reported one a second, with how many were left out', () => {
    for (now = 0; now <= 2_000; now += 100) refusals.record('refused', { now });
    assert.equal(counted.length, 21);
    assert.deepEqual(lines, [
      ['warn', { now: 0, leftOut: 0 }],
      ['warn', { now: 1_000, leftOut: 9 }],
      ['warn', { now: 2_000, leftOut: 9 }],
    ]);
  });

  it('of one reason keep none of another out of the log', () => {
    for (const reason of ['refused', 'refused', 'token', 'unavailable', 'too-large'] as const)
      refusals.record(reason, { reason });
    assert.deepEqual(lines, [
      ['warn', { reason: 'refused', leftOut: 0 }],
      ['warn', { reason: 'token', leftOut: 0 }],
      ['error', { reason: 'unavailable', leftOut: 0 }],
      ['error', { reason: 'too-large', leftOut: 0 }],
    ]);
  });
});

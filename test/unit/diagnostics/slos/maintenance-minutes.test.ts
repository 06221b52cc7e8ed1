import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MaintenanceMinutes } from '../../../../src/diagnostics/slos/maintenance-minutes.js';

describe('minutes of maintenance', () => {
  it('are those that start within a period, however periods overlap', () => {
    const periods = fc.array(
      fc.tuple(fc.nat(3_600_000), fc.nat(900_000)).map(([fromMs, ms]) => ({ fromMs, toMs: fromMs + ms })),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(periods, fc.nat(80), (windows, minute) => {
        const startMs = minute * 60_000;
        assert.equal(
          new MaintenanceMinutes(windows).includes(minute),
          windows.some(({ fromMs, toMs }) => fromMs <= startMs && startMs < toMs),
        );
      }),
    );
  });
});

import assert from 'node:assert/strict';
import type { RankedCause } from '../../../../src/diagnostics/root-cause/diagnose.js';
import { createCauseReader } from '../../../../src/queries/diagnostics/cause-reader.js';
import type { TimeSelection } from '../../../../src/diagnostics/time-windows.js';
import type { DiagnosticsResultCache } from '../../../../src/queries/diagnostics/diagnostics-result-cache.js';

const HOUR_MS = 3_600_000;

describe('causes that other answers name', () => {
  const diagnosed: TimeSelection[] = [];
  const cache = {
    sharePast: (_gridId: string, _key: string, compute: () => Promise<unknown>) => compute(),
  } as unknown as DiagnosticsResultCache;
  const findCauses = createCauseReader(
    cache,
    () => Promise.resolve([]),
    (_gridId, when) => {
      diagnosed.push(when);
      return Promise.resolve<RankedCause[]>([]);
    },
  );
  beforeEach(() => (diagnosed.length = 0));

  it('are those of the diagnosis of the same window', async () => {
    const asked = [{ range: { fromMs: 0, toMs: 6 * HOUR_MS } }, { asOfMs: HOUR_MS }];
    for (const when of asked) await findCauses('grid', when);
    assert.deepEqual(diagnosed, asked);
  });

  it('are those at the end of a long window, whose diagnosis would delay others', async () => {
    await findCauses('grid', { range: { fromMs: 0, toMs: 6 * HOUR_MS + 1 } });
    assert.deepEqual(diagnosed, [{ asOfMs: 6 * HOUR_MS + 60_000 }]);
  });
});

import assert from 'node:assert/strict';
import { findLosses } from '../../../bench/saved-measurements.js';

describe('comparing a benchmark with an earlier run', () => {
  const cpu = (value: number, name = 'CPU of the service') => ({ name, value, unit: 's per million records' });

  it('reports CPU time per record that grew by more than 10 %', () => {
    assert.deepEqual(findLosses({ ingest: [cpu(20)] }, { ingest: [cpu(22.1)] }), [
      'ingest: CPU of the service rose from 20.0 to 22.1 s per million records',
    ]);
    assert.deepEqual(findLosses({ ingest: [cpu(20)] }, { ingest: [cpu(22)] }), []);
  });

  it('compares neither single threads, nor other units, nor what only one run has', () => {
    const rate = { name: 'accepted and searchable', value: 9, unit: 'records/s' };
    assert.deepEqual(
      findLosses(
        { ingest: [cpu(1, '… projector'), { ...rate, value: 1 }], logs: [] },
        { ingest: [cpu(2, '… projector'), rate, cpu(3)], logs: [cpu(3)] },
      ),
      [],
    );
  });
});

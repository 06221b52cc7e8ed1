import assert from 'node:assert/strict';
import { NO_RECORDS } from '../../../src/accounting/record-account.js';
import { checkRecords, toRecordFindings } from '../../../src/cli/record-findings.js';
import type { GridRecords, RecordReport } from '../../../src/operations/record-report.js';

const GRID = '0f0c4b2a-1111-4222-8333-444455556666';
const records = (more: Partial<GridRecords>): GridRecords => ({
  ...NO_RECORDS,
  gridId: GRID,
  signal: 'traces',
  pending: 0,
  unaccounted: 0,
  ...more,
});
const report = (...grids: GridRecords[]): RecordReport => ({ grids, uncounted: [], unreadableEvents: 0 });

describe('findings on records', () => {
  it('add up all Grids by signal', () => {
    const findings = toRecordFindings(
      report(
        records({ received: 10, searchable: 7, rejected: 1, expiredOnArrival: 2 }),
        records({ received: 5, searchable: 4, pending: 1, gridId: 'another' }),
        records({ received: 1, signal: 'logs', duplicateRequests: 1 }),
      ),
    );
    assert.deepEqual(findings, [
      {
        check: 'records',
        ok: true,
        detail:
          'traces: 15 received = 1 rejected + 11 searchable + 2 expired on arrival + 1 pending; logs: 1 received = 1 in repeated requests',
      },
    ]);
  });

  it('name Grid, signal, difference and remedy for each fault', () => {
    const [lost, doubled, ...others] = toRecordFindings(
      report(
        records({ received: 10, searchable: 7, unaccounted: 3 }),
        records({ received: 10, searchable: 12, unaccounted: -2, signal: 'logs' }),
        records({ received: 1, searchable: 1, signal: 'metrics' }),
      ),
    );
    assert.equal(others.length, 0);
    assert.deepEqual([lost.ok, doubled.ok], [false, false]);
    assert.equal(lost.detail, `Grid ${GRID}, traces: 3 of 10 received records are unaccounted for (7 searchable)`);
    assert.match(lost.remedy ?? '', /hindsight replay traces/);
    assert.equal(
      doubled.detail,
      `Grid ${GRID}, logs: 2 more records are accounted for than the 10 that were received (12 searchable)`,
    );
  });

  it('mention what cannot be counted', () => {
    const [finding] = toRecordFindings({ grids: [], uncounted: ['metrics'], unreadableEvents: 2 });
    assert.equal(
      finding.detail,
      'metrics are being rebuilt and counted anew; 2 unreadable events may contain an unknown number of records',
    );
    assert.equal(toRecordFindings(report())[0].detail, 'none received yet');
  });

  it('report that a service cannot count', async () => {
    const [finding] = await checkRecords(() => Promise.reject(new Error('the store is unavailable')));
    assert.deepEqual([finding.ok, finding.detail], [false, 'cannot be counted: the store is unavailable']);
  });
});

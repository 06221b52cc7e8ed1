import assert from 'node:assert/strict';
import { connectControlSocket, controlSocketPath } from '../../../src/operations/control-socket.js';
import type { GridRecords, RecordReport } from '../../../src/operations/record-report.js';
import type { Signal } from '../../../src/telemetry/signals.js';
import { waitUntil } from '../wait-until.js';

const LIMIT_MS = 15_000;

/** Outcomes of the records, according to the service that runs on this folder. */
export async function readRecordReport(dataDir: string): Promise<RecordReport> {
  const service = await connectControlSocket(controlSocketPath(dataDir));
  assert.ok(service !== undefined, `a service runs on ${dataDir}`);
  return service.records();
}

/**
 * Waits until a running service has projected everything, and asserts that every record is accounted for and that those of
 * `gridId` are searchable as counted by the clients.
 */
export async function assertRecordsAccounted(
  dataDir: string,
  gridId: string,
  searchable: Readonly<Partial<Record<Signal, number>>>,
  what: string,
): Promise<void> {
  let report: RecordReport = { grids: [], uncounted: [], unreadableEvents: 0 };
  await waitUntil(
    async () => {
      report = await readRecordReport(dataDir);
      return report.uncounted.length === 0 && report.grids.every(({ pending }) => pending === 0);
    },
    `${what}: all records are projected`,
    LIMIT_MS,
  );
  assertNoneUnaccounted(report.grids, what);
  for (const [signal, expected] of Object.entries(searchable) as [Signal, number][]) {
    const counted = report.grids.find((each) => each.gridId === gridId && each.signal === signal)?.searchable ?? 0;
    assert.equal(counted, expected, `${what}: ${signal} that the accounts call searchable`);
  }
}

function assertNoneUnaccounted(grids: readonly GridRecords[], what: string): void {
  const faults = grids.filter(({ unaccounted }) => unaccounted !== 0);
  assert.deepEqual(faults, [], `${what}: every received record is accounted for`);
}

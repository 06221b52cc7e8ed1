import { RECORD_OUTCOMES } from '../accounting/record-account.js';
import type { GridRecords, RecordReport } from '../operations/record-report.js';
import type { Finding } from './finding.js';

const CHECK = 'records';

/** Findings on the records of a running service. */
export async function checkRecords(readRecords: () => Promise<RecordReport>): Promise<readonly Finding[]> {
  try {
    return toRecordFindings(await readRecords());
  } catch (error) {
    const remedy = 'run doctor again once the faults above are fixed';
    return [{ check: CHECK, ok: false, detail: `cannot be counted: ${(error as Error).message}`, remedy }];
  }
}

/** One finding for each Grid and signal with records that are not accounted for; one with totals if there is none. */
export function toRecordFindings({ grids, uncounted, unreadableEvents }: RecordReport): readonly Finding[] {
  const faults = grids.filter(({ unaccounted }) => unaccounted !== 0).map(toFault);
  if (faults.length > 0) return faults;
  const totals = describeTotals(grids);
  const notes = [
    ...(totals === '' ? [] : [totals]),
    ...uncounted.map((signal) => `${signal} are being rebuilt and counted anew`),
    ...(unreadableEvents === 0
      ? []
      : [`${unreadableEvents} unreadable events may contain an unknown number of records`]),
  ];
  return [{ check: CHECK, ok: true, detail: notes.join('; ') || 'none received yet' }];
}

function toFault(records: GridRecords): Finding {
  const { gridId, signal, unaccounted, received } = records;
  const fact =
    unaccounted > 0
      ? `${unaccounted} of ${received} received records are unaccounted for`
      : `${-unaccounted} more records are accounted for than the ${received} that were received`;
  return {
    check: CHECK,
    ok: false,
    detail: `Grid ${gridId}, ${signal}: ${fact} (${describeOutcomes(records)})`,
    remedy: `this is a bug: report it. If \`hindsight verify ${signal}\` names no damaged events, \`hindsight replay ${signal}\` rebuilds the read model from the event log`,
  };
}

type Figures = Pick<GridRecords, 'pending' | 'received' | (typeof RECORD_OUTCOMES)[number]>;

const FIGURES = [...RECORD_OUTCOMES, 'pending'] as const;

function describeTotals(grids: readonly GridRecords[]): string {
  const signals = [...new Set(grids.map(({ signal }) => signal))];
  return signals
    .map((signal) => {
      const total = sumFigures(grids.filter((each) => each.signal === signal));
      return `${signal}: ${total.received} received = ${describeOutcomes(total)}`;
    })
    .join('; ');
}

function sumFigures(grids: readonly Figures[]): Figures {
  const sum = (figure: keyof Figures): number => grids.reduce((total, each) => total + each[figure], 0);
  return Object.fromEntries([...FIGURES, 'received' as const].map((figure) => [figure, sum(figure)])) as Record<
    keyof Figures,
    number
  >;
}

/** Such as `2900 searchable + 100 rejected`: all figures but 0. */
function describeOutcomes(records: Figures): string {
  const parts = FIGURES.filter((figure) => records[figure] !== 0).map(
    (figure) => `${records[figure]} ${NAMES[figure]}`,
  );
  return parts.join(' + ') || 'none';
}

const NAMES: Readonly<Record<(typeof FIGURES)[number], string>> = {
  rejected: 'rejected',
  searchable: 'searchable',
  expired: 'expired',
  expiredOnArrival: 'expired on arrival',
  duplicateRequests: 'in repeated requests',
  duplicateRecords: 'duplicates',
  withoutValue: 'without a value',
  deadLetters: 'in dead letters',
  pending: 'pending',
};

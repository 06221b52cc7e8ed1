import type { Command } from 'commander';
import type { GridRecords } from '../../operations/record-report.js';
import type { Operations, RecordReport } from '../../operations/operations-port.js';
import { withExamples } from '../command-definition.js';
import { readLocalSettings, runToExitStatus } from '../exit-status.js';
import { withOperations } from '../local-operations.js';
import { formatTable, printNote, printResult } from '../terminal-output.js';

export function addRecords(program: Command): void {
  const command = program
    .command('records')
    .description('show the outcome of every received record, by Grid and signal; exits 1 if any is unaccounted for')
    .option('--json', 'print one JSON object')
    .action((options: { json?: true }) =>
      runToExitStatus(() =>
        withOperations(readLocalSettings(), (operations) => runRecords(operations, options.json === true)),
      ),
    );
  withExamples(command, 'hindsight records', 'hindsight records --json');
}

/** Resolves to true when every record is accounted for. */
async function runRecords(operations: Operations, json: boolean): Promise<boolean> {
  const report = await operations.records();
  const names = json ? undefined : new Map((await operations.allGrids()).map(({ gridId, name }) => [gridId, name]));
  printResult(json, report, formatRecords(report, names ?? new Map()));
  if (!json) for (const note of formatRecordNotes(report)) printNote(note);
  return report.grids.every(({ unaccounted }) => unaccounted === 0);
}

/** What the figures leave out. */
export function formatRecordNotes({ uncounted, unreadableEvents }: RecordReport): string[] {
  const notes: string[] = [];
  if (uncounted.length > 0) notes.push(`not counted while they are being rebuilt: ${uncounted.join(', ')}`);
  if (unreadableEvents > 0)
    notes.push(
      `not counted: ${unreadableEvents} unreadable ${unreadableEvents === 1 ? 'event' : 'events'}, which may contain records (hindsight dead-letters)`,
    );
  return notes;
}

interface Column {
  readonly title: string;
  readonly value: (records: GridRecords) => string | number | undefined;
}

function formatRecords({ grids }: RecordReport, names: ReadonlyMap<string, string>): string {
  const columns: Column[] = [
    { title: 'grid', value: ({ gridId }) => gridId },
    { title: 'name', value: ({ gridId }) => names.get(gridId) },
    { title: 'signal', value: ({ signal }) => signal },
    { title: 'received', value: ({ received }) => received },
    { title: 'searchable', value: ({ searchable }) => searchable },
    { title: 'rejected', value: ({ rejected }) => rejected },
    { title: 'expired', value: ({ expired }) => expired },
    { title: 'expired on arrival', value: ({ expiredOnArrival }) => expiredOnArrival },
    { title: 'repeated', value: ({ duplicateRequests, duplicateRecords }) => duplicateRequests + duplicateRecords },
    { title: 'without value', value: ({ withoutValue }) => withoutValue },
    { title: 'dead letters', value: ({ deadLetters }) => deadLetters },
    { title: 'pending', value: ({ pending }) => pending },
    { title: 'unaccounted', value: ({ unaccounted }) => unaccounted },
  ];
  return formatTable(grids, columns, 'no records received yet');
}

import { addOutcomes, countUnaccounted, NO_RECORDS, type RecordOutcomes } from '../accounting/record-account.js';
import type { RecordSource } from '../projections/record-account-reader.js';
import { type EventReader, type Position, START } from '../streams/event-store.js';
import { readReceivedRecords, type ReceivedRecords } from '../streams/event-log-scans.js';
import { SIGNALS, type Signal } from '../telemetry/signals.js';

/** Outcomes of the records of one signal that a Grid sent. `received` includes pending records. */
export interface GridRecords extends RecordOutcomes {
  readonly gridId: string;
  readonly signal: Signal;
  /** Log time (ms since 1970) of the first request that is counted; absent if nothing is projected yet. */
  readonly since?: number;
  /** In the event log, not projected yet. */
  readonly pending: number;
  /** Received records without a known outcome: 0 unless there is a defect. Negative: more outcomes than records. */
  readonly unaccounted: number;
}

/** Outcomes of all records in the event log. Plain data. */
export interface RecordReport {
  /** By Grid, then by signal. */
  readonly grids: readonly GridRecords[];
  /** Signals whose read models are being rebuilt for this version: their records are not counted yet. */
  readonly uncounted: readonly Signal[];
  /** Events that the log could not read: they may contain records that are not counted. */
  readonly unreadableEvents: number;
}

interface Options {
  /**
   * Reads the whole log, not only what is pending, and compares it with what was counted. Takes a second for about
   * 100,000 requests.
   */
  readonly wholeLog?: boolean;
}

/** Compares the record accounts with the event log. Reads no bodies. */
export async function reportRecords(
  sources: readonly RecordSource[],
  log: Pick<EventReader, 'readAll'>,
  { wholeLog = false }: Options = {},
): Promise<RecordReport> {
  const comparisons: Comparison[] = [];
  for (const source of sources) comparisons.push(await compareWithLog(source, log, wholeLog));
  return {
    grids: comparisons.flatMap(({ grids }) => grids).sort(compareGridRecords),
    uncounted: SIGNALS.filter((signal) => sources.some(({ rebuilding }) => rebuilding.includes(signal))),
    unreadableEvents: comparisons.reduce((sum, { unreadableEvents }) => sum + unreadableEvents, 0),
  };
}

/** Sums over all Grids, by signal. */
export function sumBySignal(
  accounts: readonly (RecordOutcomes & { readonly signal: Signal })[],
): Readonly<Record<Signal, RecordOutcomes>> {
  const sums: Record<Signal, RecordOutcomes> = { traces: NO_RECORDS, logs: NO_RECORDS, metrics: NO_RECORDS };
  for (const account of accounts) sums[account.signal] = addOutcomes(sums[account.signal], account);
  return sums;
}

function compareGridRecords(a: GridRecords, b: GridRecords): number {
  if (a.gridId !== b.gridId) return a.gridId < b.gridId ? -1 : 1;
  return SIGNALS.indexOf(a.signal) - SIGNALS.indexOf(b.signal);
}

/** Records of one Grid and signal in the log: up to the position that is projected, and after it. */
interface LoggedRecords {
  readonly gridId: string;
  readonly signal: Signal;
  projected: number;
  pending: number;
  /** Of requests that the projector could not read: accepted and rejected ones. */
  unreadable: RecordOutcomes;
}

type Comparison = Pick<RecordReport, 'grids' | 'unreadableEvents'>;

async function compareWithLog(
  source: RecordSource,
  log: Pick<EventReader, 'readAll'>,
  wholeLog: boolean,
): Promise<Comparison> {
  const { logged, unreadableEvents } = await countLogged(source, log, wholeLog);
  const counted = new Map(source.accounts.map((account) => [toKey(account), account]));
  const grids = [...new Set([...counted.keys(), ...logged.keys()])].map((key): GridRecords => {
    const account = counted.get(key);
    const { gridId, signal } = (account ?? logged.get(key))!;
    const { projected = 0, pending = 0, unreadable = NO_RECORDS } = logged.get(key) ?? {};
    const outcomes = addOutcomes(account ?? NO_RECORDS, unreadable);
    const missing = Math.max(0, projected - (account?.received ?? 0));
    return {
      gridId,
      signal,
      ...(account !== undefined && { since: account.since }),
      ...outcomes,
      received: outcomes.received + missing + pending,
      pending,
      unaccounted: countUnaccounted(outcomes) + missing,
    };
  });
  return { grids, unreadableEvents };
}

async function countLogged(
  { positions, prefixes, rebuilding, unreadable }: RecordSource,
  log: Pick<EventReader, 'readAll'>,
  wholeLog: boolean,
): Promise<{ readonly logged: ReadonlyMap<string, LoggedRecords>; readonly unreadableEvents: number }> {
  const logged = new Map<string, LoggedRecords>();
  const unknown = new Map(unreadable.map((each) => [each.position, each.signals]));
  const counted = SIGNALS.filter((signal) => !rebuilding.includes(signal));
  if (counted.length === 0) return { logged, unreadableEvents: unknown.size };
  const from = wholeLog ? START : findOldest(counted.map((signal) => positions[signal] ?? START));
  for await (const request of readReceivedRecords(log, from, prefixes)) {
    const { gridId, signal, records, rejected, position } = request;
    const isUnreadable = unknown.get(position)?.includes(signal);
    unknown.delete(position);
    const received = records + rejected;
    if (received === 0 || !counted.includes(signal)) continue;
    const key = toKey(request);
    const entry = logged.get(key) ?? { gridId, signal, projected: 0, pending: 0, unreadable: NO_RECORDS };
    logged.set(key, entry);
    if (isUnreadable === true)
      entry.unreadable = addOutcomes(entry.unreadable, { ...NO_RECORDS, received, rejected, deadLetters: records });
    else entry[position <= (positions[signal] ?? START) ? 'projected' : 'pending'] += received;
  }
  return { logged, unreadableEvents: unknown.size };
}

function findOldest(positions: readonly Position[]): Position {
  return positions.reduce((oldest, position) => (position < oldest ? position : oldest), positions[0] ?? START);
}

function toKey({ gridId, signal }: Pick<ReceivedRecords, 'gridId' | 'signal'>): string {
  return `${signal}/${gridId}`;
}

import { diagnose } from '../../src/diagnostics/root-cause/diagnose.js';
import {
  resolveAnalysisWindows,
  MINUTE_MS,
  DEFAULT_WINDOW_LENGTHS,
  type TimeSelection,
} from '../../src/diagnostics/time-windows.js';
import { ofMinutes } from '../../test/unit/diagnostics/given-rollups.js';
import { naiveRollups, type GridMinute } from '../../test/support/naive-rollups.js';
import type { DiagnosisTime, Diagnoser, ScoredDiagnosis } from './diagnoser.js';
import type { RecordedCase, RecordedRequest } from './fault-recordings.js';
import { readTelemetry } from './recorded-telemetry.js';

/** Long enough after all recorded data that every minute is closed. */
const AFTER_RECORDING_MS = 60 * MINUTE_MS;

/**
 * Diagnoses from simple rollups in this process: takes seconds for all cases, and tests only `diagnose`, not the
 * pipeline.
 */
export async function openRollupDiagnoser(
  recorded: RecordedCase,
  requests: readonly RecordedRequest[],
): Promise<Diagnoser> {
  const minutes = naiveRollups(readTelemetry(requests));
  return {
    diagnose: async (time) => diagnoseRollups(minutes, time, recorded.fault[1]),
    close: async () => {},
  };
}

/** The diagnosis at a time, long after the recordings ended at `endMs`. */
export function diagnoseRollups(
  minutes: readonly GridMinute[],
  time: DiagnosisTime,
  endMs: number,
): readonly ScoredDiagnosis[] {
  const windows = resolveAnalysisWindows(toWhen(time), endMs + AFTER_RECORDING_MS, DEFAULT_WINDOW_LENGTHS);
  return diagnose(ofMinutes(minutes.filter(({ minute }) => minute * MINUTE_MS < windows.current.toMs)), windows);
}

function toWhen(time: DiagnosisTime): TimeSelection {
  return 'asOf' in time ? { asOfMs: time.asOf } : { range: { fromMs: time.rangeStart, toMs: time.rangeEnd } };
}

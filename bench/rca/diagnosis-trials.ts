import type { DiagnosisTime, ScoredDiagnosis, OpenDiagnoser } from './diagnoser.js';
import { readRequests, type RecordedCase, type RecordedRequest } from './fault-recordings.js';

/** Diagnoses of one case. */
export interface FaultTrial {
  readonly recorded: RecordedCase;
  /** With the known onset, and with only the end of the fault. */
  readonly given: readonly ScoredDiagnosis[];
  readonly unknown: readonly ScoredDiagnosis[];
}

/** Diagnoses at the end of a period without a fault. */
export interface FaultFreeTrial {
  readonly system: string;
  readonly endMs: number;
  readonly diagnoses: readonly ScoredDiagnosis[];
}

export interface DiagnosisTrials {
  readonly trials: readonly FaultTrial[];
  readonly quiet: readonly FaultFreeTrial[];
}

/**
 * Replays every case separately. Periods shared by several cases are diagnosed once, periods without spans are skipped.
 */
export async function runTrials(
  folder: string,
  cases: readonly RecordedCase[],
  open: OpenDiagnoser,
  progress: (text: string) => void,
): Promise<DiagnosisTrials> {
  const trials: FaultTrial[] = [];
  const quiet = new Map<string, FaultFreeTrial>();
  for (const recorded of cases) {
    const requests = readRequests(folder, recorded);
    const diagnoser = await open(recorded, requests);
    try {
      const [injectMs, endMs] = [recorded.injectMs, recorded.fault[1]];
      const ask = (time: DiagnosisTime) => diagnoser.diagnose(time);
      trials.push({
        recorded,
        given: await ask({ rangeStart: injectMs, rangeEnd: endMs }),
        unknown: await ask({ asOf: endMs }),
      });
      for (const [, end] of recorded.baseline) {
        const key = `${recorded.system} ${end}`;
        if (!quiet.has(key) && hasSpans(requests, end))
          quiet.set(key, { system: recorded.system, endMs: end, diagnoses: await ask({ asOf: end }) });
      }
    } finally {
      await diagnoser.close();
    }
    progress(formatTrial(trials[trials.length - 1]));
  }
  return { trials, quiet: [...quiet.values()] };
}

const WINDOW_MS = 15 * 60_000;

function hasSpans(requests: readonly RecordedRequest[], end: number): boolean {
  return requests.some(({ signal, t }) => signal === 'traces' && t >= end - WINDOW_MS && t < end);
}

export function formatTrial({ recorded: { id, faultType, groundTruth }, given, unknown }: FaultTrial): string {
  const first = ([named]: readonly ScoredDiagnosis[]) =>
    named === undefined ? 'nothing' : `${named.serviceName} (${named.kind}, ${named.confidence})`;
  return `${id}  ${faultType.padEnd(14)}  ${groundTruth.service.padEnd(22)}  onset given: ${first(given)}; unknown: ${first(unknown)}`;
}

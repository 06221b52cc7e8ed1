import type { Asked, Named, OpenDiagnoser } from './diagnoser.js';
import { readRequests, type RecordedCase, type RecordedRequest } from './recordings.js';

/** What was answered about one case. */
export interface Trial {
  readonly recorded: RecordedCase;
  /** With the onset told, and with nothing but the end of the fault. */
  readonly given: readonly Named[];
  readonly unknown: readonly Named[];
}

/** What was answered as of the end of a stretch without a fault. */
export interface Quiet {
  readonly system: string;
  readonly endMs: number;
  readonly diagnoses: readonly Named[];
}

export interface Trials {
  readonly trials: readonly Trial[];
  readonly quiet: readonly Quiet[];
}

/** Replays every case by itself; stretches that cases have in common are asked about once, those without spans not at all. */
export async function tryAll(folder: string, cases: readonly RecordedCase[], open: OpenDiagnoser, progress: (text: string) => void): Promise<Trials> {
  const trials: Trial[] = [];
  const quiet = new Map<string, Quiet>();
  for (const recorded of cases) {
    const requests = readRequests(folder, recorded);
    const diagnoser = await open(recorded, requests);
    try {
      const [injectMs, endMs] = [recorded.injectMs, recorded.fault[1]];
      const ask = (asked: Asked) => diagnoser.diagnose(asked);
      trials.push({ recorded, given: await ask({ rangeStart: injectMs, rangeEnd: endMs }), unknown: await ask({ asOf: endMs }) });
      for (const [, end] of recorded.baseline) {
        const key = `${recorded.system} ${end}`;
        if (!quiet.has(key) && hasSpans(requests, end)) quiet.set(key, { system: recorded.system, endMs: end, diagnoses: await ask({ asOf: end }) });
      }
    } finally {
      await diagnoser.close();
    }
    progress(lineOf(trials[trials.length - 1]));
  }
  return { trials, quiet: [...quiet.values()] };
}

const WINDOW_MS = 15 * 60_000;

function hasSpans(requests: readonly RecordedRequest[], end: number): boolean {
  return requests.some(({ signal, t }) => signal === 'traces' && t >= end - WINDOW_MS && t < end);
}

function lineOf({ recorded: { id, faultType, groundTruth }, given, unknown }: Trial): string {
  const first = ([named]: readonly Named[]) => (named === undefined ? 'nothing' : `${named.serviceName} (${named.kind}, ${named.confidence})`);
  return `${id}  ${faultType.padEnd(14)}  ${groundTruth.service.padEnd(22)}  onset given: ${first(given)}; unknown: ${first(unknown)}`;
}

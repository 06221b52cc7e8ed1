import { naiveRollups, type GridMinute } from '../../test/support/naive-rollups.js';
import type { ScoredDiagnosis } from './diagnoser.js';
import { formatTrial, type DiagnosisTrials, type FaultFreeTrial, type FaultTrial } from './diagnosis-trials.js';
import { readRequests, type RecordedCase } from './fault-recordings.js';
import { readTelemetry, type RecordedTelemetry } from './recorded-telemetry.js';
import { diagnoseRollups } from './rollup-diagnoser.js';
import { loadRollups, storeRollups } from './rollup-cache.js';
import { applyVariation, type Variation } from './telemetry-variations.js';
import type { VariedCase } from './varied-case.js';

/** Results of all cases by variation. */
export type VariationTrials = ReadonlyMap<{ readonly name: string }, DiagnosisTrials>;

/** A case after a variation, as rollups. */
export interface VariedRollups extends Omit<VariedCase, 'telemetry'> {
  /** False where the fault's time has no telemetry of the kind that the variation keeps: the case does not count. */
  readonly hasFaultTelemetry: boolean;
  readonly minutes: readonly GridMinute[];
}

/** Which variations to run, and how. */
export interface VariationPlan {
  readonly variations: readonly Variation[];
  /** How often each case is drawn in variations that depend on random numbers. */
  readonly draws: number;
  /** Folder that keeps rollups for the next run; it must be emptied when variations change. */
  readonly cache?: string;
}

/**
 * Diagnoses every case in every variation from simple rollups in this process. Periods shared by several cases are
 * diagnosed once a draw.
 */
export function runVariations(
  folder: string,
  cases: readonly RecordedCase[],
  { variations, draws, cache }: VariationPlan,
  progress: (text: string) => void,
): VariationTrials {
  const results = new Map(
    variations.map((variation) => [
      variation,
      { trials: [] as FaultTrial[], quiet: new Map<string, FaultFreeTrial>() },
    ]),
  );
  for (const recorded of cases) {
    let original: VariedCase | undefined;
    for (const { variation, draw } of listDraws(variations, draws)) {
      const key = `${recorded.id} ${variation.name}${draw === 1 ? '' : ` ${draw}`}`;
      const varied =
        loadRollups(cache, key) ??
        storeRollups(cache, key, toRollups(applyVariation(variation, (original ??= readCase(folder, recorded)), key)));
      const { trials, quiet } = results.get(variation)!;
      addTrials(recorded, variation, numberPeriods(varied, draw), { trials, quiet });
      progress(
        `${variation.name.padEnd(34)}  ${varied.hasFaultTelemetry ? formatTrial(trials[trials.length - 1]) : 'nothing recorded'}`,
      );
    }
  }
  return new Map(
    [...results].map(([variation, { trials, quiet }]) => [variation, { trials, quiet: [...quiet.values()] }]),
  );
}

function listDraws(
  variations: readonly Variation[],
  draws: number,
): { readonly variation: Variation; readonly draw: number }[] {
  return variations.flatMap((variation) =>
    Array.from({ length: variation.isRandom ? draws : 1 }, (_, i) => ({ variation, draw: i + 1 })),
  );
}

/** Quiet periods are diagnosed once a draw: each has other telemetry. */
function numberPeriods(varied: VariedRollups, draw: number): VariedRollups {
  return { ...varied, quietPeriods: varied.quietPeriods.map((each) => ({ ...each, id: `${each.id} ${draw}` })) };
}

function readCase(folder: string, recorded: RecordedCase): VariedCase {
  return {
    telemetry: readTelemetry(readRequests(folder, recorded)),
    service: recorded.groundTruth.service,
    injectMs: recorded.injectMs,
    endMs: recorded.fault[1],
    quietPeriods: recorded.baseline.map(([, end]) => ({ id: `${recorded.system} ${end}`, endMs: end })),
  };
}

const WINDOW_MS = 15 * 60_000;

function toRollups({ telemetry, quietPeriods, ...rest }: VariedCase): VariedRollups {
  const times = collectTimes(telemetry);
  const hasTelemetry = (fromMs: number, toMs: number) => times.some((ms) => ms >= fromMs && ms < toMs);
  return {
    ...rest,
    hasFaultTelemetry: hasTelemetry(rest.injectMs, rest.endMs),
    quietPeriods: quietPeriods.filter(({ endMs }) => hasTelemetry(endMs - WINDOW_MS, endMs)),
    minutes: naiveRollups(telemetry),
  };
}

/** Times of all spans; if there are none, of all log records; else of all data points. */
function collectTimes({ spans, logs, points }: RecordedTelemetry): number[] {
  if (spans.length > 0) return spans.map(({ endNs }) => Number(endNs / 1_000_000n));
  return (logs.length > 0 ? logs : points).map(({ timeUs }) => timeUs / 1000);
}

function addTrials(
  recorded: RecordedCase,
  { isQuiet }: Variation,
  { minutes, service, injectMs, endMs, quietPeriods, alsoFailing, hasFaultTelemetry }: VariedRollups,
  { trials, quiet }: { readonly trials: FaultTrial[]; readonly quiet: Map<string, FaultFreeTrial> },
): void {
  const withoutOther = (diagnoses: readonly ScoredDiagnosis[]) =>
    diagnoses.filter(({ serviceName }) => alsoFailing === undefined || serviceName !== alsoFailing);
  if (hasFaultTelemetry)
    trials.push({
      recorded: { ...recorded, groundTruth: { service }, injectMs },
      given: withoutOther(diagnoseRollups(minutes, { rangeStart: injectMs, rangeEnd: endMs }, endMs)),
      unknown: withoutOther(diagnoseRollups(minutes, { asOf: endMs }, endMs)),
    });
  for (const { id, endMs: end } of isQuiet ? quietPeriods : [])
    if (!quiet.has(id))
      quiet.set(id, { system: recorded.system, endMs: end, diagnoses: diagnoseRollups(minutes, { asOf: end }, endMs) });
}

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
export type VariationTrials = ReadonlyMap<Variation, DiagnosisTrials>;

/** A case after a variation, as rollups. */
export interface VariedRollups extends Omit<VariedCase, 'telemetry'> {
  /** False where the fault's time has no telemetry of the kind that the variation keeps: the case does not count. */
  readonly hasFaultTelemetry: boolean;
  readonly minutes: readonly GridMinute[];
}

/**
 * Diagnoses every case in every variation from simple rollups in this process. Periods shared by several cases are
 * diagnosed once. With a cache folder rollups are computed only once; it must be emptied when variations change.
 */
export function runVariations(
  folder: string,
  cases: readonly RecordedCase[],
  variations: readonly Variation[],
  cache: string | undefined,
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
    for (const variation of variations) {
      const key = `${recorded.id} ${variation.name}`;
      const varied =
        loadRollups(cache, key) ??
        storeRollups(cache, key, toRollups(applyVariation(variation, (original ??= readCase(folder, recorded)), key)));
      const { trials, quiet } = results.get(variation)!;
      addTrials(recorded, variation, varied, { trials, quiet });
      progress(
        `${variation.name.padEnd(34)}  ${varied.hasFaultTelemetry ? formatTrial(trials[trials.length - 1]) : 'nothing recorded'}`,
      );
    }
  }
  return new Map(
    [...results].map(([variation, { trials, quiet }]) => [variation, { trials, quiet: [...quiet.values()] }]),
  );
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

import { randomNumbers } from '../../test/support/random-numbers.js';
import { busyProcessor, earlyReturn, exception, inject, slowNetwork, slowWork } from './injected-faults.js';
import type { RecordedTelemetry } from './recorded-telemetry.js';
import { cutMinutes, keepOneOf, multiplyTraffic, stretchTime } from './traffic-variations.js';
import { hashText, type VariedCase } from './varied-case.js';
import { failElsewhere, nameAllOperationsAlike, renameServices } from './service-variations.js';

export interface Variation {
  readonly name: string;
  /** Periods without a fault are diagnosed too; not for variations that begin with the fault. */
  readonly isQuiet: boolean;
  /** Random numbers, 0 ≤ x < 1, come as an argument: the same ones give the same telemetry. */
  readonly vary: (original: VariedCase, random: () => number) => VariedCase;
}

/** What a diagnosis must not depend on, one after the other. */
export const VARIATIONS: readonly Variation[] = [
  { name: 'as recorded', isQuiet: true, vary: (original) => original },
  { name: 'minutes cut at random seconds', isQuiet: true, vary: cutMinutes },
  { name: 'traffic × 3 from the fault on', isQuiet: false, vary: multiplyFrom(3, 0) },
  { name: 'traffic × 3 from 2 minutes before', isQuiet: false, vary: multiplyFrom(3, 2) },
  { name: 'traffic ÷ 3 from the fault on', isQuiet: false, vary: multiplyFrom(1 / 3, 0) },
  { name: 'another service fails as well', isQuiet: false, vary: failElsewhere },
  { name: 'all operations under one name', isQuiet: true, vary: nameAllOperationsAlike },
  { name: 'one in ten traces only', isQuiet: true, vary: keepOneOf(10, ({ traceId }) => traceId) },
  { name: 'one in ten spans only', isQuiet: true, vary: keepOneOf(10, ({ traceId, spanId }) => traceId + spanId) },
  { name: 'logs only', isQuiet: true, vary: keepOnly('logs') },
  { name: 'metrics only', isQuiet: true, vary: keepOnly('points') },
  { name: 'renamed services and operations', isQuiet: true, vary: renameServices },
  { name: 'time stretched and shifted', isQuiet: true, vary: stretchTime },
  { name: 'put in: slow work', isQuiet: false, vary: inject(slowWork) },
  { name: 'put in: slow network', isQuiet: false, vary: inject(slowNetwork) },
  { name: 'put in: busy processor', isQuiet: false, vary: inject(busyProcessor) },
  { name: 'put in: early return', isQuiet: false, vary: inject(earlyReturn) },
  { name: 'put in: exception', isQuiet: false, vary: inject(exception) },
];

/** Applies a variation with random numbers of its own for each case and variation. */
export function applyVariation({ name, vary }: Variation, original: VariedCase, seed: string): VariedCase {
  return vary(original, randomNumbers(hashText(`${seed} ${name}`)));
}

function keepOnly(signal: keyof RecordedTelemetry): Variation['vary'] {
  return (original) => ({
    ...original,
    telemetry: { spans: [], logs: [], points: [], [signal]: original.telemetry[signal] },
  });
}

function multiplyFrom(factor: number, minutesBefore: number): Variation['vary'] {
  return (original, random) => multiplyTraffic(original, factor, original.injectMs - minutesBefore * 60_000, random);
}

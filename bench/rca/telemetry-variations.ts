import { randomNumbers } from '../../test/support/random-numbers.js';
import { busyProcessor, earlyReturn, exception, inject, slowNetwork, slowWork } from './injected-faults.js';
import type { RecordedTelemetry } from './recorded-telemetry.js';
import { cutMinutes, keepOneOf, multiplyTraffic, advanceTime } from './traffic-variations.js';
import { hashText, type VariedCase } from './varied-case.js';
import { failElsewhere, nameAllOperationsAlike, renameServices } from './service-variations.js';

export interface Variation {
  readonly name: string;
  /** Periods without a fault are diagnosed too; not for variations that begin with the fault. */
  readonly isQuiet: boolean;
  /** False where every draw gives the same telemetry. */
  readonly isRandom: boolean;
  /** Random numbers, 0 ≤ x < 1, come as an argument: the same ones give the same telemetry. */
  readonly vary: (original: VariedCase, random: () => number) => VariedCase;
}

/** What a diagnosis must not depend on, one after the other. */
export const VARIATIONS: readonly Variation[] = [
  { name: 'as recorded', isQuiet: true, isRandom: false, vary: (original) => original },
  { name: 'minutes cut at random seconds', isQuiet: true, isRandom: true, vary: cutMinutes },
  { name: 'traffic × 3 from the fault on', isQuiet: false, isRandom: true, vary: multiplyFrom(3, 0) },
  { name: 'traffic × 3 from 2 minutes before', isQuiet: false, isRandom: true, vary: multiplyFrom(3, 2) },
  { name: 'traffic ÷ 3 from the fault on', isQuiet: false, isRandom: true, vary: multiplyFrom(1 / 3, 0) },
  { name: 'another service fails as well', isQuiet: false, isRandom: true, vary: failElsewhere },
  { name: 'all operations under one name', isQuiet: true, isRandom: false, vary: nameAllOperationsAlike },
  { name: 'one in ten traces only', isQuiet: true, isRandom: true, vary: keepOneOf(10, ({ traceId }) => traceId) },
  {
    name: 'one in ten spans only',
    isQuiet: true,
    isRandom: true,
    vary: keepOneOf(10, ({ traceId, spanId }) => traceId + spanId),
  },
  { name: 'logs only', isQuiet: true, isRandom: false, vary: keepOnly('logs') },
  { name: 'metrics only', isQuiet: true, isRandom: false, vary: keepOnly('points') },
  { name: 'renamed services and operations', isQuiet: true, isRandom: true, vary: renameServices },
  { name: 'time stretched and shifted', isQuiet: true, isRandom: true, vary: advanceTime },
  { name: 'injected: slow work', isQuiet: false, isRandom: true, vary: inject(slowWork) },
  { name: 'injected: slow network', isQuiet: false, isRandom: true, vary: inject(slowNetwork) },
  { name: 'injected: busy processor', isQuiet: false, isRandom: true, vary: inject(busyProcessor) },
  { name: 'injected: early return', isQuiet: false, isRandom: true, vary: inject(earlyReturn) },
  { name: 'injected: exception', isQuiet: false, isRandom: true, vary: inject(exception) },
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

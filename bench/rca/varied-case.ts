import type { RecordedTelemetry } from './recorded-telemetry.js';

/** A recorded fault after a variation. Times in ms. */
export interface VariedCase {
  readonly telemetry: RecordedTelemetry;
  /** The service at fault, under its name in this telemetry. */
  readonly service: string;
  readonly injectMs: number;
  readonly endMs: number;
  readonly quietPeriods: readonly QuietPeriod[];
  /** A service that fails as well, for another reason: it is not counted in ranks. */
  readonly alsoFailing?: string;
}

/** A period without a fault: its end, and an id that is the same in all cases and variations. */
export interface QuietPeriod {
  readonly id: string;
  readonly endMs: number;
}

/** 32 bits of FNV-1a. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}

/** A number from 0 to 1, exclusive, that is the same for the same text: the hash after the last steps of MurmurHash3. */
export function hashToUnit(text: string): number {
  let hash = hashText(text);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

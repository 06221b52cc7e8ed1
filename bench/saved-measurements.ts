import { readFileSync, writeFileSync } from 'node:fs';
import type { Measurement } from './measurement-table.js';

/** Rows of each benchmark of a run, by its name. */
export type SavedMeasurements = Readonly<Record<string, readonly Measurement[]>>;

/** Growth of the CPU time per record that counts as a loss. */
const MAX_GROWTH = 1.1;

const CPU_UNIT = /^s per million /;

export function saveMeasurements(file: string, measurements: SavedMeasurements): void {
  writeFileSync(file, `${JSON.stringify(measurements, null, 2)}\n`);
}

export function loadMeasurements(file: string): SavedMeasurements {
  return JSON.parse(readFileSync(file, 'utf8')) as SavedMeasurements;
}

/**
 * One line for each benchmark whose service needs over 10 % more CPU time per record than in an earlier run. What only
 * one of them has is not compared, nor are single threads, between which work may move.
 */
export function findLosses(earlier: SavedMeasurements, now: SavedMeasurements): string[] {
  return Object.entries(now).flatMap(([benchmark, rows]) =>
    rows.flatMap(({ name, unit, value }) => {
      const before = earlier[benchmark]?.find((row) => row.name === name)?.value;
      if (before === undefined || !CPU_UNIT.test(unit) || name.startsWith('…') || value <= before * MAX_GROWTH)
        return [];
      return [`${benchmark}: ${name} rose from ${before.toPrecision(3)} to ${value.toPrecision(3)} ${unit}`];
    }),
  );
}

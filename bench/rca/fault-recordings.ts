import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A recorded fault and its surroundings, from cases.json. Times are ms since 1970, ranges are from ≤ t < to. */
export interface RecordedCase {
  readonly id: string;
  readonly system: string;
  readonly day: string;
  readonly injectMs: number;
  readonly faultType: string;
  readonly groundTruth: { readonly service: string };
  readonly baseline: readonly (readonly [number, number])[];
  readonly fault: readonly [number, number];
  readonly transition?: readonly [number, number];
  readonly usable: boolean;
}

export type Signal = 'traces' | 'logs' | 'metrics';

/** One export request: its newest event time in ms, and its OTLP/JSON. */
export interface RecordedRequest {
  readonly signal: Signal;
  readonly t: number;
  readonly body: string;
}

type Index = Readonly<Record<string, { readonly signal: Signal; readonly t: readonly number[] }>>;

/** Undefined when the folder contains no recordings. */
export function loadCases(folder: string): readonly RecordedCase[] | undefined {
  const file = join(folder, 'cases.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { cases: RecordedCase[] }).cases : undefined;
}

/** All requests of a case in order of arrival, without the faults of other cases. */
export function readRequests(folder: string, recorded: RecordedCase): RecordedRequest[] {
  const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as Index;
  const files = Object.keys(index)
    .sort()
    .filter((file) => file.startsWith(`segments/${recorded.day}/`));
  return files
    .flatMap((file) => readSegment(folder, file, index[file], recorded))
    .sort((a, b) => a.t - b.t || (a.signal < b.signal ? -1 : a.signal > b.signal ? 1 : 0));
}

function readSegment(
  folder: string,
  file: string,
  { signal, t }: Index[string],
  recorded: RecordedCase,
): RecordedRequest[] {
  if (!t.some((time) => belongsToCase(time, recorded))) return [];
  const bodies = gunzipSync(readFileSync(join(folder, file)))
    .toString('utf8')
    .split('\n');
  return t.flatMap((time, i) => (belongsToCase(time, recorded) ? [{ signal, t: time, body: bodies[i] }] : []));
}

function belongsToCase(t: number, { baseline, fault, transition }: RecordedCase): boolean {
  return [...baseline, fault, ...(transition === undefined ? [] : [transition])].some(
    ([from, to]) => t >= from && t < to,
  );
}

import { createLogColumns } from '../src/telemetry/log-columns.js';
import { decodeLogs } from '../src/telemetry/otlp/log-decoder.js';
import { decodeSpans } from '../src/telemetry/otlp/span-decoder.js';
import { createSpanColumns } from '../src/telemetry/span-columns.js';
import { createTelemetryGenerator } from '../test/support/telemetry-generator.js';

/** One figure of a benchmark. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly note: string;
}

const BATCH = 512;
const BATCHES = 16;
const SECONDS = 0.5;

/** Records per second of CPU of this process, the best of three runs. */
function rate(records: number, round: () => void): number {
  round();
  let best = 0;
  for (let run = 0; run < 3; run++) {
    const start = process.cpuUsage();
    const until = performance.now() + SECONDS * 1000;
    let done = 0;
    while (performance.now() < until) {
      round();
      done += records;
    }
    const { user, system } = process.cpuUsage(start);
    best = Math.max(best, done / ((user + system) / 1e6));
  }
  return best;
}

/** Spans per second of the decode loop: what other figures are compared with. */
export function calibrate(): number {
  const generator = createTelemetryGenerator(1);
  const batches = Array.from({ length: BATCHES }, () => generator.traces(BATCH));
  const columns = createSpanColumns(BATCH * BATCHES);
  return rate(BATCH * BATCHES, () => {
    columns.clear();
    for (const batch of batches) decodeSpans(batch, 0, [], columns);
  });
}

function logs(): number {
  const generator = createTelemetryGenerator(1);
  const batches = Array.from({ length: BATCHES }, () => generator.logs(BATCH));
  const columns = createLogColumns(BATCH * BATCHES);
  return rate(BATCH * BATCHES, () => {
    columns.clear();
    for (const batch of batches) decodeLogs(batch, 0, [], 0, columns);
  });
}

export async function run(): Promise<Row[]> {
  const row = (name: string, perSecond: number, note: string): Row => ({ name, value: Math.round(perSecond / 1000), unit: 'k/s per core', note });
  return [row('decode spans', calibrate(), 'columns, tokens and keys'), row('decode logs', logs(), 'columns, tokens, words')];
}

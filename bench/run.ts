import { parseArgs } from 'node:util';
import { measureDecodeRate, run as decode } from './otlp-decoding.js';
import { run as append } from './event-append.js';
import { run as charts } from './chart-queries.js';
import { run as diagnostics } from './diagnostic-queries.js';
import { run as distributed } from './distributed-ingestion.js';
import { runAndSave as keptFootprint, run as footprint } from './footprint/footprint-benchmark.js';
import { run as ingest } from './service-ingestion.js';
import { run as live } from './live-stream.js';
import { run as logSearch } from './log-search.js';
import { run as projectionRates } from './projection-rates.js';
import { run as rebuild } from './projection-rebuild.js';
import { run as pictures } from './chart-rendering.js';
import { run as portal } from './portal/portal-benchmark.js';
import { formatMeasurements, type Measurement } from './measurement-table.js';
import { run as query } from './query-aggregation.js';
import { run as rollups } from './span-rollups.js';
import { findLosses, loadMeasurements, saveMeasurements } from './saved-measurements.js';
import { run as search } from './span-search.js';
import { run as sizing } from './machine-sizing.js';

/** Benchmarks by command line name: `npm run bench -- ingest search`. Without names all run. */
const BENCHMARKS: Readonly<Record<string, () => Promise<Measurement[]>>> = {
  decode,
  append,
  ingest: () => ingest({ signal: 'traces', seconds: 60, records: 15_000_000, rate: 0 }),
  logs: () => ingest({ signal: 'logs', seconds: 20, records: 6_000_000, rate: 0 }),
  'varied-spans': () =>
    ingest({ signal: 'traces', workload: 'varied-spans', seconds: 60, records: 4_000_000, rate: 0 }),
  // What most users send: lag and acknowledgements where commits wait for more spans.
  'moderate-spans': () =>
    ingest({ signal: 'traces', workload: 'varied-spans', seconds: 20, records: 200_000, rate: 10_000 }),
  'varied-logs': () => ingest({ signal: 'logs', workload: 'varied-logs', seconds: 120, records: 420_000, rate: 0 }),
  search: () => search(1_000_000),
  'search-10m': () => search(10_000_000),
  'log-search': () => logSearch(421_000),
  'log-search-10m': () => logSearch(10_000_000),
  query: () => query(10_000_000),
  rebuild: () => rebuild(2_000_000),
  'projection-rates': projectionRates,
  rollups: () => rollups(1_000_000),
  diagnostics,
  live: () => live(1_000),
  pictures,
  charts,
  portal,
  sizing: () => sizing(),
  footprint,
  distributed: () => distributed({ seconds: 30, spans: 3_000_000, rate: 0 }),
};

/**
 * Record rates are also given relative to a calibration loop in the same minute: the speed of the host varies, the
 * ratio hardly.
 */
function compareWithCalibration(rows: readonly Measurement[], limit: number): Measurement[] {
  return rows.map((row) =>
    /^(records|spans|logs)\/s$/.test(row.unit)
      ? { ...row, note: [`${(row.value / limit).toFixed(2)} × decode loop`, row.note].filter(Boolean).join('; ') }
      : row,
  );
}

/** Excluded from all: it changes a file. */
const FILE_WRITING_BENCHMARKS: typeof BENCHMARKS = { 'keep-footprint': keptFootprint };

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { save: { type: 'string' }, against: { type: 'string' } },
});
const earlier = options.against === undefined ? {} : loadMeasurements(options.against);
const measured: Record<string, Measurement[]> = {};
for (const name of names.length > 0 ? names : Object.keys(BENCHMARKS)) {
  const benchmark = BENCHMARKS[name] ?? FILE_WRITING_BENCHMARKS[name];
  if (benchmark === undefined)
    throw new Error(
      `no benchmark "${name}"; there are ${Object.keys({ ...BENCHMARKS, ...FILE_WRITING_BENCHMARKS }).join(', ')}`,
    );
  const limit = measureDecodeRate();
  const rows = (measured[name] = await benchmark());
  console.log(
    formatMeasurements(
      `${name} (calibration: decode loop ${Math.round(limit / 1000)} k spans/s on one core)`,
      compareWithCalibration(rows, limit),
    ),
  );
}
if (options.save !== undefined) saveMeasurements(options.save, measured);
const losses = findLosses(earlier, measured);
for (const loss of losses) console.error(loss);
if (losses.length > 0) process.exitCode = 1;

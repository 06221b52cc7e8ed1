import { calibrate, run as decode } from './decode.js';
import { run as append } from './append.js';
import { run as charts } from './charts.js';
import { run as diagnostics } from './diagnostics.js';
import { run as distributed } from './distributed.js';
import { kept as keptFootprint, run as footprint } from './footprint/run.js';
import { run as ingest } from './ingest.js';
import { run as live } from './live.js';
import { run as rebuild } from './rebuild.js';
import { run as pictures } from './pictures.js';
import { run as portal } from './portal/run.js';
import { table, type Row } from './report.js';
import { run as rollups } from './rollups.js';
import { run as search } from './search.js';
import { run as sizing } from './sizing.js';

/** Each benchmark by its name on the command line: `npm run bench -- ingest search`. Without names all of them run. */
const BENCHMARKS: Readonly<Record<string, () => Promise<Row[]>>> = {
  decode,
  append,
  ingest: () => ingest({ signal: 'traces', seconds: 60, records: 15_000_000, rate: 0 }),
  logs: () => ingest({ signal: 'logs', seconds: 20, records: 6_000_000, rate: 0 }),
  search: () => search(1_000_000),
  'search-10m': () => search(10_000_000),
  rebuild: () => rebuild(2_000_000),
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

/** Every rate of records is also given as a share of the calibration loop of the same minute: the host moves, the ratio hardly. */
function compared(rows: readonly Row[], limit: number): Row[] {
  return rows.map((row) => (/^(records|spans|logs)\/s$/.test(row.unit) ? { ...row, note: [`${(row.value / limit).toFixed(2)} × decode loop`, row.note].filter(Boolean).join('; ') } : row));
}

/** Not among all: it changes a file. */
const KEEPING: typeof BENCHMARKS = { 'keep-footprint': keptFootprint };

const names = process.argv.slice(2);
for (const name of names.length > 0 ? names : Object.keys(BENCHMARKS)) {
  const benchmark = BENCHMARKS[name] ?? KEEPING[name];
  if (benchmark === undefined) throw new Error(`no benchmark "${name}"; there are ${Object.keys({ ...BENCHMARKS, ...KEEPING }).join(', ')}`);
  const limit = calibrate();
  const rows = await benchmark();
  console.log(table(`${name} (calibration: decode loop ${Math.round(limit / 1000)} k spans/s on one core)`, compared(rows, limit)));
}

import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { digestFiles } from './digest.mjs';
import { ROOT, runProgram, stop } from './run.mjs';

const OUTPUT = join(ROOT, 'dist/web');
/** Says of which sources the output is; not served. */
const STAMP = join(OUTPUT, '.built-from');
const SOURCES = [
  'portal/src',
  // What the portal shares with the service: the language of queries.
  'src/queries/query',
  'src/telemetry',
  'portal/public',
  'portal/index.html',
  'portal/package.json',
  'portal/tsconfig.json',
  'portal/vite.config.ts',
  'package-lock.json',
  'scripts/prepare/portal.mjs',
];
const COMPRESSED = new Set(['.html', '.js', '.css', '.svg', '.json']);

/** Builds the web application when its sources are not those of the last build. */
export async function buildPortal() {
  const sources = digestFiles(
    SOURCES.flatMap((name) => filesBelow(join(ROOT, name))).map((file) => relative(ROOT, file)),
  );
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) return;
  console.error('hindsight: building the portal');
  // With NODE_ENV=production or not, what is built is the same.
  const built = await runProgram(
    process.execPath,
    [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'],
    { cwd: join(ROOT, 'portal'), env: { ...process.env, NODE_ENV: 'production' } },
  );
  if (!built) stop('the portal does not build; the faults stand above');
  for (const file of filesBelow(OUTPUT)) if (COMPRESSED.has(extname(file))) compress(file);
  writeFileSync(STAMP, sources);
}

/** Compressed once here, and not for each who asks. */
function compress(file) {
  const bytes = readFileSync(file);
  writeFileSync(
    `${file}.br`,
    brotliCompressSync(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  );
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
}

/** Of a folder, all below it; a file is itself. */
function filesBelow(path) {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

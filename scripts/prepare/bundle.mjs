import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { digestFiles } from './digest.mjs';
import { ROOT, stop } from './run.mjs';

/**
 * Two levels below dist, as the folders of the modules that name files beside `src` by relative addresses (package.json, web).
 * All files are in this one folder: what a module calls `new URL('./x.js', import.meta.url)` is found wherever it came to.
 */
const OUTPUT = join(ROOT, 'dist/bundle/node');
/** Digest of what the bundle was built from. */
const STAMP = join(ROOT, 'dist/bundle/.built-from');
/** Where processes and threads begin, below dist/src. Base names of files are unique. */
const ENTRIES = [
  'cli/main',
  'runtime/threads/access-thread',
  'runtime/threads/diagnostics-thread',
  'runtime/threads/incident-import-thread',
  'runtime/threads/projector-thread',
  'runtime/threads/reader-thread',
  'runtime/threads/render-thread',
  'streams/adapters/sqlite/append-worker',
  'streams/adapters/sqlite/checkpoint-worker',
  'streams/adapters/sqlite/read-worker',
  'http/otlp/export-validator-worker',
  'assistant/speech/adapters/espeak/module-process',
  'assistant/speech/adapters/audio-decode/decoding-process',
];
/** What every start needs. Other packages stay outside: native, or with files of their own, or rarely loaded. */
const BUNDLED_PACKAGES = [
  '@lezer/common',
  '@lezer/lr',
  '@opentelemetry/api',
  'class-validator',
  'comlink',
  'commander',
  'dotenv',
  'express',
  'hash-wasm',
  'helmet',
  'jose',
  'pino',
  'prom-client',
  'rate-limiter-flexible',
  're2js',
  'reflect-metadata',
  'rxjs',
  'tsyringe',
  'typebox',
  'zstddec',
];
/** CommonJS packages in the bundle call `require` for modules of Node.js. */
const REQUIRE = `import { createRequire as createBundleRequire } from 'node:module';
const require = createBundleRequire(import.meta.url);`;

/**
 * Bundles the compiled service: a start reads some 4,900 files in its threads otherwise, which takes half of its CPU time.
 * `bin/hindsight.js` runs the bundle; tests and benchmarks import dist/src.
 */
export async function bundle() {
  const sources = digestFiles([...compiledFiles(), 'package-lock.json', 'scripts/prepare/bundle.mjs']);
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) return;
  const esbuild = await import('esbuild');
  assertEntriesAreComplete();
  // A build that is interrupted leaves no stamp.
  rmSync(STAMP, { force: true });
  rmSync(OUTPUT, { recursive: true, force: true });
  try {
    await esbuild.build({
      absWorkingDir: ROOT,
      entryPoints: Object.fromEntries(ENTRIES.map((entry) => [basename(entry), `dist/src/${entry}.js`])),
      outdir: OUTPUT,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      // Modules of ECMAScript where a package has them: what is not used is left out, such as most of class-validator.
      mainFields: ['module', 'main'],
      sourcemap: true,
      banner: { js: REQUIRE },
      plugins: [{ name: 'packages-outside', setup: keepPackagesOutside }],
      logLevel: 'error',
    });
  } catch {
    stop('the compiled service cannot be bundled; the faults stand above');
  }
  writeFileSync(STAMP, sources);
}

/** Most threads and processes start on first use: without this, a missing entry would show only then. */
function assertEntriesAreComplete() {
  const entries = new Set(ENTRIES.map((entry) => `${basename(entry)}.js`));
  for (const file of compiledFiles()) {
    const source = readFileSync(join(ROOT, file), 'utf8');
    if (!/new URL\([^)]*import\.meta\.url/.test(source)) continue;
    for (const [, name] of source.matchAll(/'\.\/([\w-]+-(?:thread|worker|process)\.js)'/g)) {
      const isImported = new RegExp(`from '\\./${name}'`).test(source);
      if (!isImported && !entries.has(name))
        stop(`${file} starts ${name}, which scripts/prepare/bundle.mjs does not list`);
    }
  }
}

/** Leaves imports of packages that are not listed above as they are. A listed package is bundled with all that it imports. */
function keepPackagesOutside({ onResolve }) {
  const isBundled = (path) => BUNDLED_PACKAGES.some((name) => path === name || path.startsWith(`${name}/`));
  onResolve({ filter: /^[^./]/ }, ({ path, importer }) =>
    importer.includes('node_modules') || isBundled(path) ? undefined : { path, external: true },
  );
}

function compiledFiles() {
  return readdirSync(join(ROOT, 'dist/src'), { recursive: true })
    .filter((name) => name.endsWith('.js'))
    .map((name) => join('dist/src', name));
}

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const CRUISER = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const RULES = join(ROOT, '.dependency-cruiser.cjs');

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

interface Cruise {
  readonly summary: { readonly totalCruised: number; readonly violations: readonly Violation[] };
  readonly modules: readonly {
    readonly source: string;
    readonly dependencies: readonly { readonly resolved: string }[];
  }[];
}

function cruise(folder: string): Cruise {
  const output = execFileSync(process.execPath, [CRUISER, '--config', RULES, '--output-type', 'json', 'src'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return JSON.parse(output) as Cruise;
}

/** A file, what it imports (a file of the planted tree or a package), and the rule that forbids it; undefined: allowed. */
type Plant = readonly [file: string, imported: string, rule: string | undefined];

const PLANTS: readonly Plant[] = [
  ['telemetry/a.ts', 'errors.ts', 'module-telemetry'],
  ['errors.ts', 'component.ts', 'module-errors'],
  ['diagnostics/a.ts', 'queries/q.ts', 'module-diagnostics'],
  ['streams/a.ts', 'projections/p.ts', 'module-streams'],
  ['commands/a.ts', 'read-models/read-model-store.ts', 'module-commands'],
  ['commands/b.ts', 'streams/live/live-feed.ts', 'module-commands'],
  ['read-models/a.ts', 'projections/p.ts', 'module-read-models'],
  ['read-models/b.ts', 'streams/event-store.ts', 'module-read-models-types-only'],
  ['projections/a.ts', 'queries/q.ts', 'module-projections'],
  ['queries/a.ts', 'streams/event-store.ts', 'module-queries'],
  ['queries/b.ts', 'projections/p.ts', 'module-queries'],
  ['policies/a.ts', 'projections/p.ts', 'module-policies'],
  ['charts/a.ts', 'queries/q.ts', 'module-charts-types-only'],
  ['assistant/a.ts', 'read-models/read-model-store.ts', 'module-assistant'],
  ['auth/a.ts', 'queries/q.ts', 'module-auth'],
  ['self-telemetry/a.ts', 'http/h.ts', 'module-self-telemetry'],
  ['http/a.ts', 'read-models/read-model-store.ts', 'module-http'],
  ['http/b.ts', 'projections/p.ts', 'module-http'],
  ['cli/a.ts', 'http/h.ts', 'module-cli'],
  ['elsewhere/a.ts', 'errors.ts', 'module-unknown'],
  ['http/c.ts', 'runtime/composition.ts', 'composers-are-last'],
  ['streams/b.ts', 'streams/adapters/sqlite/store.ts', 'adapters-behind-ports'],
  ['cli/b.ts', 'read-models/adapters/sqlite/store.ts', 'adapters-behind-ports'],
  ['read-models/adapters/sqlite/a.ts', 'streams/adapters/sqlite/store.ts', 'adapters-apart'],
  ['commands/round.ts', 'commands/trip.ts', 'no-cycles'],
  // A cycle is told once, by the first of its members.
  ['commands/trip.ts', 'commands/round.ts', undefined],
  ['queries/express.ts', 'express', 'technology-express'],
  ['http/api/validator.ts', 'class-validator', 'technology-class-validator'],
  ['http/api/form.ts', '@fastify/busboy', 'technology-fastify-busboy'],
  ['queries/sqlite.ts', '@photostructure/sqlite', 'technology-photostructure-sqlite'],
  ['read-models/adapters/memory/sqlite.ts', '@photostructure/sqlite', 'technology-photostructure-sqlite'],
  ['http/jose.ts', 'jose', 'technology-jose'],
  ['http/prom.ts', 'prom-client', 'technology-prom-client'],
  ['http/pino.ts', 'pino', 'technology-pino'],
  ['projections/eventstoredb.ts', '@eventstore/db-client', 'technology-eventstore-db-client'],
  ['projections/nats.ts', 'nats', 'technology-nats'],
  ['queries/mongodb.ts', 'mongodb', 'technology-mongodb'],
  ['read-models/adapters/sqlite/mongodb.ts', 'mongodb', 'technology-mongodb'],
  ['http/dotenv.ts', 'dotenv', 'technology-dotenv'],
  ['http/tsyringe.ts', 'tsyringe', 'technology-tsyringe'],
  ['http/zstddec.ts', 'zstddec', 'technology-zstddec'],
  ['http/commander.ts', 'commander', 'technology-commander'],
  ['queries/rxjs.ts', 'rxjs', 'technology-rxjs'],
  ['queries/threads.ts', 'node:worker_threads', 'technology-comlink'],
  ['assistant/speech/child.ts', 'node:child_process', 'technology-child_process'],
  ['runtime/threads/child.ts', 'child_process', 'technology-child_process'],
  ['assistant/speech/adapters/espeak/decode.ts', '@audio/decode-mp3', 'technology-audio'],
  [
    'assistant/speech/adapters/espeak/module.ts',
    '@echogarden/espeak-ng-emscripten',
    'technology-echogarden-espeak-ng-emscripten',
  ],
  ['assistant/openai.ts', 'openai', 'technology-openai'],
  ['queries/comlink.ts', 'comlink', 'technology-comlink'],
  ['http/mocha.ts', 'mocha', 'program-without-development-packages'],
  ['http/missing.ts', './nowhere.js', 'declared-packages'],
  ['http/undeclared.ts', 'chokidar', 'declared-packages'],
  ['http/tested.ts', '../../test/support.js', 'program-without-tests'],

  ['queries/allowed.ts', 'read-models/read-model-store.ts', undefined],
  ['http/allowed.ts', 'queries/q.ts', undefined],
  ['http/express.ts', 'express', undefined],
  ['read-models/adapters/sqlite/allowed.ts', '@photostructure/sqlite', undefined],
  ['read-models/adapters/mongodb/allowed.ts', 'mongodb', undefined],
  ['read-models/adapters/sqlite/port.ts', 'read-models/read-model-store.ts', undefined],
  ['runtime/composition.ts', 'read-models/adapters/sqlite/store.ts', undefined],
  ['cli/allowed.ts', 'runtime/composition.ts', undefined],
  ['runtime/threads/allowed.ts', 'node:worker_threads', undefined],
  ['assistant/speech/adapters/children/allowed.ts', 'node:child_process', undefined],
  ['assistant/speech/adapters/openai/allowed.ts', 'openai', undefined],
];

/** Plants of which the import is one of types: allowed where the value is not. */
const TYPE_PLANTS: readonly Plant[] = [
  ['read-models/types.ts', 'streams/event-store.ts', undefined],
  ['charts/types.ts', 'queries/q.ts', undefined],
  ['queries/types.ts', 'streams/event-store.ts', 'module-queries'],
];

const isOurs = (imported: string): boolean => imported.endsWith('.ts');

function specifier(file: string, imported: string): string {
  if (!isOurs(imported)) return imported;
  const path = relative(dirname(file), imported).replace(/\.ts$/, '.js');
  return path.startsWith('.') ? path : `./${path}`;
}

function write(folder: string, file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

/** A tree with one import in each planted file; what is imported is there, and imports nothing itself. */
function plant(folder: string): void {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  write(folder, 'test/support.ts', 'export const thing = 1;\n');
  const plants = [...PLANTS, ...TYPE_PLANTS];
  for (const [, imported] of plants.filter(([, imported]) => isOurs(imported)))
    write(folder, `src/${imported}`, 'export const thing = 1;\n');
  for (const [file, imported] of PLANTS)
    write(folder, `src/${file}`, `import * as it from '${specifier(file, imported)}';\nexport const thing = it;\n`);
  for (const [file, imported] of TYPE_PLANTS)
    write(
      folder,
      `src/${file}`,
      `import type { thing } from '${specifier(file, imported)}';\nexport type Thing = typeof thing;\n`,
    );
}

describe('the import rules', () => {
  let folder: string;
  let violations: readonly Violation[];

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'hindsight-imports-'));
    plant(folder);
    violations = cruise(folder).summary.violations;
  });

  after(() => {
    rmSync(folder, { recursive: true });
  });

  const rulesBrokenBy = (file: string): string[] =>
    violations.filter((violation) => violation.from === `src/${file}`).map((violation) => violation.rule.name);

  for (const [file, imported, rule] of PLANTS) {
    it(rule === undefined ? `let ${file} import ${imported}` : `find ${imported} in ${file}`, () => {
      const broken = rulesBrokenBy(file);
      if (rule === undefined) assert.deepEqual(broken, []);
      else assert.ok(broken.includes(rule), `broken: ${broken.join(', ') || 'nothing'}`);
    });
  }

  for (const [file, imported, rule] of TYPE_PLANTS) {
    it(rule === undefined ? `let ${file} import types of ${imported}` : `find types of ${imported} in ${file}`, () => {
      assert.deepEqual(rulesBrokenBy(file), rule === undefined ? [] : [rule]);
    });
  }

  it('see the modules of src and what they import', () => {
    const { summary, modules } = cruise(ROOT);
    assert.ok(summary.totalCruised > 20, `only ${summary.totalCruised} modules were cruised`);
    const log = modules.find((module) => module.source === 'src/self-telemetry/logger.ts');
    assert.ok(log?.dependencies.some((dependency) => dependency.resolved === 'src/self-telemetry/log-redaction.ts'));
  });
});

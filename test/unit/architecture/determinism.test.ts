import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = join(process.cwd(), 'src');

/** Pure modules: results depend on arguments alone. */
const PURE = [
  'projections',
  'diagnostics',
  'telemetry',
  'accounting',
  'commands',
  'read-models/blocks',
  'read-models/rollups',
  'streams/events',
];

/** What a clock, chance, the place or the language of the machine would bring in. */
const IMPURE: Readonly<Record<string, RegExp>> = {
  'a clock': /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bprocess\.hrtime\b|\bscheduler\.now\b/,
  chance: /\bMath\.random\b|\brandomUUID\b|\brandomBytes\b|\brandomInt\b|\bgetRandomValues\b/,
  'the time zone':
    /\.get(Hours|Minutes|Date|Day|Month|FullYear|TimezoneOffset)\(|\.toDateString\(|\.toTimeString\(|new Date\(\d{4}, ?\d/,
  'the language': /\.toLocale\w+\((?!'en-US')|\.localeCompare\(|\bIntl\./,
};

/** Files that drive folds, measure them or talk to clients: none of them has a say in what a fold makes. */
const DRIVERS: Readonly<Record<string, string>> = {
  'projections/engine/projection-runner.ts': 'measures how long commits take',
  'projections/engine/projection-rebuild.ts': 'measures how long catch-up rounds take',
  'projections/engine/rebuild-coordinator.ts': 'measures how long rebuilds take',
  'projections/engine/live-projection-group.ts': 'waits with a timeout, and measures lag',
  'projections/engine/idle-tasks.ts': 'waits with a timeout',
  'projections/engine/stored-projection-progress.ts': 'waits with a timeout',
  'projections/live-diagnostics-refresher.ts': 'answers about now, which are not stored',
  'projections/engine/polling-loop.ts': 'waits',
  'projections/sharding/cluster-leases.ts':
    'measures leases and renews them under a random name; nothing is folded there',
  'commands/handle-command.ts': 'gives events their ids, which no fold looks at',
  'telemetry/columns/string-interner.ts': 'a hash seed: affects the slot of an entry, not its content',
  'telemetry/otlp/decoding/attribute-key-table.ts': 'a hash seed: affects the slot of an entry, not its content',
  'read-models/blocks/id-hash-tables.ts': 'a hash seed: affects the slot of an entry, not its content',
  'read-models/rollups/rollup-cache.ts': 'measures when to yield the thread',
  'read-models/rollups/rollup-reader.ts': 'measures the time since the last refresh',
};

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(join(SOURCES, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesIn(path);
    else if (path.endsWith('.ts')) yield path;
  }
}

/** Code without comments. */
function codeOf(path: string): string {
  return readFileSync(join(SOURCES, path), 'utf8')
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '');
}

const found = PURE.flatMap((folder) => [...filesIn(folder)]).flatMap((path) => {
  const code = codeOf(path);
  return Object.entries(IMPURE)
    .filter(([, pattern]) => pattern.test(code))
    .map(([what]) => ({ path, what }));
});

describe('projections, diagnostics and deciders', () => {
  it('know no clock, no chance, no time zone and no language: what they need is an argument', () => {
    assert.deepEqual(
      found.filter(({ path }) => DRIVERS[path] === undefined),
      [],
    );
  });

  it('are excepted by name where they drive others, and only as long as they need it', () => {
    const needed = new Set(found.map(({ path }) => path));
    assert.deepEqual(
      Object.keys(DRIVERS).filter((path) => !needed.has(path)),
      [],
    );
  });

  it('would be found out', () => {
    for (const [what, line] of Object.entries({
      'a clock': 'const now = Date.now();',
      chance: 'Math.random()',
      'the time zone': 'date.getHours()',
      'the language': 'a.localeCompare(b)',
    })) {
      assert.match(line, IMPURE[what]);
    }
  });
});

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, runProgram, stop } from './run.mjs';

/** Folders that tsconfig.json includes. */
const SOURCES = ['src', 'test', 'bench', 'demo'];
/** What tests import of the portal comes here. */
const IMPORTED = 'dist/portal';

/** Compiles what has changed since the last build. dist then holds the output of today's sources, all of it and nothing else. */
export async function build() {
  const sources = new Set(SOURCES.flatMap((folder) => namesBelow(folder, /(?<!\.d)\.ts$/)));
  const programs = new Set(outputsOf(/\.js$/));
  removeStale([...programs, ...outputsOf(/\.js\.map$/)].filter((name) => !sources.has(name)));
  // tsc trusts its own notes on what it has written: where outputs are gone, the notes must go too.
  const isWhole = [...sources].every((name) => programs.has(name)) && existsSync(join(ROOT, IMPORTED));
  if (!isWhole) rmSync(join(ROOT, 'dist/.tsbuildinfo'), { force: true });
  if (!(await runProgram(process.execPath, ['node_modules/ts7/bin/tsc', '-p', '.'])))
    stop('the sources do not compile; the faults stand above');
}

const outputsOf = (ending) => SOURCES.flatMap((folder) => namesBelow(join('dist', folder), ending, folder));

/** Paths below a folder without their ending, such as `src/config`; `as` renames the folder. */
function namesBelow(folder, ending, as = folder) {
  const path = join(ROOT, folder);
  if (!existsSync(path)) return [];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map(
      (entry) => as + join(entry.parentPath, entry.name).slice(path.length).replaceAll('\\', '/').replace(ending, ''),
    );
}

/** Outputs of sources that were deleted or renamed: mocha would run them, and imports of them would still work. */
function removeStale(names) {
  for (const name of names) {
    for (const ending of ['.js', '.js.map']) rmSync(join(ROOT, 'dist', name + ending), { force: true });
  }
}

import { openRollupDiagnoser } from './rollup-diagnoser.js';
import { openServiceDiagnoser } from './service-diagnoser.js';
import { loadCases, type RecordedCase } from './fault-recordings.js';
import { runGeneratedTrials } from './generated-trials.js';
import { formatReport } from './diagnosis-report.js';
import { runTrials } from './diagnosis-trials.js';
import { VARIATIONS } from './telemetry-variations.js';
import { formatVariations } from './variation-report.js';
import { runVariations } from './variation-trials.js';

const USAGE =
  'npm run bench:rca -- <folder with cases.json, index.json and segments/> [part of case ids] [--lab] [--variations[=parts of names, by commas]] [--draws=N] [--by-system] [--cache=folder], or npm run bench:rca -- --generated[=number of faults]';

const GENERATED_FAULTS = 20;

/**
 * Scores the diagnosis on recorded faults: see USAGE. Each case is replayed through a service of its own; with `--lab`
 * it is computed from simple rollups in this process, with `--variations` also after each of several changes to the
 * telemetry. With `--generated` systems and faults are drawn at random instead.
 */
const options = new Map<string, string | undefined>(
  process.argv
    .filter((argument) => argument.startsWith('--'))
    .map((argument) => {
      const [name, value] = argument.split('=');
      return [name, value];
    }),
);
const generated = options.has('--generated') ? Number(options.get('--generated') ?? GENERATED_FAULTS) : 0;
const [folder, part = ''] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const cases = folder === undefined ? undefined : loadCases(folder);

if (generated > 0) {
  console.log(`\n${formatVariations(runGeneratedTrials(generated, (line) => console.log(line)))}`);
} else if (folder === undefined || cases === undefined) {
  console.error(
    `${folder === undefined ? 'The folder of recordings is missing' : `There is no cases.json in ${folder}`}: ${USAGE}`,
  );
  process.exitCode = 2;
} else {
  const begin = performance.now();
  const usable = cases.filter(({ id, usable }) => usable && id.includes(part));
  console.log(`\n${options.has('--variations') ? compareVariations(folder, usable) : await score(folder, usable)}`);
  console.log(`\n${usable.length} cases in ${((performance.now() - begin) / 1000).toFixed(0)} s`);
}

async function score(from: string, usable: readonly RecordedCase[]): Promise<string> {
  const open = options.has('--lab') ? openRollupDiagnoser : openServiceDiagnoser;
  return formatReport(await runTrials(from, usable, open, (line) => console.log(line)));
}

function compareVariations(from: string, usable: readonly RecordedCase[]): string {
  const parts = (options.get('--variations') ?? '').split(',');
  const variations = VARIATIONS.filter(({ name }) => parts.some((part) => name.includes(part)));
  const plan = { variations, draws: Number(options.get('--draws') ?? 1), cache: options.get('--cache') };
  const groups = options.has('--by-system') ? [...new Set(usable.map(({ system }) => system))] : [''];
  return groups
    .map((system) => {
      const own = usable.filter((each) => each.system.includes(system));
      const results = runVariations(from, own, plan, (line) => console.log(line));
      return `${system}\n${formatVariations(results)}`;
    })
    .join('\n\n');
}

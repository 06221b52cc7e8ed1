import { openRollupDiagnoser } from './rollup-diagnoser.js';
import { openServiceDiagnoser } from './service-diagnoser.js';
import { loadCases } from './fault-recordings.js';
import { formatReport } from './diagnosis-report.js';
import { runTrials } from './diagnosis-trials.js';

/**
 * Scores the diagnosis on recorded faults: `npm run bench:rca -- <folder> [--lab] [part of case ids]`. Each case is
 * replayed through a service of its own; with `--lab` it is computed from simple rollups in this process.
 */
const isLab = process.argv.includes('--lab');
const [folder, part = ''] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const cases = folder === undefined ? undefined : loadCases(folder);

if (folder === undefined || cases === undefined) {
  console.error(
    `${folder === undefined ? 'The folder of recordings is missing' : `There is no cases.json in ${folder}`}: npm run bench:rca -- <folder with cases.json, index.json and segments/> [--lab]`,
  );
  process.exitCode = 2;
} else {
  const begin = performance.now();
  const usable = cases.filter(({ id, usable }) => usable && id.includes(part));
  const trials = await runTrials(folder, usable, isLab ? openRollupDiagnoser : openServiceDiagnoser, (line) =>
    console.log(line),
  );
  console.log(
    `\n${formatReport(trials)}\n\n${usable.length} cases ${isLab ? 'from naive rollups' : 'through the service'} in ${((performance.now() - begin) / 1000).toFixed(0)} s`,
  );
}

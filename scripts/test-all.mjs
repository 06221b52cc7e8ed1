/**
 * `npm run test:all`: every level but the faults. The browser level runs after the others, in a process of its own. Words are
 * passed on to mocha: `npm run test:all -- --grep "PUBLIC_URL"`.
 */
import { spawn } from 'node:child_process';
import { ROOT } from './prepare/run.mjs';

const counts = { passed: 0, failed: 0, skipped: 0 };
let failedRuns = 0;
for (const config of ['.mocharc.all.cjs', '.mocharc.browser.cjs']) {
  const { output, status } = await runMocha(config);
  const closing = /(\d+) passed, (\d+) failed, (\d+) skipped\s*$/.exec(output);
  if (status !== 0 || closing === null) failedRuns++;
  ['passed', 'failed', 'skipped'].forEach((name, index) => (counts[name] += Number(closing?.[index + 1] ?? 0)));
}
console.log(`\nall levels: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = failedRuns > 0 ? 1 : 0;

/** Resolves to what it printed, which is shown as it comes, and its exit status. */
function runMocha(config) {
  const words = ['node_modules/mocha/bin/mocha.js', '--config', config, ...process.argv.slice(2)];
  const child = spawn(process.execPath, words, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    process.stdout.write(chunk);
    output += chunk;
  });
  return new Promise((resolve) => child.once('close', (status) => resolve({ output, status })));
}

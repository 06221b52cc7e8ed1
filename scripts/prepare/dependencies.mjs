import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, runProgram, stop } from './run.mjs';

/**
 * Whether node_modules holds what package-lock.json says. npm keeps a lock file of its own in node_modules, which
 * it writes after everything else: an interrupted installation has none. It counts whoever installed, we or `npm ci`.
 */
export function dependenciesMatch() {
  const wanted = packagesOf('package-lock.json');
  const installed = packagesOf('node_modules/.package-lock.json');
  if (wanted === undefined) stop('package-lock.json is missing or no JSON');
  return (
    installed !== undefined &&
    existsSync(join(ROOT, 'node_modules/ts7/bin/tsc')) &&
    differences(wanted, installed) === 0
  );
}

/** Packages by path, or undefined where the file cannot be read. */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(join(ROOT, file), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function differences(wanted, installed) {
  return Object.entries(wanted).filter(([path, entry]) => path !== '' && !satisfied(entry, installed[path])).length;
}

/** Optional packages of other platforms are locked, and never installed here. */
function satisfied(wanted, installed) {
  if (installed === undefined) return wanted.optional === true || wanted.devOptional === true;
  return installed.version === wanted.version && installed.integrity === wanted.integrity;
}

/** `npm ci`, never `npm install`: what runs is what the lock file names, and the lock file stays as it is. */
export async function installDependencies() {
  console.error('hindsight: installing dependencies (npm ci)');
  // With NODE_ENV=production npm would leave out the compiler.
  const installed = await runProgram('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    shell: process.platform === 'win32',
  });
  if (!installed) stop('npm ci failed; its message stands above');
}

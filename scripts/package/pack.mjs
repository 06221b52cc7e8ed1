/**
 * `npm pack` runs this after it has packed the checkout itself, and gets the package in its place: with the built service
 * and portal, and the packages that they need. `--folder DIR` writes it into another folder.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stagePackage } from './staging.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { values } = (await import('node:util')).parseArgs({ options: { folder: { type: 'string' } } });
const destination = resolve(values.folder ?? process.env.npm_config_pack_destination ?? root);

const staging = mkdtempSync(join(tmpdir(), 'hindsight-package-'));
try {
  stagePackage(root, staging);
  mkdirSync(destination, { recursive: true });
  // npm sets variables for its own scripts that would change what this call does.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', destination];
  const name = execFileSync('npm', args, { cwd: staging, env, encoding: 'utf8' }).trim();
  const file = join(destination, name);
  console.log(`${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB with the packages that it needs`);
} finally {
  rmSync(staging, { recursive: true });
}

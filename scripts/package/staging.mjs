/**
 * The folder that becomes the npm package: the built service and portal, with the packages that they need. Those are part
 * of the package, as the lock file has them, because `overrides` do not reach the one who installs it, and because most of
 * their files are never read. What npm must choose by platform, or what is under a licence of its own, npm brings.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';

/** Packages under a licence that asks for more than its own text: npm brings them, this package does not contain them. */
const SEPARATE = new Set(['codec-parser', '@echogarden/espeak-ng-emscripten']);

/** Sources, types and maps: nothing reads them at run time. */
const UNREAD_FILES = new Set(
  '.ts .mts .cts .tsx .map .flow .md .markdown .c .cc .cpp .h .hh .gyp .gypi .tsbuildinfo'.split(' '),
);
/** At the top of a package. */
const UNREAD_FOLDERS = new Set([
  'test',
  'tests',
  '__tests__',
  'docs',
  'example',
  'examples',
  'benchmark',
  'benchmarks',
]);
/** Builds for browsers and bundlers, by package. Node.js resolves other files of these packages. */
const OTHER_BUILDS = {
  '@fontsource/inter': [
    '/files/.*-(100|200|300|500|700|800|900)-',
    '-italic',
    '/files/.*\\.woff$',
    '\\.css$',
    '/scss/',
  ],
  'class-validator': ['/bundles/', '/esm5/', '/esm2015/'],
  'libphonenumber-js': ['/bundle/'],
  '@opentelemetry/[^/]+': ['/build/(esm|esnext)/'],
  'hash-wasm': ['/dist/(?!index\\.)'],
  rxjs: ['/dist/(bundles|esm|esm5)/'],
  validator: ['/es/', '/validator\\.'],
  'chart\\.js': ['/dist/chart\\.umd'],
};
const LICENCE = /^(licen[cs]e|notice|copying|third)/i;

/** Writes the package into an empty folder. */
export function stagePackage(root, folder) {
  const manifest = readJson(join(root, 'package.json'));
  const packages = listProductionPackages(readJson(join(root, 'package-lock.json')));
  for (const name of ['bin', 'LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  for (const name of ['bundle', 'web'])
    cpSync(join(root, 'dist', name), join(folder, 'dist', name), {
      recursive: true,
      filter: (path) => !path.endsWith('.map'),
    });
  const bundled = packages.filter(({ isBundled }) => isBundled);
  for (const { path, name } of bundled) copyPackage(join(root, path), join(folder, path), name);
  writeJson(join(folder, 'package.json'), describePackage(manifest, packages));
}

/** Packages of a production install, with those of other platforms. */
function listProductionPackages({ packages }) {
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && dev !== true && link !== true)
    .filter(([path]) => !path.includes('node_modules/@types/'))
    .map(([path, { name, version, optional, os, cpu }]) => {
      const installedAs = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const isForPlatform = os !== undefined && cpu !== undefined && optional === true;
      const isBundled = !isForPlatform && !SEPARATE.has(installedAs);
      return { path, name: name ?? installedAs, installedAs, version, optional: optional === true, isBundled };
    });
}

/** What npm brings has an exact version; the rest is in the package. */
function describePackage({ name, version, description, license, type, bin, engines, repository }, packages) {
  const exact = (list) => Object.fromEntries(list.map((each) => [each.installedAs, specify(each)]));
  const brought = packages.filter(({ isBundled }) => !isBundled);
  const atTop = packages.filter(({ path, isBundled }) => isBundled && path.lastIndexOf('node_modules/') === 0);
  const required = { ...exact(atTop), ...exact(brought.filter(({ optional }) => !optional)) };
  return {
    ...{ name, version, description, license, type, bin, engines, repository },
    files: ['bin', 'dist', 'CHANGELOG.md', 'SECURITY.md'],
    dependencies: sorted(required),
    optionalDependencies: sorted(exact(brought.filter(({ optional }) => optional))),
    bundleDependencies: atTop.map(({ installedAs }) => installedAs).sort(),
  };
}

const specify = ({ name, installedAs, version }) => (name === installedAs ? version : `npm:${name}@${version}`);

const sorted = (record) => Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

function copyPackage(from, to, name) {
  if (!existsSync(from)) throw new Error(`${from} is missing: run npm ci`);
  const others = Object.entries(OTHER_BUILDS)
    .filter(([pattern]) => new RegExp(`^${pattern}$`).test(name))
    .flatMap(([, patterns]) => patterns.map((pattern) => new RegExp(pattern)));
  const isRead = (path) => {
    const inside = path.slice(from.length);
    if (LICENCE.test(basename(path))) return true;
    return !UNREAD_FILES.has(extname(path)) && !others.some((pattern) => pattern.test(inside));
  };
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.isDirectory() && (entry.name === 'node_modules' || UNREAD_FOLDERS.has(entry.name))) continue;
    cpSync(join(from, entry.name), join(to, entry.name), {
      recursive: true,
      dereference: true,
      filter: (path) => isRead(path),
    });
  }
  writeJson(join(to, 'package.json'), withoutInstallation(readJson(join(from, 'package.json'))));
}

const OF_INSTALLATION = new Set([
  'dependencies',
  'optionalDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
  'devDependencies',
  'scripts',
]);

/** All that it needs lies beside it, and its prebuilt files are complete: npm has nothing to install or to compile. */
function withoutInstallation(manifest) {
  const kept = Object.entries(manifest).filter(([name]) => !OF_INSTALLATION.has(name));
  return { ...Object.fromEntries(kept), gypfile: false };
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

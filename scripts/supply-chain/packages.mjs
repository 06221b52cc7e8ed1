/**
 * What the lock file says of the packages that a production install brings, and what is allowed there. A package outside
 * these lists fails the test: whoever adds one adds the line here and says why.
 */
import { readFileSync } from 'node:fs';

/** Licences that ask for no more than their own text. */
export const PERMISSIVE = new Set([
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
]);

/** Packages under another licence, each by name. They are separate packages that npm brings, no part of this repository. */
export const OTHER_LICENCES = {
  '@fontsource/inter': ['OFL-1.1', 'a font: may be brought along with software'],
  'codec-parser': [
    'LGPL-3.0-or-later',
    'reads the frames of Ogg for the decoders of Opus and Vorbis, in a process of its own',
  ],
  '@echogarden/espeak-ng-emscripten': [
    'GPL-3.0',
    'optional; runs in a process of its own; without it there is no local speech',
  ],
};

/** Packages with an install script, and what it does. None downloads where a prebuilt file fits. */
export const INSTALL_SCRIPTS = {
  '@photostructure/sqlite': 'node-gyp-build: takes the prebuilt file of the package, compiles where none fits',
  '@swc/core': 'of the tests alone: checks that the native package is there',
  esbuild: 'of the build of the portal alone: checks that the native package is there',
  koffi: 'cnoke: takes the prebuilt file of the package, compiles where none fits; optional',
  protobufjs: 'of the tests alone: prints a warning about versions',
};

/** @returns {{ name: string, version: string, license: string, integrity?: string, resolved?: string, dev: boolean, optional: boolean, hasInstallScript: boolean }[]} */
export function lockedPackages(lockFile = new URL('../../package-lock.json', import.meta.url)) {
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8'));
  return (
    Object.entries(packages)
      // What lies outside node_modules, and what links there, is ours: the portal.
      .filter(([path, { link }]) => path.startsWith('node_modules/') && link !== true)
      .map(
        ([
          path,
          { name, version, license = 'UNKNOWN', integrity, resolved, dev, devOptional, optional, hasInstallScript },
        ]) => ({
          name: name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
          version,
          license,
          integrity,
          resolved,
          dev: Boolean(dev ?? false),
          optional: Boolean(optional ?? devOptional),
          hasInstallScript: Boolean(hasInstallScript),
        }),
      )
  );
}

/** Whether every part of a licence expression is permissive. */
export function isPermissive(license) {
  return license
    .replace(/[()]/g, '')
    .split(/ (?:AND|OR) /)
    .every((each) => PERMISSIVE.has(each));
}

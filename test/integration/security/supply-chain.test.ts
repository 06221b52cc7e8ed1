import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

interface Locked {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly dev: boolean;
  readonly hasInstallScript: boolean;
}

interface Bill {
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly hashes: readonly { readonly alg: string; readonly content: string }[];
  }[];
}

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const script = <T>(name: string): Promise<T> =>
  import(pathToFileURL(`${ROOT}scripts/supply-chain/${name}`).href) as Promise<T>;
const json = <T>(path: string): T => JSON.parse(readFileSync(ROOT + path, 'utf8')) as T;

describe('supply chain', () => {
  let locked: readonly Locked[];
  let rules: {
    isPermissive(license: string): boolean;
    OTHER_LICENCES: Record<string, readonly [string, string]>;
    INSTALL_SCRIPTS: Record<string, string>;
  };
  before(async () => {
    const module = await script<typeof rules & { lockedPackages(): readonly Locked[] }>('packages.mjs');
    [locked, rules] = [module.lockedPackages(), module];
  });

  it('locks every package by content, from a registry alone', () => {
    assert.ok(locked.length > 400);
    for (const { name, version, integrity, resolved } of locked) {
      assert.match(integrity ?? '', /^sha512-[A-Za-z0-9+/]{86}==$/, `${name} has no SHA-512`);
      assert.match(version, /^\d+\.\d+\.\d+/, `${name} is no release`);
      // Absent: from whatever registry npm is set to, which the hash makes safe.
      assert.ok(
        resolved === undefined || resolved.startsWith('https://registry.npmjs.org/'),
        `${name} comes from ${resolved}`,
      );
    }
  });

  it('asks for exact versions from the registry, and the lock file agrees', () => {
    const wanted = json<{
      dependencies: Record<string, string>;
      devDependencies: Record<string, string>;
      optionalDependencies: Record<string, string>;
    }>('package.json');
    const { packages } = json<{ packages: Record<string, typeof wanted> }>('package-lock.json');
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'] as const) {
      assert.deepEqual(packages['']?.[kind], wanted[kind]);
      for (const [name, version] of Object.entries(wanted[kind]))
        assert.match(version, /^(npm:[@\w/-]+@)?\d+\.\d+\.\d+$/, name);
    }
  });

  it('runs only the install scripts that are listed', () => {
    const run = locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
    assert.deepEqual([...new Set(run)].sort(), Object.keys(rules.INSTALL_SCRIPTS).sort());
  });

  it('brings only licences that are permissive, but for the packages that are listed', () => {
    const other = locked
      .filter(({ dev, license }) => !dev && !rules.isPermissive(license))
      .map(({ name, license }) => [name, license]);
    assert.deepEqual(
      Object.fromEntries(other),
      Object.fromEntries(Object.entries(rules.OTHER_LICENCES).map(([name, [license]]) => [name, license])),
    );
  });

  it('takes no licence with copyleft for permissive, alone or beside another', () => {
    for (const license of ['GPL-2.0', 'GPL-3.0-only', 'AGPL-3.0-or-later', 'LGPL-2.1', 'MIT AND GPL-2.0', 'UNLICENSED'])
      assert.equal(rules.isPermissive(license), false, license);
    assert.equal(rules.isPermissive('(MIT OR Apache-2.0)'), true);
  });

  it('has no package that is known to be dangerous in an older version', () => {
    const atLeast: Record<string, string> = {
      '@grpc/grpc-js': '1.10.9',
      protobufjs: '7.5.6',
      jose: '4.15.5',
      express: '4.19.2',
    };
    for (const { name, version } of locked) {
      const least = atLeast[name];
      if (least !== undefined)
        assert.ok(version.localeCompare(least, 'en', { numeric: true }) >= 0, `${name}@${version}`);
    }
  });

  it('is reported by a bill of materials that is the same each time and names what is installed', async () => {
    const { billOfMaterials } = await script<{ billOfMaterials(): Bill }>('sbom.mjs');
    const bill = billOfMaterials();
    assert.deepEqual(bill, billOfMaterials());
    assert.ok(!JSON.stringify(bill).includes(ROOT) && !('serialNumber' in bill));
    const production = locked.filter(({ dev }) => !dev);
    assert.deepEqual(
      new Set(bill.components.map(({ name, version }) => `${name}@${version}`)),
      new Set(production.map(({ name, version }) => `${name}@${version}`)),
    );
    const installed = json<{
      packages: Record<
        string,
        { version: string; integrity: string; dev?: boolean; devOptional?: boolean; link?: boolean }
      >;
    }>('node_modules/.package-lock.json').packages;
    const listed = new Map(
      bill.components.flatMap(({ name, version, hashes }) =>
        hashes.map(({ content }) => [content, `${name}@${version}`]),
      ),
    );
    for (const [path, { integrity, dev, link }] of Object.entries(installed)) {
      // The portal is ours, and only linked there.
      if (dev === true || link === true || !path.startsWith('node_modules/')) continue;
      const hash = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');
      assert.ok(listed.has(hash), `${path} is installed and not listed`);
    }
  });
});

/**
 * `npm run sbom` prints a CycloneDX 1.5 bill of materials of a production install. It is made from the lock file alone, so
 * that the same checkout gives the same bytes everywhere: no time, no serial number, nothing of the machine.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { lockedPackages } from './packages.mjs';

export function billOfMaterials() {
  const { name, version, license } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const byRef = new Map(
    lockedPackages()
      .filter(({ dev }) => !dev)
      .map((each) => [refOf(each), componentOf(each)]),
  );
  const root = {
    'bom-ref': `${name}@${version}`,
    type: 'application',
    name,
    version,
    licenses: [{ license: { id: license } }],
  };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { lifecycles: [{ phase: 'build' }], component: root },
    components: [...byRef.keys()].sort().map((ref) => byRef.get(ref)),
  };
}

const refOf = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

function componentOf(locked) {
  const { name, version, license, integrity, optional } = locked;
  const [algorithm, base64] = integrity.split('-');
  const licence = / (?:AND|OR) /.test(license) ? { expression: license } : { license: { id: license } };
  return {
    'bom-ref': refOf(locked),
    type: 'library',
    name,
    version,
    purl: refOf(locked),
    scope: optional ? 'optional' : 'required',
    hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(base64, 'base64').toString('hex') }],
    licenses: [licence],
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(`${JSON.stringify(billOfMaterials(), null, 2)}\n`);

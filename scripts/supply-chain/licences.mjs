/** `npm run licences` lists the licences of a production install, and by name what is not permissive. */
import { isPermissive, lockedPackages, OTHER_LICENCES } from './packages.mjs';

const packages = lockedPackages().filter(({ dev }) => !dev);
const counts = new Map();
for (const each of packages) counts.set(each.license, [...(counts.get(each.license) ?? []), each]);
for (const [license, those] of [...counts].sort(([, a], [, b]) => b.length - a.length))
  console.log(`${String(those.length).padStart(4)}  ${license}`);
console.log('\nNot permissive:');
for (const { name, version, license } of packages.filter((each) => !isPermissive(each.license)))
  console.log(`  ${name}@${version}  ${license}: ${OTHER_LICENCES[name]?.[1] ?? 'NOT ALLOWED'}`);

import { readFileSync } from 'node:fs';

const PACKAGE_FILE = new URL('../../../package.json', import.meta.url);

/** Version of Hindsight from package.json. */
export function readPackageVersion(): string {
  return (JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')) as { readonly version: string }).version;
}

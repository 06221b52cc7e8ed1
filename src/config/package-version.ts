import { readFileSync } from 'node:fs';

const PACKAGE_FILE = new URL('../../../package.json', import.meta.url);

/** As package.json has it. */
export function readPackageVersion(): string {
  return (JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')) as { readonly version: string }).version;
}

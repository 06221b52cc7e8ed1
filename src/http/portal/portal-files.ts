import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** Preferred first. The build writes them beside each file. */
const ENCODINGS = [['br', '.br'], ['gzip', '.gz']] as const;

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** One way to send a file. */
export interface Representation {
  /** As in `Content-Encoding`; undefined: as it is. */
  readonly encoding: 'br' | 'gzip' | undefined;
  readonly bytes: Buffer;
  readonly entityTag: string;
}

export interface PortalFile {
  readonly mediaType: string;
  /** Its name has a hash of its content: it never changes. */
  readonly immutable: boolean;
  /** At least one, the smallest first. */
  readonly representations: readonly Representation[];
}

/** By path below the portal, such as `assets/index-a1b2c3.js`. Everything is in memory: no request opens a file. */
export type PortalFiles = ReadonlyMap<string, PortalFile>;

export const INDEX = 'index.html';

/** The built portal in this folder; undefined where none was built. */
export function readPortal(folder: string): PortalFiles | undefined {
  if (!existsSync(join(folder, INDEX))) return undefined;
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/').replace(/^\/+/, ''));
  const all = new Set(names);
  const files = names.filter((name) => MEDIA_TYPES[extname(name)] !== undefined);
  return new Map(files.map((name) => [name, fileAt(folder, name, all)]));
}

function fileAt(folder: string, name: string, all: ReadonlySet<string>): PortalFile {
  const compressed = ENCODINGS.filter(([, ending]) => all.has(name + ending)).map(([encoding, ending]) => represent(join(folder, name + ending), encoding));
  const representations = [...compressed, represent(join(folder, name), undefined)];
  return { mediaType: MEDIA_TYPES[extname(name)] ?? 'application/octet-stream', immutable: name.startsWith('assets/'), representations };
}

function represent(path: string, encoding: Representation['encoding']): Representation {
  const bytes = readFileSync(path);
  return { encoding, bytes, entityTag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"` };
}

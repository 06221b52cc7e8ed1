import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import { matchesEntityTag } from '../requests/conditional-request.js';
import { headerValues, splitTarget } from '../requests/request-head.js';
import { Problem } from '../problems/problem-details.js';
import { createMethodNotAllowedHandler } from './sign-in-pages.js';

/** Preferred first. The build writes them beside each file. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

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
export function loadPortalFiles(folder: string): PortalFiles | undefined {
  if (!existsSync(join(folder, INDEX))) return undefined;
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/').replace(/^\/+/, ''));
  const all = new Set(names);
  const files = names.filter((name) => MEDIA_TYPES[extname(name)] !== undefined);
  return new Map(files.map((name) => [name, loadFile(folder, name, all)]));
}

function loadFile(folder: string, name: string, all: ReadonlySet<string>): PortalFile {
  const compressed = ENCODINGS.filter(([, ending]) => all.has(name + ending)).map(([encoding, ending]) =>
    loadRepresentation(join(folder, name + ending), encoding),
  );
  const representations = [...compressed, loadRepresentation(join(folder, name), undefined)];
  return {
    mediaType: MEDIA_TYPES[extname(name)] ?? 'application/octet-stream',
    immutable: name.startsWith('assets/'),
    representations,
  };
}

function loadRepresentation(path: string, encoding: Representation['encoding']): Representation {
  const bytes = readFileSync(path);
  return { encoding, bytes, entityTag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"` };
}

const MOUNT = '/portal';

/** A year, the most that is worth saying (RFC 9111). */
const CACHE_FOREVER = 'public, max-age=31536000, immutable';

/** The pages of the portal: files by their exact names and, for every other path, the one page that knows all paths. */
export function createStaticHandler(files: PortalFiles | undefined): RequestHandler {
  const refuse = createMethodNotAllowedHandler('GET, HEAD');
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') refuse();
    const { path, query } = splitTarget(request.originalUrl);
    if (files === undefined) throw new Problem('not-found', 'The portal is not built. Build it with: npm run build');
    if (path === MOUNT) return sendPermanentRedirect(response, `${MOUNT}/${query === '' ? '' : `?${query}`}`);
    sendFile(request, response, resolveFile(path.slice(MOUNT.length + 1), files));
  };
}

/** Paths are looked up as they were sent: one that is written in another way names no file. */
function resolveFile(name: string, files: PortalFiles): PortalFile {
  const file = files.get(name) ?? (isPage(name) ? files.get(INDEX) : undefined);
  if (file === undefined) throw new Problem('not-found', 'The portal has no such file.');
  return file;
}

/** Pages lie below folders; a name with an ending at the top, and everything among the assets, is a file or nothing. */
function isPage(name: string): boolean {
  return !/^assets(\/|$)/.test(name) && !/^[^/]*\.[^/]*$/.test(name) && !isPathTraversal(name);
}

/** No such path leads anywhere here, but whoever sends one hopes so, and hears that there is nothing. */
function isPathTraversal(name: string): boolean {
  let text = name;
  for (let round = 0; round < 3; round += 1) {
    if (text.includes('\0') || text.split(/[/\\]/).includes('..')) return true;
    try {
      text = decodeURIComponent(text);
    } catch {
      return round === 0; // later ones are texts of users, such as 100%
    }
  }
  return name.includes('\\');
}

function sendFile(request: Request, response: Response, file: PortalFile): void {
  const { encoding, bytes, entityTag } = selectRepresentation(
    file,
    headerValues(request.rawHeaders, 'accept-encoding').join(','),
  );
  response.setHeader('Cache-Control', file.immutable ? CACHE_FOREVER : 'no-cache');
  response.setHeader('ETag', entityTag);
  response.setHeader('Vary', 'Accept-Encoding');
  if (matchesEntityTag(headerValues(request.rawHeaders, 'if-none-match'), entityTag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  response.setHeader('Content-Type', file.mediaType);
  response.setHeader('Content-Length', bytes.length);
  if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/** The smallest that the client takes; what it does not name, it does not get. */
function selectRepresentation({ representations }: PortalFile, acceptEncoding: string): Representation {
  const accepted = new Set(
    acceptEncoding
      .split(',')
      .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
      .map((part) => part.split(';')[0].trim().toLowerCase()),
  );
  return representations.find(({ encoding }) => encoding === undefined || accepted.has(encoding))!;
}

function sendPermanentRedirect(response: Response, location: string): void {
  response.setHeader('Location', location);
  response.statusCode = 308;
  response.end();
}

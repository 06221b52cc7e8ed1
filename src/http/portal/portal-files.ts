import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import { headerValues, matchesEntityTag, splitTarget } from '../requests/request-headers.js';
import { Problem } from '../problems/problem-details.js';
import { createMethodNotAllowedHandler } from './sign-in-pages.js';

/** In order of preference, with the extension of the compressed file that the build writes next to each file. */
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

/** A file in one content encoding. */
export interface Representation {
  /** Content-Encoding; undefined: not compressed. */
  readonly encoding: 'br' | 'gzip' | undefined;
  readonly bytes: Buffer;
  readonly entityTag: string;
}

export interface PortalFile {
  readonly mediaType: string;
  /** The file name contains a hash of the content, so the file never changes. */
  readonly immutable: boolean;
  /** At least one, smallest first. */
  readonly representations: readonly Representation[];
}

/** Files by path below `/portal/`, such as `assets/index-a1b2c3.js`. All contents are in memory. */
export type PortalFiles = ReadonlyMap<string, PortalFile>;

export const INDEX = 'index.html';

/** Loads the built portal; undefined if the folder does not contain one. */
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

/** One year, the recommended maximum (RFC 9111). */
const CACHE_FOREVER = 'public, max-age=31536000, immutable';

/** Serves the portal: files by their exact names and, for every other path, the single page that handles client-side routes. */
export function createStaticHandler(files: PortalFiles | undefined): RequestHandler {
  const refuse = createMethodNotAllowedHandler('GET, HEAD');
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') refuse();
    const { path, query } = splitTarget(request.originalUrl);
    if (files === undefined) throw new Problem('not-found', 'The portal has not been built. Run: npm run build');
    if (path === MOUNT) return sendPermanentRedirect(response, `${MOUNT}/${query === '' ? '' : `?${query}`}`);
    sendFile(request, response, resolveFile(path.slice(MOUNT.length + 1), files));
  };
}

/** Looks paths up as sent, without decoding. Throws 404 for unknown files. */
function resolveFile(name: string, files: PortalFiles): PortalFile {
  const file = files.get(name) ?? (isPage(name) ? files.get(INDEX) : undefined);
  if (file === undefined) throw new Problem('not-found', 'The portal has no such file.');
  return file;
}

/** Whether the path is a client-side route. Top-level names with an extension and everything below `assets` are files. */
function isPage(name: string): boolean {
  return !/^assets(\/|$)/.test(name) && !/^[^/]*\.[^/]*$/.test(name) && !isPathTraversal(name);
}

/** Path traversal cannot reach any file here, but such requests get 404 instead of the page. */
function isPathTraversal(name: string): boolean {
  let text = name;
  for (let round = 0; round < 3; round += 1) {
    if (text.includes('\0') || text.split(/[/\\]/).includes('..')) return true;
    try {
      text = decodeURIComponent(text);
    } catch {
      return round === 0; // after the first decoding, a stray % is part of a user's text, such as 100%
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

/** The smallest representation in an encoding that the client accepts explicitly. */
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

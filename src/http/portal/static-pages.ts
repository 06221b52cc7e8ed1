import type { Request, RequestHandler, Response } from 'express';
import { namesEntity } from '../entity-tag.js';
import { headerValues } from '../headers.js';
import { Problem } from '../problems/problem.js';
import { splitTarget } from '../target.js';
import { INDEX, type PortalFile, type PortalFiles, type Representation } from './portal-files.js';
import { onlyTakes } from './sign-in-pages.js';

const MOUNT = '/portal';
/** A year, the most that is worth saying (RFC 9111). */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** The pages of the portal: files by their exact names and, for every other path, the one page that knows all paths. */
export function staticPages(files: PortalFiles | undefined): RequestHandler {
  const refuse = onlyTakes('GET, HEAD');
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') refuse();
    const { path, query } = splitTarget(request.originalUrl);
    if (files === undefined) throw new Problem('not-found', 'The portal is not built. Build it with: npm run build');
    if (path === MOUNT) return redirect(response, `${MOUNT}/${query === '' ? '' : `?${query}`}`);
    send(request, response, fileFor(path.slice(MOUNT.length + 1), files));
  };
}

/** Paths are looked up as they were sent: one that is written in another way names no file. */
function fileFor(name: string, files: PortalFiles): PortalFile {
  const file = files.get(name) ?? (isPage(name) ? files.get(INDEX) : undefined);
  if (file === undefined) throw new Problem('not-found', 'The portal has no such file.');
  return file;
}

/** Pages lie below folders; a name with an ending at the top, and everything among the assets, is a file or nothing. */
function isPage(name: string): boolean {
  return !/^assets(\/|$)/.test(name) && !/^[^/]*\.[^/]*$/.test(name) && !leadsOut(name);
}

/** No such path leads anywhere here, but whoever sends one hopes so, and hears that there is nothing. */
function leadsOut(name: string): boolean {
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

function send(request: Request, response: Response, file: PortalFile): void {
  const { encoding, bytes, entityTag } = chosen(file, headerValues(request.rawHeaders, 'accept-encoding').join(','));
  response.setHeader('Cache-Control', file.immutable ? FOR_EVER : 'no-cache');
  response.setHeader('ETag', entityTag);
  response.setHeader('Vary', 'Accept-Encoding');
  if (namesEntity(headerValues(request.rawHeaders, 'if-none-match'), entityTag)) {
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
function chosen({ representations }: PortalFile, acceptEncoding: string): Representation {
  const accepted = new Set(acceptEncoding.split(',').filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part)).map((part) => part.split(';')[0].trim().toLowerCase()));
  return representations.find(({ encoding }) => encoding === undefined || accepted.has(encoding))!;
}

function redirect(response: Response, location: string): void {
  response.setHeader('Location', location);
  response.statusCode = 308;
  response.end();
}

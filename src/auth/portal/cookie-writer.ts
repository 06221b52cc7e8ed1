import { HindsightError } from '../../errors.js';

/** Characters of one cookie's value: browsers keep 4,096 bytes of name, value and attributes together. */
const PIECE_CHARS = 3_800;
/** Requests have 16 KiB for all their headers; four of these fit, and what else browsers send. */
const MAX_PIECES = 3;

/** Characters that one text may have, in however many cookies. */
export const MAX_TEXT_CHARS = MAX_PIECES * PIECE_CHARS;

/** Cookies by name, as one request carried them; of those sent twice the first counts, which is the one with the longer path. */
export type Cookies = ReadonlyMap<string, string>;

export function parseCookies(header: string | undefined): Cookies {
  const cookies = new Map<string, string>();
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    if (at > 0 && !cookies.has(name)) cookies.set(name, pair.slice(at + 1).trim());
  }
  return cookies;
}

/** Writes the cookies of one installation: out of reach of scripts, and not sent along with what pages of others post. */
export class CookieWriter {
  /**
   * Over https browsers hold the name to what it promises: this very host set it, encrypted, for all paths. The port tells apart what
   * browsers do not: without it, each of two installations on one machine would end the sessions of the other.
   */
  private readonly prefix: string;
  private readonly attributes: string;

  constructor(publicUrl: string) {
    const { protocol, port } = new URL(publicUrl);
    const secure = protocol === 'https:';
    this.prefix = `${secure ? '__Host-' : ''}${port === '' ? '' : `${port}_`}`;
    this.attributes = `; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  }

  fullName(name: string): string {
    return this.prefix + name;
  }

  /** The name that `nameOf` was given. */
  bareName(name: string): string {
    return name.slice(this.prefix.length);
  }

  /** Lines for `Set-Cookie` that keep a long text in several cookies, and end those that an earlier, longer one had. Throws `too-large` where even those cannot hold it. */
  write(name: string, text: string, maxAgeSeconds: number, present: Cookies): string[] {
    const pieces = Array.from({ length: Math.ceil(text.length / PIECE_CHARS) }, (_, at) =>
      text.slice(at * PIECE_CHARS, (at + 1) * PIECE_CHARS),
    );
    if (pieces.length > MAX_PIECES)
      throw new HindsightError('too-large', `${text.length} characters are too many for cookies`);
    const kept = pieces.map(
      (piece, at) =>
        `${this.pieceName(name, at)}=${piece}; Max-Age=${Math.max(0, Math.floor(maxAgeSeconds))}${this.attributes}`,
    );
    return [...kept, ...this.expirePieces(name, pieces.length, present)];
  }

  /** Undefined where there is none, or not the whole of it. */
  read(name: string, present: Cookies): string | undefined {
    const pieces: string[] = [];
    for (let at = 0; at < MAX_PIECES; at += 1) {
      const piece = present.get(this.pieceName(name, at));
      if (piece === undefined) break;
      pieces.push(piece);
    }
    return pieces.length === 0 ? undefined : pieces.join('');
  }

  expire(name: string, present: Cookies): string[] {
    return this.expirePieces(name, 0, present);
  }

  private expirePieces(name: string, from: number, present: Cookies): string[] {
    const names = Array.from({ length: MAX_PIECES - from }, (_, at) => this.pieceName(name, from + at));
    return names.filter((each) => present.has(each)).map((each) => `${each}=; Max-Age=0${this.attributes}`);
  }

  private pieceName(name: string, at: number): string {
    return this.fullName(at === 0 ? name : `${name}.${at}`);
  }
}

import { HindsightError } from '../../errors.js';

/** Maximum length of one cookie value: browsers limit name, value and attributes to 4,096 bytes. */
const PIECE_CHARS = 3_800;
/** Request headers are limited to 16 KiB: four such cookies fit, besides other headers. */
const MAX_PIECES = 3;

/** Maximum length of a text across all of its cookies. */
export const MAX_TEXT_CHARS = MAX_PIECES * PIECE_CHARS;

/** Cookies of a request by name; of duplicates the first counts, which has the longer path. */
export type Cookies = ReadonlyMap<string, string>;

export function parseCookies(header: string | undefined): Cookies {
  const cookies = new Map<string, string>();
  for (const pair of header?.split(';') ?? []) {
    const index = pair.indexOf('=');
    const name = pair.slice(0, index).trim();
    if (index > 0 && !cookies.has(name)) cookies.set(name, pair.slice(index + 1).trim());
  }
  return cookies;
}

/** Writes cookies of one installation: not readable by scripts, and not sent with cross-site POST requests. */
export class CookieWriter {
  /**
   * Over https the prefix `__Host-` makes browsers enforce that this host set the cookie securely for all paths. The
   * port separates installations on one machine, which browsers do not: they would end each other's sessions.
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

  /** Inverse of `fullName`. */
  bareName(name: string): string {
    return name.slice(this.prefix.length);
  }

  /**
   * `Set-Cookie` values that store a long text in several cookies and expire leftover ones of an earlier, longer text.
   * Throws `too-large` if the text does not fit.
   */
  write(name: string, text: string, maxAgeSeconds: number, present: Cookies): string[] {
    const pieces = Array.from({ length: Math.ceil(text.length / PIECE_CHARS) }, (_, index) =>
      text.slice(index * PIECE_CHARS, (index + 1) * PIECE_CHARS),
    );
    if (pieces.length > MAX_PIECES)
      throw new HindsightError('too-large', `A value of ${text.length} characters does not fit into cookies`);
    const cookies = pieces.map(
      (piece, index) =>
        `${this.pieceName(name, index)}=${piece}; Max-Age=${Math.max(0, Math.floor(maxAgeSeconds))}${this.attributes}`,
    );
    return [...cookies, ...this.expirePieces(name, pieces.length, present)];
  }

  /** Joins the cookies of a text; undefined if the first is missing. */
  read(name: string, present: Cookies): string | undefined {
    const pieces: string[] = [];
    for (let index = 0; index < MAX_PIECES; index += 1) {
      const piece = present.get(this.pieceName(name, index));
      if (piece === undefined) break;
      pieces.push(piece);
    }
    return pieces.length === 0 ? undefined : pieces.join('');
  }

  expire(name: string, present: Cookies): string[] {
    return this.expirePieces(name, 0, present);
  }

  private expirePieces(name: string, from: number, present: Cookies): string[] {
    const names = Array.from({ length: MAX_PIECES - from }, (_, index) => this.pieceName(name, from + index));
    return names.filter((each) => present.has(each)).map((each) => `${each}=; Max-Age=0${this.attributes}`);
  }

  private pieceName(name: string, index: number): string {
    return this.fullName(index === 0 ? name : `${name}.${index}`);
  }
}

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** One message that the server has taken. */
export interface ReceivedMail {
  readonly from: string;
  readonly recipients: readonly string[];
  readonly source: string;
}

/** A part of a message, decoded. */
export interface MailPart {
  /** By lower-case name, unfolded and not decoded. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: Buffer;
}

/** A mail server that keeps what it takes. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  /** Answers that it gives to the next messages instead of taking them. */
  readonly refusals: { readonly code: number; readonly text: string }[] = [];

  private readonly server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const refusal = this.refusals.shift();
        if (refusal !== undefined) return done(Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
        const { mailFrom, rcptTo } = session.envelope;
        this.mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          recipients: rcptTo.map(({ address }) => address),
          source: Buffer.concat(parts).toString('latin1'),
        });
        done(null);
      });
    },
  });

  async start(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server.server, 'listening');
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    return new Promise((done) => this.server.close(() => done()));
  }
}

/** All parts of a message, the whole first, as RFC 2045 and 2046 say. */
export function parseMail(source: string): readonly MailPart[] {
  const end = source.indexOf('\r\n\r\n');
  const headers = parseHeaders(source.slice(0, end));
  const text = source.slice(end + 4);
  const [, boundary] = /boundary="([^"]+)"/.exec(headers.get('content-type')?.[0] ?? '') ?? [];
  if (boundary === undefined) return [{ headers, body: decodeBody(text, headers) }];
  const children = text
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((part) => parseMail(part.replace(/^\r\n/, '')));
  return [{ headers, body: Buffer.from(text, 'latin1') }, ...children];
}

function parseHeaders(text: string): ReadonlyMap<string, readonly string[]> {
  const headers = new Map<string, string[]>();
  for (const line of text.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()]);
  }
  return headers;
}

function decodeBody(text: string, headers: ReadonlyMap<string, readonly string[]>): Buffer {
  const [encoding] = headers.get('content-transfer-encoding') ?? [''];
  if (encoding === 'base64') return Buffer.from(text, 'base64');
  if (encoding !== 'quoted-printable') return Buffer.from(text, 'latin1');
  const unfolded = text.replaceAll('=\r\n', '');
  return Buffer.from(
    unfolded.replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16))),
    'latin1',
  );
}

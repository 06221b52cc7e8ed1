import assert from 'node:assert/strict';

/** A minimal browser for sign-in: stores cookies of one host, follows redirects, runs no scripts. */
export class PortalBrowser {
  readonly cookies = new Map<string, string>();
  /** All received `Set-Cookie` headers. */
  readonly setCookies: string[] = [];

  /** @param at address to which all requests are sent, regardless of the host in the URL, like a DNS override */
  constructor(private readonly at: string) {}

  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** One request, without following redirects. */
  async ask(address: string, init: RequestInit = {}): Promise<Response> {
    const { pathname, search } = new URL(address, this.at);
    const headers = { ...(this.cookies.size > 0 && { cookie: this.cookieHeader }), ...init.headers };
    const response = await fetch(this.at + pathname + search, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    return response;
  }

  /** Signs in up to the redirect of the issuer, which is not followed yet. */
  async begin(user: string, returnTo = '/portal/'): Promise<string> {
    const query = new URLSearchParams({ return: returnTo, user });
    const first = await this.ask(`/portal/sign-in?${query.toString()}`);
    const second = await this.ask(locationOf(first));
    return locationOf(second);
  }

  /** Completes the sign-in and returns its target. */
  async signIn(user: string, returnTo?: string): Promise<string> {
    return locationOf(await this.ask(await this.begin(user, returnTo)));
  }

  session(): Promise<Response> {
    return this.ask('/portal/session', { headers: { 'X-Hindsight-Portal': '1' } });
  }

  signOut(headers: Readonly<Record<string, string>> = { 'Sec-Fetch-Site': 'same-origin' }): Promise<Response> {
    return this.ask('/portal/sign-out', { method: 'POST', headers });
  }

  private keep(line: string): void {
    this.setCookies.push(line);
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const at = pair.indexOf('=');
    const name = pair.slice(0, at);
    this.cookies.delete(name);
    if (!attributes.includes('Max-Age=0')) this.cookies.set(name, pair.slice(at + 1));
  }
}

export function locationOf(response: Response): string {
  assert.equal(response.status, 303);
  return response.headers.get('location') ?? assert.fail('it leads nowhere');
}

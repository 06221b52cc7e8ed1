import assert from 'node:assert/strict';

/** What a browser does of signing in: keeps cookies of one host, follows redirects, runs nothing. */
export class PortalBrowser {
  readonly cookies = new Map<string, string>();
  /** Lines of `Set-Cookie` so far. */
  readonly setCookies: string[] = [];

  /** @param at address that is asked, whatever the host in an address says: as if names led there */
  constructor(private readonly at: string) {}

  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** One request, its redirect not followed. */
  async ask(address: string, init: RequestInit = {}): Promise<Response> {
    const { pathname, search } = new URL(address, this.at);
    const headers = { ...(this.cookies.size > 0 && { cookie: this.cookieHeader }), ...init.headers };
    const response = await fetch(this.at + pathname + search, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    return response;
  }

  /** Goes to the sign-in and as far as to the answer of the issuer, which is not opened yet. */
  async begin(user: string, returnTo = '/portal/'): Promise<string> {
    const query = new URLSearchParams({ return: returnTo, user });
    const first = await this.ask(`/portal/sign-in?${query.toString()}`);
    const second = await this.ask(locationOf(first));
    return locationOf(second);
  }

  /** Where the sign-in led to. */
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

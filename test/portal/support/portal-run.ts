import { existsSync } from 'node:fs';
import type { Context } from 'mocha';
import { chromium, type Browser, type Page } from 'playwright-core';
import { ServiceProcess } from '../../support/service.js';

const CHROMIUM = '/usr/bin/chromium';
const BUILT = new URL('../../../web/index.html', import.meta.url);

export type PortalUser = 'owner' | 'member' | 'user' | 'guest' | 'outsider';

/** A page, and what its console said that nobody should have to read. */
export interface Visitor {
  readonly page: Page;
  /** Errors of scripts, violations of the content policy, and whatever else the console calls an error. */
  readonly faults: string[];
}

/** A service with the portal, and a real browser. */
export class PortalRun {
  private constructor(
    readonly service: ServiceProcess,
    private readonly browser: Browser,
  ) {}

  /** Skips the suite, and says so, where there is no Chromium. */
  static async start(test: Context, environment: Readonly<Record<string, string>> = {}): Promise<PortalRun> {
    if (!existsSync(CHROMIUM)) {
      console.log(`skipped: tests in a browser (${CHROMIUM} is not installed)`);
      test.skip();
    }
    if (!existsSync(BUILT)) throw new Error('the portal is not built: npm run build');
    const service = await ServiceProcess.start(environment);
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    return new PortalRun(service, browser);
  }

  get url(): string {
    return `${this.service.apiUrl}/portal/`;
  }

  /** A browser that nobody has used, so to speak; at the size of a desk unless said otherwise. */
  async visitor(viewport = { width: 1440, height: 900 }): Promise<Visitor> {
    const page = await (await this.browser.newContext({ viewport })).newPage();
    page.setDefaultTimeout(15_000);
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      // That nobody is signed in is told by a status, which the browser calls an error.
      if (message.type() === 'error' && !/status of 401/.test(message.text())) faults.push(message.text());
    });
    return { page, faults };
  }

  /** Signs in, and waits for the page that was asked for. */
  async signIn(user: PortalUser, returnTo = '/portal/'): Promise<Visitor> {
    const visitor = await this.visitor();
    const query = new URLSearchParams({ return: returnTo, user });
    await visitor.page.goto(`${this.service.apiUrl}/portal/sign-in?${query.toString()}`);
    await visitor.page.waitForURL((url) => url.pathname.startsWith('/portal/') && url.pathname !== '/portal/sign-in');
    return visitor;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.service.dispose();
  }
}

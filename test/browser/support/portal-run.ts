import { existsSync } from 'node:fs';
import type { Context } from 'mocha';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { ServiceProcess } from '../../support/service.js';

const CHROMIUM = '/usr/bin/chromium';
/** Desktop window size. */
export const DESK = { width: 1440, height: 900 };
/** Browsers open six connections per host, and each page holds one for its stream. Failed tests leave pages open. */
const MAX_PAGES = 3;
/** Below the shortest timeout of these suites, so that an error names what was waited for (ms). */
const WAIT_MS = 45_000;
const BUILT = new URL('../../../web/index.html', import.meta.url);

export type PortalUser = 'owner' | 'member' | 'user' | 'guest' | 'outsider';

/** A page with the errors that its console has reported. */
export interface Visitor {
  readonly page: Page;
  /** Script errors, content policy violations and other console errors. */
  readonly faults: string[];
}

/** A service with the portal, and a browser. */
export class PortalRun {
  /** Runs that have not been stopped. */
  static readonly open = new Set<PortalRun>();

  /** Browser contexts of signed-in users. */
  private readonly used = new Map<PortalUser, BrowserContext>();

  private constructor(
    readonly service: ServiceProcess,
    private readonly browser: Browser,
  ) {}

  /** Skips the suite with a message if Chromium is not installed. */
  static async start(
    test: Pick<Context, 'skip'>,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<PortalRun> {
    if (!existsSync(CHROMIUM)) {
      console.log(`skipped: tests in a browser (${CHROMIUM} is not installed)`);
      test.skip();
    }
    if (!existsSync(BUILT)) throw new Error('the portal is not built: npm run build');
    const service = await ServiceProcess.start(environment);
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    const run = new PortalRun(service, browser);
    PortalRun.open.add(run);
    return run;
  }

  get url(): string {
    return `${this.service.apiUrl}/portal/`;
  }

  /** A page in a new browser context, with a desktop window. */
  async visitor(): Promise<Visitor> {
    return visitorIn(await this.browser.newContext({ viewport: DESK }));
  }

  /** Signs in and opens a page. Visits of the same user share a browser context, which stays signed in. */
  async signIn(user: PortalUser, returnTo = '/portal/'): Promise<Visitor> {
    const used = this.used.get(user);
    if (used === undefined || used.pages().length >= MAX_PAGES) return this.firstVisit(user, returnTo);
    const visitor = await visitorIn(used);
    await visitor.page.goto(this.service.apiUrl + returnTo);
    return visitor;
  }

  /** Signs in on a page without a session. */
  async enter(page: Page, user: PortalUser, returnTo = '/portal/'): Promise<void> {
    const query = new URLSearchParams({ return: returnTo, user });
    await page.goto(`${this.service.apiUrl}/portal/sign-in?${query.toString()}`);
    await page.waitForURL((url) => url.pathname.startsWith('/portal/') && url.pathname !== '/portal/sign-in');
  }

  private async firstVisit(user: PortalUser, returnTo: string): Promise<Visitor> {
    const visitor = await this.visitor();
    await this.enter(visitor.page, user, returnTo);
    const context = visitor.page.context();
    this.used.set(user, context);
    context.once('close', () => this.used.delete(user));
    return visitor;
  }

  /** The pages that are open, oldest first. */
  get pages(): readonly Page[] {
    return this.browser.contexts().flatMap((context) => context.pages());
  }

  async stop(): Promise<void> {
    PortalRun.open.delete(this);
    await this.browser.close();
    await this.service.dispose();
  }
}

async function visitorIn(context: BrowserContext): Promise<Visitor> {
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // A missing session is reported as status 401, which the browser logs as an error.
    if (message.type() === 'error' && !/status of 401/.test(message.text())) faults.push(message.text());
  });
  return { page, faults };
}

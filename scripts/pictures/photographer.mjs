import { writeFileSync } from 'node:fs';

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** So long a fault may take to come, and an answer of the assistant. */
const PATIENCE_MS = 15 * 60_000;
/** What is further down is asked for when it comes into sight. */
const ARRIVED =
  "document.querySelector('h1') !== null && [...document.querySelectorAll('[data-skeleton], [data-stale], [aria-busy=true]')].every((missing) => missing.getBoundingClientRect().top > innerHeight)";
/** What charts draw, they draw with the next frames. */
const DRAWN =
  'document.fonts.ready.then(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))';

/** Visits pages of one Grid as its Owner, and takes pictures of them. */
export class Photographer {
  constructor(browser, service, at, { cookies, grid }) {
    Object.assign(this, { browser, service, at, cookies, grid });
  }

  static async signIn(browser, service, at) {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${service}/portal/sign-in?user=owner&return=/portal/`);
    await page.waitForURL('**/portal/g/*/overview*');
    const grid = /\/g\/([^/]+)\//.exec(new URL(page.url()).pathname)[1];
    const cookies = await page.context().cookies();
    await page.context().close();
    return new Photographer(browser, service, at, { cookies, grid });
  }

  /** What is wrong, as `find` reads it from a page; waits for it. */
  async seek({ path, find }) {
    const page = await this.open({ path });
    page.setDefaultTimeout(this.at === undefined ? PATIENCE_MS : 15_000);
    const found = await find(page, this.at === undefined);
    await page.context().close();
    return found;
  }

  async take({ path, prepare, theme = 'dark', isPhone = false, minutesBefore = 0 }, scene, file) {
    const page = await this.open({ path: path(scene), theme, isPhone, minutesBefore });
    await this.arrived(page);
    await prepare?.(page, scene);
    await this.arrived(page);
    writeFileSync(file, await page.screenshot());
    await page.context().close();
  }

  async open({ path, theme = 'dark', isPhone = false, minutesBefore = 0 }) {
    const context = await this.browser.newContext({
      viewport: isPhone ? PHONE : DESK,
      colorScheme: theme,
      reducedMotion: 'reduce',
      locale: 'en-GB',
    });
    await context.addCookies(this.cookies);
    const page = await context.newPage();
    const url = new URL(`${this.service}/portal/g/${this.grid}/${path}`);
    const at =
      minutesBefore > 0
        ? new Date(Date.parse(this.at ?? new Date().toISOString()) - minutesBefore * 60_000).toISOString()
        : this.at;
    if (at !== undefined) url.searchParams.set('at', at);
    await page.goto(url.href);
    return page;
  }

  /** A function to wait for would need what the content policy forbids. */
  async arrived(page) {
    const end = Date.now() + 30_000;
    while (!(await page.evaluate(ARRIVED))) {
      if (Date.now() > end) throw new Error(`${page.url()} does not arrive`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await page.evaluate(DRAWN);
  }
}

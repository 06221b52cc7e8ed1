import type { PortalRun } from '../../test/browser/support/portal-run.js';
import { percentile, type Measurement } from '../measurement-table.js';

const VISITS = 5;

/** Measurements of one visit. */
interface PageLoad {
  /** Time (ms) from the start of the navigation until all requests have finished. */
  readonly arrivedMs: number;
  readonly paintedMs: number;
  readonly bytes: number;
  /** Transferred bytes of page, scripts and styles. */
  readonly codeBytes: number;
}

const VIEW = `new Promise((resolve) => {
  const checkLoaded = () => {
    if (document.querySelector('h1') === null || document.querySelector('[data-skeleton], [aria-busy=true]') !== null) return requestAnimationFrame(checkLoaded);
    const loaded = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    const sum = (entries) => entries.reduce((bytes, { transferSize }) => bytes + transferSize, 0);
    resolve({
      arrivedMs: performance.now(), paintedMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      bytes: sum(loaded), codeBytes: sum(loaded.filter(({ name, entryType }) => entryType === 'navigation' || /\\.(js|css)$/.test(name))),
    });
  };
  checkLoaded();
})`;

/** The overview in a browser with a session but an empty cache. */
export async function measureFirstView(portal: PortalRun, path: string): Promise<Measurement[]> {
  const { page: known } = await portal.signIn('owner', path);
  const cookies = await known.context().cookies();
  await known.context().close();
  const views: PageLoad[] = [];
  for (let visit = 0; visit < VISITS; visit++) {
    const { page } = await portal.visitor();
    await page.context().addCookies(cookies);
    await page.goto(portal.service.apiUrl + path, { waitUntil: 'commit' });
    views.push(await page.evaluate<PageLoad>(VIEW));
    await page.context().close();
  }
  const median = (of: (view: PageLoad) => number): number => percentile(views.map(of), 50);
  return [
    {
      name: 'first view, nothing in the cache, p50',
      value: median(({ arrivedMs }) => arrivedMs),
      unit: 'ms',
      note: `goal < 1,000; longest of ${VISITS}: ${percentile(
        views.map(({ arrivedMs }) => arrivedMs),
        100,
      ).toFixed(0)} ms`,
    },
    { name: '… first paint of content, p50', value: median(({ paintedMs }) => paintedMs), unit: 'ms' },
    { name: '… transferred', value: median(({ bytes }) => bytes) / 1000, unit: 'kB', note: 'with fonts and answers' },
    {
      name: '… of which page, scripts and styles',
      value: median(({ codeBytes }) => codeBytes) / 1000,
      unit: 'kB',
      note: 'goal < 400',
    },
  ];
}

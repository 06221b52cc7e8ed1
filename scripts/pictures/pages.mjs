/** The fault that the pictures are about: a cause with traces that show it, old enough now for charts and comparisons to show it too. */
export const FAULT = {
  path: 'diagnosis',
  async find(page, isNow) {
    const first = page.getByRole('region', { name: 'Causes' }).locator('section').first();
    if (isNow) await first.getByText(/^(3|4|5|6) minutes ago$/).waitFor();
    const trace = first.locator('a[href*="/traces/"]').first();
    await trace.waitFor();
    const service = first.locator('a[href*="/services/"]').first();
    return { service: await nameIn(service, 'services'), trace: await nameIn(trace, 'traces') };
  },
};

async function nameIn(link, kind) {
  return decodeURIComponent(new RegExp(`/${kind}/([^/?]+)`).exec(await link.getAttribute('href'))[1]);
}

/** Of which page, and what is done there first. Dark and as large as a desk's, unless said otherwise. */
export const PICTURES = [
  { name: 'overview', path: () => 'overview' },
  { name: 'diagnosis', path: () => 'diagnosis' },
  { name: 'map', path: () => 'map' },
  { name: 'service', path: ({ service }) => `services/${encodeURIComponent(service)}` },
  { name: 'explore', path: () => 'explore' },
  { name: 'heatmap', path: () => 'explore?signal=spans&where=kind%20%3D%20server&show=heatmap', prepare: selectSlow },
  { name: 'traces', path: ({ service }) => `traces?service=${encodeURIComponent(service)}` },
  { name: 'trace', path: ({ trace }) => `traces/${trace}`, prepare: chooseFailure },
  {
    name: 'logs',
    path: () => 'logs',
    prepare: (page) =>
      page
        .getByRole('list', { name: /^Log entries/ })
        .getByRole('button', { expanded: false })
        .first()
        .click(),
  },
  { name: 'metrics', path: ({ service }) => `metrics?metric=latency_p95&service=${encodeURIComponent(service)}` },
  { name: 'dashboard', path: () => 'dashboards', prepare: openDashboard },
  { name: 'alerts', path: () => 'alerts' },
  { name: 'alert-rule', path: () => 'alerts?rule=new', prepare: tryRule, theme: 'light' },
  { name: 'changes', path: () => 'changes' },
  {
    name: 'compare',
    path: () => 'diagnosis',
    prepare: async (page) => {
      await page.getByRole('link', { name: 'Compare before and after' }).first().click();
      await page.getByRole('heading', { level: 1, name: 'Compare' }).waitFor();
    },
  },
  { name: 'assistant', path: () => 'assistant', prepare: ask },
  { name: 'usage', path: () => 'usage' },
  { name: 'wizard', path: () => 'administration?tab=instrument' },
  { name: 'palette', path: () => 'overview', prepare: (page) => page.keyboard.press('Control+k') },
  { name: 'time-travel', path: () => 'overview', minutesBefore: 10 },
  { name: 'light', path: () => 'overview', theme: 'light' },
  { name: 'phone', path: () => 'diagnosis', isPhone: true },
];

/** Selects the slow half of the heatmap. */
async function selectSlow(page) {
  const { x, y, width, height } = await page.getByRole('img', { name: /^Durations of/ }).boundingBox();
  await page.mouse.move(x + 2, y + 2);
  await page.mouse.down();
  await page.mouse.move(x + width - 2, y + height / 2, { steps: 5 });
  await page.mouse.up();
  await page.getByRole('list', { name: /^What differs/ }).waitFor();
  await page.getByText('What differs in the selection').scrollIntoViewIfNeeded();
}

/** A failed span, or where most of the time went if the trace is slow and not wrong. */
async function chooseFailure(page) {
  const failed = page.getByRole('list', { name: /^Spans, parents/ }).getByRole('button', { name: /^Error/ });
  const slow = page.getByRole('list', { name: /^Spans with the most self time/ }).getByRole('button');
  await ((await failed.count()) > 0 ? failed.last() : slow.first()).click();
  await page.getByRole('complementary', { name: 'Selected span' }).getByRole('heading').first().waitFor();
}

async function openDashboard(page, { service }) {
  await page.getByRole('link', { name: service, exact: true }).first().click();
  await page.locator('canvas').first().waitFor();
}

async function tryRule(page, { service }) {
  await page.getByLabel('Name', { exact: true }).fill(`${service} fails`);
  await page.getByLabel('Service (optional)').fill(service);
  await page.getByLabel('Threshold (%)').fill('1');
  await page.getByLabel('Window (minutes)').fill('2');
  await page.getByRole('button', { name: 'Backtest over this time range' }).click();
  await page.getByRole('figure').waitFor();
}

async function ask(page) {
  await page.getByLabel('Your question').fill('What is wrong, and since when?');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Sources' }).waitFor();
}

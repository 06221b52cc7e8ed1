/**
 * Takes the pictures of the portal that README and docs/portal.md show, from a running service that something has happened on:
 * `npm run demo` in one shell, `npm run pictures` in another. Needs /usr/bin/chromium.
 *   --service http://127.0.0.1:8080   where it is
 *   --at 2026-01-31T12:00:00Z         a moment at which something was wrong; without it, the pictures wait for the next fault
 */
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { FAULT, PICTURES } from './pictures/pages.mjs';
import { Photographer } from './pictures/photographer.mjs';

const MOST_BYTES = 300_000;
const MOST_BYTES_OF_ALL = 4_000_000;
const FOLDER = fileURLToPath(new URL('../docs/images/', import.meta.url));

const { values } = parseArgs({
  options: { service: { type: 'string', default: 'http://127.0.0.1:8080' }, at: { type: 'string' } },
});
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  const photographer = await Photographer.signIn(browser, values.service, values.at);
  const scene = await photographer.seek(FAULT);
  console.log(`taking pictures of ${JSON.stringify(scene)}`);
  let all = 0;
  for (const picture of PICTURES) {
    const file = `${FOLDER}portal-${picture.name}.png`;
    await photographer.take(picture, scene, file);
    const { size } = statSync(file);
    all += size;
    console.log(`${String(Math.round(size / 1000)).padStart(4)} kB  portal-${picture.name}.png`);
    if (size > MOST_BYTES) throw new Error(`${file} is larger than ${MOST_BYTES} bytes`);
  }
  if (all > MOST_BYTES_OF_ALL) throw new Error(`${all} bytes of pictures are more than ${MOST_BYTES_OF_ALL}`);
} finally {
  await browser.close();
}

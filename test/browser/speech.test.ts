import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import {
  describeIf,
  ESPEAK_NEEDS,
  HAS_ESPEAK,
  HAS_POCKETSPHINX,
  POCKETSPHINX_NEEDS,
} from '../support/speech-engines.js';
import { waitUntil } from '../support/wait-until.js';
import { sharedPortal, type SharedPortal } from './support/shared-portal.js';

const QUESTION = 'is anything broken';
/** 16-bit samples at 22,050 Hz, as written by espeak-ng. */
const BYTES_PER_MS = 44.1;
/** Records the audio elements that start to play, since they are not part of the document. */
const LISTENER =
  'globalThis.played = []; HTMLMediaElement.prototype.play = (play => function () { played.push(this); return play.call(this); })(HTMLMediaElement.prototype.play)';

describeIf(HAS_ESPEAK && HAS_POCKETSPHINX)(
  `the portal in a browser: speech${ESPEAK_NEEDS}${POCKETSPHINX_NEEDS}`,
  function () {
    this.timeout(60_000);
    let portal: SharedPortal;
    let folder: string;
    let browser: Browser;
    let spokenMs: number;

    before(async function () {
      portal = await sharedPortal(this);
      folder = await mkdtemp(join(tmpdir(), 'hindsight-spoken-'));
      const spoken = join(folder, 'question.wav');
      assert.equal(spawnSync('espeak-ng', ['-s', '140', '-w', spoken, QUESTION]).status, 0);
      spokenMs = (await readFile(spoken)).length / BYTES_PER_MS;
      // The microphone plays a file once, as soon as it is opened.
      browser = await chromium.launch({
        executablePath: '/usr/bin/chromium',
        args: [
          '--no-sandbox',
          '--use-fake-device-for-media-stream',
          `--use-file-for-fake-audio-capture=${spoken}%noloop`,
        ],
      });
    });
    after(async () => {
      await (browser as Browser | undefined)?.close();
      if ((folder as string | undefined) !== undefined) await rm(folder, { recursive: true });
    });

    async function assistant(
      ...permissions: readonly string[]
    ): Promise<{ readonly page: Page; readonly faults: readonly string[] }> {
      const page = await (await browser.newContext({ permissions: [...permissions] })).newPage();
      page.setDefaultTimeout(15_000);
      const faults: string[] = [];
      page.on('pageerror', ({ message }) => faults.push(message));
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text());
      });
      await page.goto(
        `${portal.run.service.apiUrl}/portal/sign-in?user=owner&return=${encodeURIComponent(portal.path('assistant'))}`,
      );
      await page.getByRole('button', { name: 'Hold to talk' }).waitFor();
      return { page, faults };
    }

    it('appends the text recognized while the button is held, and does not send it', async () => {
      const { page, faults } = await assistant('microphone');
      await page.getByLabel('Your question').fill('Tell me,');
      await page.getByRole('button', { name: 'Hold to talk' }).hover();
      await page.mouse.down();
      await page.getByRole('button', { name: 'Listening …' }).waitFor();
      await page.waitForTimeout(spokenMs);
      await page.mouse.up();
      await page.getByText(/^Recognized with \d+ % confidence/).waitFor();
      assert.match(await page.getByLabel('Your question').inputValue(), /^Tell me, .*anything broken/);
      assert.equal(await page.getByRole('list', { name: 'Conversation' }).getByRole('listitem').count(), 0);
      assert.deepEqual(faults, []);
      await page.context().close();
    });

    it('explains how to allow the microphone, and how to use the button', async () => {
      const refused = (await assistant()).page;
      await refused.getByRole('button', { name: 'Hold to talk' }).focus();
      await refused.keyboard.down(' ');
      await refused.getByText('The browser blocks the microphone for this page.').waitFor();
      await refused.keyboard.up(' ');
      await refused.context().close();
      const { page } = await assistant('microphone');
      await page.getByRole('button', { name: 'Hold to talk' }).click();
      await page.getByText(/Hold the button while you speak/).waitFor();
      await page.getByRole('button', { name: 'Hold to talk' }).waitFor();
      await page.context().close();
    });

    it('reads an answer aloud, and stops when the page is left', async () => {
      const { page, faults } = await assistant();
      await page.getByLabel('Your question').fill('How is checkout doing?');
      await page.keyboard.press('Enter');
      await page.evaluate(LISTENER);
      const listen = page.getByRole('button', { name: 'Listen' });
      await listen.click();
      await waitUntil(
        () =>
          page.evaluate<boolean>(
            "played.length === 1 && played[0].currentTime > 0 && played[0].src.startsWith('blob:')",
          ),
        'the answer is heard',
      );
      await page.getByRole('button', { name: 'Stop' }).click();
      // Arrives only after the page has been left.
      await page.route('**/synthesize', async (route) => {
        const response = await route.fetch();
        await page.getByRole('heading', { level: 1, name: 'Metrics' }).waitFor();
        await route.fulfill({ response });
      });
      const prepared = page.waitForEvent('requestfinished', (request) => request.url().endsWith('/synthesize'));
      await listen.click();
      await page.getByRole('link', { name: 'Metrics' }).click();
      await prepared;
      await page.evaluate("fetch('/live')");
      assert.deepEqual(await page.evaluate('played.map(({ paused }) => paused)'), [true]);
      assert.deepEqual(faults, []);
      await page.context().close();
    });
  },
);

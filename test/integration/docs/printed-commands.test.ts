import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BlackBox } from '../../support/black-box.js';
import { parsePrintedBlocks, Terminal } from '../../support/printed-commands.js';
import { HAS_POCKETSPHINX, POCKETSPHINX_NEEDS } from '../../support/speech-engines.js';

const ROOT = new URL('../../../../', import.meta.url);
const PROGRAM = fileURLToPath(new URL('bin/hindsight.js', ROOT));

/** Pages whose commands a reader types one after the other, in a folder with a service that has just been started. */
const PAGES = ['README.md', 'docs/api.md', 'docs/operating.md', 'docs/charts.md', 'docs/assistant.md'];
/** Pages that print commands which this machine lacks a program for, and what to do about it. */
const MISSING: Readonly<Record<string, string>> = HAS_POCKETSPHINX ? {} : { 'docs/assistant.md': POCKETSPHINX_NEEDS };
/** Of README: every other page builds upon it. */
const TRY_IT = 2;

describe('commands that the documentation prints', function () {
  this.timeout(120_000);
  const readme = parsePrintedBlocks(readFileSync(new URL('README.md', ROOT), 'utf8'));

  for (const page of PAGES) {
    it(`${page}: work as printed, and answer with the members that are printed${MISSING[page] ?? ''}`, async function () {
      if (MISSING[page] !== undefined) this.skip();
      const own = parsePrintedBlocks(readFileSync(new URL(page, ROOT), 'utf8'));
      const blocks = page === 'README.md' ? own : [...readme.slice(0, TRY_IT), ...own];
      assert.ok(blocks.length > 2, 'a page without commands proves nothing');
      const box = await BlackBox.start();
      const folder = await mkdtemp(join(tmpdir(), 'hindsight-docs-'));
      await symlink(box.service.dataDir, join(folder, 'data'));
      const terminal = new Terminal({
        cwd: folder,
        env: process.env,
        prelude: `hindsight() { DATA_DIR=./data HTTP_PORT=0 OTLP_HTTP_PORT=0 OTLP_GRPC_PORT=0 ${process.execPath} ${PROGRAM} "$@"; }`,
      });
      try {
        for (const { line, commands, answer } of blocks) {
          const printed = await terminal.run(here(commands, box));
          await box.settled();
          if (answer !== undefined)
            assert.deepEqual(membersOf(printed), membersOf(answer), `${page}, line ${line}: ${printed}`);
        }
      } finally {
        terminal.close();
        await box.dispose();
        await rm(folder, { recursive: true });
      }
    });
  }
});

/** With the addresses of the service of the test. */
function here(commands: string, { service }: BlackBox): string {
  return commands
    .replaceAll('http://127.0.0.1:8080', service.apiUrl)
    .replaceAll('http://127.0.0.1:4318', service.otlpHttpUrl);
}

/** Names of the members of a JSON object, printed whole, or with parts left out and long texts broken into lines. */
function membersOf(text: string): string[] {
  const whole = text.replaceAll(/,\s*…/g, '').replaceAll('\n', ' ');
  return Object.keys(JSON.parse(lastObject(whole)) as object).sort();
}

/** Answers of several calls stand one after the other; the page prints the last. */
function lastObject(text: string): string {
  return text.split(/(?<=\})\s*(?=\{)/).at(-1) ?? text;
}

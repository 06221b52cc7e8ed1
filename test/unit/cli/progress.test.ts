import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { withProgressBar } from '../../../src/cli/terminal-output.js';

describe('progress bar', () => {
  type Work = Parameters<typeof withProgressBar<string>>[3];

  async function render(work: Work, silent = false): Promise<string> {
    const stream = new PassThrough();
    await withProgressBar('export', 'events', silent, work, stream).catch(() => undefined);
    stream.end();
    return text(stream);
  }

  it('shows progress, and resolves to the result of the work', async () => {
    const stream = new PassThrough();
    const work: Work = (onProgress) => {
      onProgress({ done: 1, total: 4 });
      onProgress({ done: 4, total: 4 });
      return Promise.resolve('written');
    };
    assert.equal(await withProgressBar('export', 'events', false, work, stream), 'written');
    stream.end();
    const lines = (await text(stream)).trim().split('\n');
    assert.match(lines[0], /^export \S+ 25% \| 1\/4 events \| /);
    assert.match(lines[lines.length - 1], / 100% \| 4\/4 events \| /);
  });

  it('is not shown for work that fails before its first progress, nor when silent', async () => {
    assert.equal(await render(() => Promise.reject(new Error('there is no such Grid'))), '');
    assert.equal(
      await render((onProgress) => Promise.resolve('done').finally(() => onProgress({ done: 1, total: 1 })), true),
      '',
    );
  });

  it('shows no estimate before any progress', async () => {
    const text = await render((onProgress) => {
      onProgress({ done: 0, total: 10 });
      onProgress({ done: 0, total: 10 });
      return Promise.resolve('stuck');
    });
    assert.doesNotMatch(text, /NF|LL/);
    assert.match(text, / \| \? left/);
  });
});

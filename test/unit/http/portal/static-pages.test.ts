import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { brotliCompressSync, gzipSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { loadPortalFiles } from '../../../../src/http/portal/portal-files.js';
import { startApi, type TestApi } from '../../../support/api.js';

const PAGE = '<!doctype html><title>Hindsight</title>';
const SCRIPT = `console.log(${JSON.stringify('x'.repeat(500))})`;

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
}

describe('files of the portal', () => {
  let folder: string;
  let api: TestApi;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hindsight-portal-'));
    const built = join(folder, 'portal');
    await mkdir(join(built, 'assets'), { recursive: true });
    await writeFile(join(folder, 'secret.json'), 'secret');
    await writeFile(join(built, 'index.html'), PAGE);
    await writeFile(join(built, '.built-from'), 'digest');
    await writeFile(join(built, 'assets/index-a1b2.js'), SCRIPT);
    await writeFile(join(built, 'assets/index-a1b2.js.br'), brotliCompressSync(SCRIPT));
    await writeFile(join(built, 'assets/index-a1b2.js.gz'), gzipSync(SCRIPT));
    api = await startApi({ portal: loadPortalFiles(built) });
  });
  after(async () => {
    await api.stop();
    await rm(folder, { recursive: true });
  });

  /** The path as it is: `fetch` would tidy it up. */
  async function ask(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Answer> {
    const asked = request({ host: '127.0.0.1', port: api.port, path, method, headers, agent: false }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return { status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) };
  }

  for (const path of [
    '/portal/',
    '/portal/index.html',
    '/portal/g/x/map',
    '/portal/g/x/service/shop.checkout',
    '/portal/g/x/service/GET%20%2Fcart',
    '/portal/g/x/service/100%25',
    '/portal/?a=../b',
    '/portal/g/x/service/%3Cimg%20src=x%3E',
  ]) {
    it(`answer ${path} with the page that knows all paths, checked again each time`, async () => {
      const { status, headers, bytes } = await ask(path);
      assert.equal(status, 200);
      assert.equal(bytes.toString(), PAGE);
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(headers['cache-control'], 'no-cache');
    });
  }

  it('are kept for ever where their names have a hash, in the smallest form that the client takes', async () => {
    for (const [accept, encoding, unpack] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, gzip', 'gzip', gunzipSync],
      ['', undefined, undefined],
    ] as const) {
      const { headers, bytes } = await ask('/portal/assets/index-a1b2.js', { 'accept-encoding': accept });
      assert.equal(headers['content-encoding'], encoding);
      assert.equal((unpack === undefined ? bytes : unpack(bytes)).toString(), SCRIPT);
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.equal(headers['content-type'], 'text/javascript; charset=utf-8');
      assert.equal(headers.vary, 'Accept-Encoding');
      assert.equal(Number(headers['content-length']), bytes.length);
    }
  });

  it('are not sent again to who has them, nor where only their headers are asked for', async () => {
    const {
      headers: { etag = '' },
    } = await ask('/portal/');
    const known = await ask('/portal/', { 'if-none-match': etag });
    assert.deepEqual([known.status, known.bytes.length, known.headers.etag], [304, 0, etag]);
    const head = await ask('/portal/', {}, 'HEAD');
    assert.deepEqual([head.status, head.bytes.length, head.headers['content-length']], [200, 0, String(PAGE.length)]);
  });

  it('may do nothing but show what comes from here', async () => {
    const { headers } = await ask('/portal/');
    const policy = String(headers['content-security-policy']);
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ])
      assert.ok(policy.includes(part), part);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['referrer-policy'], 'same-origin');
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
    assert.match(String(headers['permissions-policy']), /microphone=\(self\)/);
    assert.equal(headers['set-cookie'], undefined);
  });

  for (const path of [
    '/portal/assets/missing.js',
    '/portal/assets',
    '/portal/robots.txt',
    '/portal/.built-from',
    '/portal/assets/index-a1b2.js.br',
    '/portal/../secret.json',
    '/portal/..%2fsecret.json',
    '/portal/%2e%2e/secret.json',
    '/portal/g/..%2f..%2fsecret.json',
    '/portal/g/%252e%252e%252fsecret',
    '/portal/g/..%5csecret',
    '/portal/g\\..\\secret',
    '/portal/g/%00',
    '/portal/g/x%00.html',
    '/portal/g/%',
    '/portal/g/%c0%ae%c0%ae/secret',
  ]) {
    it(`are not found under ${path}`, async () => {
      const { status, headers, bytes } = await ask(path);
      assert.ok(status === 404 || status === 400, String(status));
      assert.equal(headers['content-type'], 'application/problem+json');
      assert.ok(!bytes.includes('"secret"'));
    });
  }

  it('take GET and HEAD alone, and lead from their bare name to the page', async () => {
    assert.equal((await ask('/portal/', {}, 'POST')).status, 405);
    const { status, headers } = await ask('/portal?a=1');
    assert.deepEqual([status, headers.location], [308, '/portal/?a=1']);
  });

  it('where they were not built, say how to build them, and leave the API as it is', async () => {
    assert.equal(loadPortalFiles(folder), undefined);
    const without = await startApi();
    const answer = await fetch(`http://127.0.0.1:${without.port}/portal/`);
    assert.equal(answer.status, 404);
    assert.match(await answer.text(), /npm run build/);
    assert.equal((await without.get('/live')).status, 200);
    await without.stop();
  });
});

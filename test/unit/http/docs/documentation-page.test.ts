import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { html, renderInlineMarkdown } from '../../../../src/http/docs/html-template.js';
import { renderDocumentationPage } from '../../../../src/http/docs/documentation-page.js';
import { listOperations } from '../../../../src/http/openapi/openapi-operation.js';
import { DESCRIBED, startApi, type TestApi } from '../../../support/api.js';
import { exchange, rawRequest } from '../../../support/raw-http.js';

const NO_PRIMARY = { as: 'anonymous', version: null } as const;

describe('/docs and /openapi.json', () => {
  let api: TestApi;
  before(async () => void (api = await startApi()));
  after(() => api.stop());

  it('need neither a version nor credentials', async () => {
    const [document, page] = await Promise.all([api.get('/openapi.json', NO_PRIMARY), api.get('/docs', NO_PRIMARY)]);
    assert.deepEqual([document.status, document.headers.get('content-type')], [200, 'application/json; charset=utf-8']);
    assert.equal(document.json()['openapi'], '3.1.0');
    assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
    assert.match(page.text, /^<!doctype html>/);
  });

  it('answer 304 to who has them already', async () => {
    for (const path of ['/openapi.json', '/docs']) {
      const tag = (await api.get(path, NO_PRIMARY)).headers.get('etag') ?? '';
      const again = await api.get(path, { ...NO_PRIMARY, headers: { 'If-None-Match': tag } });
      assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', tag]);
      assert.equal((await api.get(path, { ...NO_PRIMARY, headers: { 'If-None-Match': '"other"' } })).status, 200);
    }
  });

  it('are zipped for those who take that, and for nobody else', async () => {
    const lengthOf = async (accept: string): Promise<readonly [string, number]> => {
      const { head } = await exchange(api.port, rawRequest('GET', '/openapi.json', [`Accept-Encoding: ${accept}`]));
      return [/content-encoding: (\w+)/i.exec(head)?.[1] ?? 'none', Number(/content-length: (\d+)/i.exec(head)?.[1])];
    };
    const [zipped, plain] = [await lengthOf('br, gzip;q=0.8'), await lengthOf('identity')];
    assert.deepEqual([zipped[0], plain[0]], ['gzip', 'none']);
    assert.ok(zipped[1] * 5 < plain[1], `${zipped[1]} of ${plain[1]} bytes`);
    assert.equal((await lengthOf('gzip;q=0'))[0], 'none');
    assert.equal((await lengthOf('x-gzip-not'))[0], 'none');
  });

  it('the page may show its own style, and load or run nothing', async () => {
    const page = await api.get('/docs', NO_PRIMARY);
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page.text) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    assert.equal(
      page.headers.get('content-security-policy'),
      `default-src 'none';style-src 'sha256-${hash}';base-uri 'none';form-action 'none';frame-ancestors 'none'`,
    );
    assert.doesNotMatch(page.text, /<script|<link|<img|<iframe|\sstyle=|\son\w+=|javascript:|@import|url\(/i);
  });
});

describe('the page of the document', () => {
  const page = renderDocumentationPage(DESCRIBED.document);
  const operations = Object.values(DESCRIBED.document.paths).flatMap(listOperations);

  it('has every operation and every schema once, with a call to copy', () => {
    const ids = Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id]) => id ?? '');
    assert.equal(new Set(ids).size, ids.length, 'anchors are unique');
    for (const { operationId } of operations) assert.ok(ids.includes(operationId), operationId);
    for (const name of Object.keys(DESCRIBED.document.components['schemas'] ?? {}))
      assert.ok(ids.includes(`schema-${name}`), name);
    assert.equal(page.match(/<pre>curl /g)?.length, operations.length);
  });

  it('leads nowhere that it does not have', () => {
    const ids = new Set(Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id]) => id));
    const links = Array.from(page.matchAll(/href="#([^"]+)"/g), ([, id]) => id);
    assert.deepEqual(
      links.filter((id) => !ids.has(id)),
      [],
    );
  });

  it('closes what it opens', () => {
    for (const element of [
      'details',
      'summary',
      'table',
      'tr',
      'td',
      'pre',
      'code',
      'section',
      'div',
      'ul',
      'li',
      'p',
      'span',
    ]) {
      assert.equal(
        page.match(new RegExp(`<${element}[ >]`, 'g'))?.length,
        page.match(new RegExp(`</${element}>`, 'g'))?.length,
        element,
      );
    }
  });

  it('lets no text of the document become markup', () => {
    const evil = `<script>alert(1)</script>"'&`;
    const shown = renderDocumentationPage(
      JSON.parse(JSON.stringify(DESCRIBED.document).replaceAll('Search traces', evil.replaceAll('"', '\\"'))),
    );
    assert.doesNotMatch(shown, /<script/);
    assert.match(shown, /&lt;script&gt;alert\(1\)&lt;\/script&gt;&quot;&#39;&amp;/);
    assert.equal(
      html`<a title="${'"><b>'}">${['<', html`<i>`]}</a>`.text,
      '<a title="&quot;&gt;&lt;b&gt;">&lt;<i></a>',
    );
    assert.equal(renderInlineMarkdown('`<x>` and **b**').text, '<code>&lt;x&gt;</code> and <strong>b</strong>');
  });
});

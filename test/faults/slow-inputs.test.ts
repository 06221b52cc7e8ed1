import assert from 'node:assert/strict';
import { createJwksFetcher } from '../../src/auth/tokens/issuer-discovery.js';
import { createTokenVerifier } from '../../src/auth/tokens/token-verifier.js';
import { findUngroundedFigures } from '../../src/assistant/language-model/figure-grounding.js';
import { normalizeForSpeech } from '../../src/assistant/speech/speech-text-normalizer.js';
import { parseIfMatch } from '../../src/http/requests/request-headers.js';
import { LogTemplateExtractor } from '../../src/telemetry/log-template.js';
import { processorMs, shortest } from '../support/measurement.js';
import { AUDIENCE, IssuerDouble, makeKey, signRaw, TENANT } from '../unit/auth/issuer-double.js';

/** Guards against inputs that take quadratic time to parse. */
describe('processor time of hostile input', () => {
  it('log template: linear in the body, whatever its quotes', async () => {
    const body = Buffer.from(`"${'"a '.repeat(2_000_000)}${`'b `.repeat(2_000_000)}":"`);
    const template = new LogTemplateExtractor();
    const extract = (): void => template.extract(body, 1, body.length - 1);
    assert.ok((await shortest(1_000, () => processorMs(extract))) < 1_000);
  });

  it('If-Match: linear in the header', async () => {
    for (const hostile of [
      '"'.repeat(16_000),
      ' ,'.repeat(8_000),
      `"a"${' '.repeat(16_000)}x`,
      '"a",'.repeat(4_000) + 'x',
    ]) {
      const parse = (): void => assert.equal(parseIfMatch([hostile]), undefined);
      assert.ok((await shortest(200, () => processorMs(parse))) < 200, hostile.slice(0, 4));
    }
  });

  it('figure grounding: finds thousands of figures among a hundred thousand', async () => {
    const evidence = [Array.from({ length: 100_000 }, (_, i) => 2 * i)];
    const text = Array.from({ length: 4_000 }, (_, i) => `${i + 0.25}`).join(' ');
    const find = (): void => assert.ok(findUngroundedFigures(text, evidence).length > 3_000);
    assert.ok((await shortest(2_000, () => processorMs(find))) < 2_000);
  });

  it('speech normalizer: any text of the maximum length', async () => {
    for (const unit of ['1,000.', '-', '[', 'a_', '9:', 'a1', '1-', '{/', ' \n', '[x](', '2026-11-']) {
      const text = unit.repeat(5000).slice(0, 5000);
      assert.ok((await shortest(1_000, () => processorMs(() => normalizeForSpeech(text)))) < 1_000, unit);
    }
  });

  it('bearer token: rejects the worst within 10 ms', async () => {
    const issuer = new IssuerDouble();
    await issuer.listen();
    const key = await makeKey('rsa');
    issuer.keys = [key.publicJwk];
    const verify = createTokenVerifier({
      issuer: issuer.issuer,
      tenantId: TENANT,
      audience: AUDIENCE,
      appPermission: 'Grid.Access',
      fetchKeys: createJwksFetcher(issuer.issuer),
      onRefreshFailure: (error) => assert.fail(String(error)),
      now: Date.now,
    });
    const worst = [
      `${'a'.repeat(5_400)}.${'b'.repeat(5_400)}.${'c'.repeat(5_000)}`,
      await signRaw(key, '{"alg":"RS256","kid":"rsa"}', deeplyNested(issuer.issuer)),
      '.'.repeat(16_000),
      'x'.repeat(10_000_000),
    ];
    for (const token of worst) {
      const ms = await shortest(10, () => processorMs(() => verify(token)));
      assert.ok(ms < 10, `${ms} ms`);
    }
    await issuer.close();
  });
});

/** Valid claims with an array nested 1,000 deep. */
function deeplyNested(iss: string): string {
  const claims = { iss, aud: AUDIENCE, oid: 'alice', sub: 'alice', tid: TENANT, ver: '2.0', exp: 4_000_000_000 };
  return `${JSON.stringify(claims).slice(0, -1)},"x":${'['.repeat(1_000)}${']'.repeat(1_000)}}`;
}

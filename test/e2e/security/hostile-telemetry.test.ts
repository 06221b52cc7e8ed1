import assert from 'node:assert/strict';
import { BlackBox } from '../../support/black-box.js';
import { KIND, logsOf, spanId, spansOf, traceId, type SpanFields } from '../../support/otlp-requests.js';

/** Texts that are harmful if executed, parsed, used as keys or printed. */
const TEXTS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "javascript:alert(1)//'",
  '__proto__',
  'constructor',
  'prototype.polluted',
  '$where',
  'a.b.c',
  '',
  '\u0000',
  '\u202egnp.exe',
  '\ufeffbom',
  '\u001b[31mred',
  'a\r\nSet-Cookie: x=1',
  "'; DROP TABLE events; --",
  '${jndi:ldap://x}',
  '{{7*7}}',
  '%00%2e%2e/',
  '../../../etc/passwd',
  '😀'.repeat(500),
  'NaN',
  'null',
  'undefined',
  '[object Object]',
];
/** Maximum depth of a trace, which exceeds any call stack. */
const CHAIN = 20_000;

describe('hostile telemetry', function () {
  this.timeout(60_000);
  let box: BlackBox;
  const at = BigInt(Date.now() - 120_000) * 1_000_000n;
  const range = {
    rangeStart: new Date(Date.now() - 3_600_000).toISOString(),
    rangeEnd: new Date(Date.now() + 60_000).toISOString(),
  };
  before(async () => void (box = await BlackBox.start()));
  after(() => box.dispose());

  /** All responses that contain telemetry. */
  const look = async (trace: string, span: string, service: string): Promise<string> => {
    const apm = (path: string) => `/apm/${path.replace('{grid}', box.gridId)}`;
    const paths = [
      `traces/{grid}/correlations/${trace}/spans`,
      `traces/{grid}/correlations/${trace}/errors`,
      `traces/{grid}/details/${span}`,
      `traces/{grid}/spans/${span}/tags`,
      `traces/{grid}/filters`,
      `logs/{grid}/filters`,
      'diagnostics/{grid}/health',
      'diagnostics/{grid}/service-map',
      'diagnostics/{grid}/timeline',
      `diagnostics/{grid}/service/${encodeURIComponent(service)}`,
      'metrics/{grid}',
    ];
    let texts = '';
    for (const path of paths) {
      const began = performance.now();
      const { status, headers, body } = await box.api.bytes('GET', apm(path));
      texts += Buffer.from(body).toString();
      assert.ok(status === 200 || status === 404, `${path}: ${status} ${Buffer.from(body).toString().slice(0, 300)}`);
      assert.match(headers.get('content-type') ?? '', /^application\/(problem\+)?json/);
      assert.deepEqual([headers.get('x-content-type-options'), headers.get('set-cookie')], ['nosniff', null]);
      assert.ok(performance.now() - began < 5_000, `${path} took too long`);
    }
    return texts;
  };

  it('all texts are returned unchanged, in names, keys and values', async () => {
    for (const [i, text] of TEXTS.entries()) {
      const attributes = [
        [text, text],
        [`key ${text}`, text],
      ] as const;
      const exception = {
        name: text,
        time: at,
        attributes: [
          ['exception.type', text],
          ['exception.message', text],
        ] as const,
      };
      const span: SpanFields = {
        traceId: traceId(i + 1),
        spanId: spanId(i + 1),
        name: text,
        kind: KIND.server,
        start: at,
        end: at + 1_000_000n,
        attributes,
        events: [exception],
        status: { code: 2, message: text },
      };
      assert.equal(
        (
          await box.send(
            'traces',
            spansOf(
              [
                ['service.name', text],
                ['service.version', text],
              ],
              span,
            ),
          )
        ).status,
        200,
        JSON.stringify(text),
      );
      assert.equal(
        (
          await box.send(
            'logs',
            logsOf([['service.name', text]], { time: at, body: text, attributes, traceId: traceId(i + 1) }),
          )
        ).status,
        200,
        JSON.stringify(text),
      );
    }
    await box.settled();
    for (const [i, text] of TEXTS.entries()) {
      await look(traceId(i + 1), spanId(i + 1), text === '' ? 'unknown_service' : text);
      const { status, body } = await box.traces({
        ...range,
        operationName: text === '' ? undefined : text,
        pageSize: 100,
      });
      assert.equal(status, 200);
      if (text !== '')
        assert.deepEqual(
          body.items.map(({ operationName }) => operationName),
          [text],
          'found by itself alone',
        );
      const tags = await box.traces({ ...range, tags: { [`key ${text}`]: text } });
      assert.deepEqual([tags.status, tags.body.totalCount], [200, 1], JSON.stringify(text));
    }
  });

  it('extreme times and impossible durations are returned or rejected, and never shown as NaN', async () => {
    const times = [
      0n,
      1n,
      946_684_800_000_000_000n,
      4_102_444_800_000_000_000n,
      2n ** 53n + 1n,
      2n ** 63n - 1n,
      2n ** 63n,
      2n ** 64n - 1n,
    ];
    for (const [i, time] of times.entries()) {
      const { status } = await box.send(
        'traces',
        spansOf(
          'years',
          { traceId: traceId(500 + i), spanId: spanId(500 + i), name: 'year', kind: KIND.server, start: time, end: at },
          { traceId: traceId(600 + i), spanId: spanId(600 + i), name: 'year', kind: KIND.server, start: at, end: time },
        ),
      );
      assert.equal(status, 200, String(time));
    }
    for (const value of [NaN, Infinity, -Infinity, -0, 1e308, 5e-324]) {
      assert.equal(
        (
          await box.send(
            'traces',
            spansOf('numbers', {
              traceId: traceId(700),
              spanId: spanId(700),
              name: 'n',
              start: at,
              end: at,
              attributes: [['n', value]],
            }),
          )
        ).status,
        200,
      );
    }
    await box.settled();
    const texts = await look(traceId(600), spanId(600), 'years');
    assert.doesNotMatch(texts, /:\s*(NaN|-?Infinity)|"duration[^"]*":\s*(null|-)/);
  });

  it('parent cycles, self-parents, and a chain deeper than any call stack', async () => {
    const child = (n: number, parent: number, trace: number): SpanFields => ({
      traceId: traceId(trace),
      spanId: spanId(n),
      parentSpanId: spanId(parent),
      name: `deep ${n % 50}`,
      kind: KIND.server,
      start: at,
      end: at + 1_000n,
    });
    const circle = [
      child(1_001, 1_002, 900),
      child(1_002, 1_003, 900),
      child(1_003, 1_001, 900),
      child(1_004, 1_004, 900),
    ];
    assert.equal((await box.send('traces', spansOf('circle', ...circle))).status, 200);
    const chain = Array.from({ length: CHAIN }, (_, i) => child(10_000 + i, 9_999 + i, 901));
    assert.equal((await box.send('traces', spansOf('chain', ...chain))).status, 200);
    await box.settled();
    await look(traceId(900), spanId(1_001), 'circle');
    await look(traceId(901), spanId(10_000 + CHAIN - 1), 'chain');
    const { body } = await box.traces(range);
    assert.ok(body.totalCount > 0);
    assert.ok(!box.service.logLines.some((line) => /uncaught|unhandled|Maximum call stack/i.test(line)));
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LogTemplateExtractor, MAX_TEMPLATE_BYTES } from '../../../src/telemetry/log-template.js';

const template = new LogTemplateExtractor();

function templateOf(text: string): string {
  // Quotes around the text show whether neighbouring bytes are looked at.
  const bytes = Buffer.from(`"${text}"`);
  template.extract(bytes, 1, bytes.length - 1);
  return Buffer.from(template.bytes.subarray(0, template.length)).toString();
}

describe('log template', () => {
  const examples: readonly (readonly [body: string, template: string])[] = [
    ['', ''],
    ['Server started', 'Server started'],
    ['Order 4711 placed by user-42 in 90 ms', 'Order * placed by * in * ms'],
    ['  two \t\n blanks  ', 'two blanks'],
    ['request 3f2504e0-4f89-11d3-9a0c-0305e82c3301 done', 'request * done'],
    ['commit deadbeefcafe by face', 'commit * by face'],
    ['GET /api/v1/carts/17?page=2 -> 200', 'GET /api/*/carts/*?page=* -> *'],
    ['2026-11-20T10:00:00.123Z [main] WARN slow', '* [main] WARN slow'],
    ['connect to 10.0.0.1:5432 failed: timeout', 'connect to * failed: timeout'],
    ["user 'Ann' not found", 'user * not found'],
    ['user "Ann \\"the\\" Boss" gone', 'user * gone'],
    ["can't open Ann's file", "can't open Ann's file"],
    ["it said 'no", "it said 'no"],
    ['ids [1, 2, 3] of 3', 'ids [*] of *'],
    ['ids [1, 2, 3, 4, 5] of 5', 'ids [*] of *'],
    ['1 2 3 4', '*'],
    ['**** alert ****', '* alert *'],
    ['mail to ann@example.org', 'mail to *'],
    ['{"level":"info","user":42,"ok":true}', '{"level":*,"user":*,"ok":true}'],
    ['Straße 12 ist gesperrt', 'Straße * ist gesperrt'],
  ];
  for (const [body, expected] of examples)
    it(`of ${JSON.stringify(body)} is ${JSON.stringify(expected)}`, () => assert.equal(templateOf(body), expected));

  it('is the same for bodies that differ in numbers only', () => {
    const words = fc.array(fc.constantFrom('order', 'of', '#', 'ms,', 'user-#', '/a/#', '(#)', '#.#s', '€'), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(words, fc.nat(), fc.nat(), (parts, one, other) => {
        const body = parts.join(' ');
        assert.equal(templateOf(body.replaceAll('#', String(one))), templateOf(body.replaceAll('#', String(other))));
      }),
    );
  });

  it('holds no digit, no blank more than needed, and whole characters', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.string(),
        fc.string({ unit: 'binary', maxLength: 80 }),
        fc.constantFrom('"', "'", ' ', '\n', '12', ',', ': ', '\\', '*'),
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = Buffer.from(parts.join('')).toString();
        const masked = templateOf(text);
        assert.doesNotMatch(masked, /[0-9@]| {2}|^ | $|\* ?\*/);
        assert.ok(Buffer.byteLength(masked) <= MAX_TEMPLATE_BYTES);
        assert.ok(!masked.includes('\ufffd') || text.includes('\ufffd'));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is cut at a character boundary', () => {
    assert.equal(templateOf(`x${'€'.repeat(100)} more`), `x${'€'.repeat(66)}`);
  });
});

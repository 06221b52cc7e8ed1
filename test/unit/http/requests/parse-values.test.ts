import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseInstant } from '../../../../src/http/requests/request-parser.js';
import { formatIsoMillis } from '../../../../src/telemetry/unix-time.js';

describe('parseInstant', () => {
  const noon = BigInt(Date.UTC(2026, 1, 28, 12)) * 1_000_000n;

  const accepted: readonly (readonly [string, bigint])[] = [
    ['2026-02-28T12:00:00Z', noon],
    ['2026-02-28T12:00Z', noon],
    ['2026-02-28T12:00:00.5Z', noon + 500_000_000n],
    ['2026-02-28T12:00:00.123456789Z', noon + 123_456_789n],
    ['2026-02-28T12:00:00.1234567Z', noon + 123_456_700n],
    ['2026-02-28T14:00:00+02:00', noon],
    ['2026-02-28T06:30:00.000-05:30', noon],
    ['2026-02-28T12:00:00-00:00', noon],
    ['2024-02-29T00:00:00Z', BigInt(Date.UTC(2024, 1, 29)) * 1_000_000n],
    ['1970-01-01T00:00:00Z', 0n],
    ['1969-12-31T23:59:59.999999999Z', -1n],
    ['9999-12-31T23:59:59Z', 253_402_300_799n * 1_000_000_000n],
  ];
  for (const [text, nanos] of accepted) it(`reads ${text}`, () => assert.equal(parseInstant(text), nanos));

  const refused = [
    '',
    'yesterday',
    '2026',
    '2026-02-28',
    '2026-02-28T12:00:00',
    '2026-02-28 12:00:00Z',
    '2026-02-30T12:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T23:60:00Z',
    '2026-01-01T23:59:60Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+02:60',
    '2026-01-01T00:00:00+0200',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00.1234567890Z',
    '+012026-01-01T00:00:00Z',
    '2026-1-1T00:00:00Z',
    '1767225600000',
    ' 2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00Z\n',
    '2026-01-01t00:00:00z',
    '0000-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
  ];
  for (const text of refused) it(`refuses ${JSON.stringify(text)}`, () => assert.equal(parseInstant(text), undefined));

  it('reads back every moment that answers print', () => {
    const moments = fc.date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moments, (moment) => {
        const nanos = BigInt(moment.getTime()) * 1_000_000n;
        assert.equal(parseInstant(moment.toISOString()), nanos);
        if (nanos >= 0n) assert.equal(parseInstant(formatIsoMillis(nanos)), nanos);
      }),
    );
  });

  it('gives the same moment for every offset', () => {
    fc.assert(
      fc.property(fc.integer({ min: -23 * 60, max: 23 * 60 }), (offset) => {
        const sign = offset < 0 ? '-' : '+';
        const zone = `${sign}${String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0')}:${String(Math.abs(offset) % 60).padStart(2, '0')}`;
        const local = new Date(Number(noon / 1_000_000n) + offset * 60_000).toISOString().slice(0, 19);
        assert.equal(parseInstant(local + zone), noon);
      }),
    );
  });
});

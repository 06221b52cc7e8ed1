import assert from 'node:assert/strict';
import fc from 'fast-check';
import { removeSynthesisMarkup, normalizeForSpeech } from '../../../../src/assistant/speech/speech-text-normalizer.js';

const SAID: Record<string, string> = {
  // names
  'checkout-service is slow.': 'checkout service is slow.',
  'The call to orders-db fails': 'The call to orders D B fails',
  'PlaceOrder in cartService': 'Place Order in cart Service',
  'POST /api/v1/orders/{id} fails': 'POST A P I v 1 orders I D fails',
  'oteldemo.CheckoutService/PlaceOrder': 'oteldemo.Checkout Service Place Order',
  user_service_2: 'user service 2',
  'payment v1.8.3 was deployed': 'payment version 1.8.3 was deployed',
  'trace 4bf92f3577b34da6a3ce929d0e0e4736 shows it': 'trace the I D that ends in 4 7 3 6 shows it',
  'grid 0b6f8a52-9d3e-4f0e-8c55-1a2b3c4d5e6f': 'grid the I D that ends in 5 E 6 F',
  "It is a well-known cause, isn't it?": "It is a well known cause, isn't it?",
  'HTTP 503 and 5xx': 'H T T P 503 and 5 X X',
  // figures
  'p95 is 2,300 ms (+145%).': 'p 95 is 2,300 milliseconds (plus 145 percent).',
  'The 95th percentile': 'The 95th percentile',
  'error rate 5.3 %': 'error rate 5.3 percent',
  'error rate 5.3%, up from 0.1%': 'error rate 5.3 percent, up from 0.1 percent',
  '12.5 req/s': '12.5 requests per second',
  'It takes 40/s and 3 MB/s': 'It takes 40 per second and 3 megabytes per second',
  '1 ms, 1 s, 2 s, 15 min, 3 h': '1 millisecond, 1 second, 2 seconds, 15 minutes, 3 hours',
  '250µs': '250 microseconds',
  '-12 %': 'minus 12 percent',
  'from 120 to 1.2k rps': 'from 120 to 1.2 thousand requests per second',
  '10–20 requests': '10 to 20 requests',
  'error_rate > 5%': 'error rate more than 5 percent',
  'latency_p95 ≥ 2000ms': 'latency p 95 at least 2000 milliseconds',
  '200 ms → 900 ms': '200 milliseconds to 900 milliseconds',
  'top-5 of 7 services': 'top 5 of 7 services',
  '3x slower': '3 times slower',
  'apdex 0.712': 'apdex 0.712',
  // times
  'since 2026-11-20T14:05:00Z': 'since November 20, 14 oh 5 UTC',
  'at 2026-01-03T09:30:15.123Z it began': 'at January 3, 9 30 and 15 seconds UTC it began',
  'at 14:00': "at 14 o'clock",
  'on 2026-11-20': 'on November 20',
  '00:01:01 UTC': '0 oh 1 and 1 second UTC',
  // Markdown
  '**Checkout** is `slow`': 'Checkout is slow',
  '# Health\n- a is fine\n- b fails': 'Health. a is fine. b fails',
  'see [the docs](https://x.example/a?b=c)': 'see the docs',
  'see https://hindsight.example/docs/a?b=c for more': 'see hindsight dot example for more',
  'a _very_ good day': 'a very good day',
  '✅ all good 🎉': 'all good',
  // engine markup
  "[[h@l'oU]] there": "h@l'o U there",
};

describe('Text to be spoken', () => {
  for (const [written, said] of Object.entries(SAID)) {
    it(`says ${JSON.stringify(written)}`, () => assert.equal(normalizeForSpeech(written), said));
  }

  it('leaves nothing of what an engine interprets, whatever the text', () => {
    const hostile = fc.string({
      unit: fc.constantFrom(
        '<',
        '>',
        '[',
        ']',
        '[[',
        ']]',
        '\0',
        '\u001b',
        '\u202e',
        '\ud800',
        'a',
        ' ',
        '-',
        '5',
        '%',
        ':',
        '{',
        '/',
        '.',
        '\n',
      ),
    });
    fc.assert(
      fc.property(hostile, (text) => {
        for (const said of [normalizeForSpeech(text), removeSynthesisMarkup(text)])
          assert.doesNotMatch(said, /[<>]|\[\[|\]\]|[\p{Cc}\p{Cf}\p{Cs}]/u, JSON.stringify(text));
      }),
      { numRuns: 2000 },
    );
  });
});

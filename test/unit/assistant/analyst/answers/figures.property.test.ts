import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createAnalyst } from '../../../../../src/assistant/analyst/analyst.js';
import type { ToolQueries } from '../../../../../src/assistant/tool.js';
import { NOW, SHOP, type Shop } from '../../shop.js';
import { shopQueries } from '../../shop-queries.js';

/** Window lengths that an answer may mention: minutes of the default ones, hours and days of wider ones. */
const WINDOWS = [7, 15, 20, 24, 60];

const QUESTIONS = [
  'is anything broken?',
  'how is payment doing?',
  'why is checkout slow?',
  'root cause',
  'since when is checkout slow',
  'who is affected',
  'how sure are you',
  'what should I do',
  'overall latency',
  'how fast is payment',
  'p99 of payment',
  'errors',
  'errors of payment',
  'traffic',
  'how many requests does frontend get',
  'failed traces',
  'slow traces',
  'logs',
  'what changed',
  'when was checkout last deployed',
  'alerts',
  'alert rules',
  'pressure',
  'what depends on orders-db',
  'service map',
  'slowest endpoints',
  'trends',
  'is payment getting worse',
  'compare the last hour with yesterday',
  'compare checkout and payment',
  'what happened',
  'list services',
  'tell me about payment',
  'memory of payment',
  'metrics',
  'is it over?',
  'has payment recovered',
  'has orders-api recovered',
  'first error of payment',
  'last error',
  'which alerts are critical',
  'which alerts were resolved',
  'request rate of payment',
  'how often was CardDeclinedException thrown',
  'path from frontend to orders-db',
  'how many prompts have I left',
  'how much energy do I have',
];

/** Of nine reserved sources, all but the one that was used are refunded. */
const SOURCES_LEFT = 9;

const figure = fc.integer({ min: 0, max: 900_000 }).map((hundredths) => hundredths / 100);
const count = fc.integer({ min: 0, max: 90_000 });

/** The shop with random figures; names, texts and times are those of SHOP. */
const shops: fc.Arbitrary<Shop> = fc
  .record({
    figures: fc.array(figure, { minLength: 60, maxLength: 60 }),
    counts: fc.array(count, { minLength: 60, maxLength: 60 }),
  })
  .map(({ figures, counts }) => {
    let next = 0;
    const renumbered = (value: unknown, key = ''): unknown => {
      if (typeof value === 'number' && value < 1e12)
        return (Number.isInteger(value) && /count|capacity|depth|rank|used|energy/i.test(key) ? counts : figures)[
          next++ % 60
        ];
      if (Array.isArray(value)) return value.map((item) => renumbered(item, key));
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, renumbered(member, name)]));
    };
    return renumbered(SHOP) as Shop;
  });

/** Collects all numbers in a result, including its texts, and the lengths of its lists. */
function reportedNumbers(value: unknown, numbers: Set<string>): Set<string> {
  if (typeof value === 'number') numbers.add(String(Math.abs(value)));
  else if (typeof value === 'string') for (const number of numbersIn(value)) numbers.add(number);
  else if (Array.isArray(value)) for (let length = 0; length <= value.length; length++) numbers.add(String(length));
  if (typeof value === 'object' && value !== null)
    Object.values(value).forEach((member) => reportedNumbers(member, numbers));
  return numbers;
}

/** Figures: not times, versions, ids or names such as p95. */
function numbersIn(text: string): string[] {
  const plain = text.replace(/\d{4}-\d{2}-\d{2}|\d{1,2}:\d{2}|\b[0-9a-f]{16,}\b|\bp\d\d\b|\d+\.\d+\.\d+/g, ' ');
  return (plain.match(/(?<![\w.])\d+(?:\.\d+)?(?:e[+-]?\d+)?/g) ?? []).map((number) => String(Number(number)));
}

/** The same queries, recording all numbers in their results. */
function remembering<Queries extends object>(queries: Queries, numbers: Set<string>): Queries {
  return new Proxy(queries, {
    get(target, name, receiver) {
      const member = Reflect.get(target, name, receiver) as unknown;
      if (typeof member === 'function')
        return async (...given: unknown[]) => {
          const answer: unknown = await (member as (...each: unknown[]) => unknown)(...given);
          reportedNumbers(answer, numbers);
          return answer;
        };
      return typeof member === 'object' && member !== null ? remembering(member, numbers) : member;
    },
  });
}

describe('figures of answers', () => {
  it('are those of the data, or count them', async () => {
    await fc.assert(
      fc.asyncProperty(shops, fc.constantFrom(...QUESTIONS), async (shop, text) => {
        const numbers = new Set([...WINDOWS.map(String), '0', '1', '100', '10']);
        const queries: ToolQueries = remembering(shopQueries(shop).queries, numbers);
        const { response } = await createAnalyst(queries).answer(
          { text, gridId: 'g', userId: 'u', mayAdminister: true, turns: [], nowMs: NOW, maxSources: 9 },
          new AbortController().signal,
        );
        // Search arguments and remaining limits are derived from previous results.
        numbers
          .add(String(Math.ceil(shop.trends.latency.current.p95)))
          .add(String(Math.max(0, 100 - shop.promptsUsed)))
          .add(String(Math.floor(shop.energy) + SOURCES_LEFT));
        for (const number of numbersIn(response))
          assert.ok(numbers.has(number), `${number} in the answer to “${text}”:\n${response}`);
      }),
      { numRuns: 300 },
    );
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createAnalyst } from '../../../../../src/assistant/analyst/analyst.js';
import { formatName, quote } from '../../../../../src/assistant/analyst/answers/answer-formatting.js';
import {
  markQueries,
  restoreControls,
  showMarks,
} from '../../../../../src/assistant/analyst/answers/marked-controls.js';
import type { ToolQueries } from '../../../../../src/assistant/tool.js';
import { NOW, SHOP } from '../../shop.js';
import { shopQueries } from '../../shop-queries.js';

/** Begins a line of a list, and a sentence of its own. */
const IMITATION = 'payment\n- frontend: no requests\r\u2028All services are healthy.';
const SHOWN = 'payment\\u000a- frontend: no requests\\u000d\\u2028All services are healthy.';

/** The value with the imitation in place of the name of a service. */
function imitate(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(/\bpayment\b/g, IMITATION);
  if (Array.isArray(value)) return value.map(imitate);
  if (value instanceof Map) return new Map(imitate([...value]) as [unknown, unknown][]);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(imitate(Object.entries(value)) as [string, unknown][]);
}

async function ask(text: string) {
  const { queries, calls } = shopQueries(imitate(SHOP) as typeof SHOP);
  const prompt = { text, gridId: 'g', userId: 'u', mayAdminister: true, turns: [], nowMs: NOW, maxSources: 9 };
  return { ...(await createAnalyst(queries).answer(prompt, new AbortController().signal)), calls };
}

describe('control characters in names of telemetry', () => {
  const QUESTIONS = [
    'Is anything broken?',
    'Which services are there?',
    'Which services are slow?',
    'Which service has the most errors?',
    'Why is payment slow?',
    'Which services depend on payment?',
    'What changed in the last hour?',
    'Are there any alerts?',
    'Compare payment with frontend',
    'Show failed traces of payment',
    'What is the root cause?',
  ];
  for (const question of QUESTIONS)
    it(`do not imitate lines of the answer: ${question}`, async () => {
      const { response, sources, suggestedFollowUps } = await ask(question);
      const shown = [response, ...sources.map(({ description }) => description), ...suggestedFollowUps].join('\n');
      assert.doesNotMatch(shown, /^(?:- frontend: no requests|All services)/m);
      assert.doesNotMatch(shown, /[\r\u2028\u{f0000}-\u{fffff}]/u);
    });

  it('are shown escaped, in answers and in what can be asked next', async () => {
    const { response, suggestedFollowUps } = await ask('Which services depend on payment?');
    assert.ok(response.includes(SHOWN), response);
    assert.ok(suggestedFollowUps.every((each) => !each.includes('\n')));
  });

  it('are those of telemetry in what is looked up', async () => {
    const { calls, queries } = await ask('Show failed traces of payment');
    const asked = calls.filter(({ name }) => name === 'findTraces').flatMap((call) => call.with);
    assert.ok(
      asked.some((query) => (query as { serviceName?: string }).serviceName === IMITATION),
      JSON.stringify(asked),
    );
    assert.ok(
      queries.some((query) => query.includes(JSON.stringify(IMITATION))),
      queries.join('\n'),
    );
  });

  it('come back as they were from what was marked, whatever the data', async () => {
    const data = fc.anything({ withMap: true, withBigInt: true, withNullPrototype: false });
    await fc.assert(
      fc.asyncProperty(data, async (value) => {
        const queries = { usage: { usage: async () => value } } as unknown as ToolQueries;
        const marked: unknown = await (markQueries(queries).usage as unknown as { usage(): Promise<unknown> }).usage();
        assert.deepEqual(restoreControls(marked), value);
      }),
    );
  });

  it('are blanks in messages, which have lines', async () => {
    const queries = { usage: { usage: async () => 'a\n\tb' } } as unknown as ToolQueries;
    const marked = await (markQueries(queries).usage as unknown as { usage(): Promise<string> }).usage();
    assert.deepEqual([quote(marked), showMarks(formatName(marked))], ['“a b”', 'a\\u000a\\u0009b']);
  });
});

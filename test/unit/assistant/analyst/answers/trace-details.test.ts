import assert from 'node:assert/strict';
import { createAnalyst } from '../../../../../src/assistant/analyst/analyst.js';
import type { ConversationTurn } from '../../../../../src/commands/assistant/assistant-commands.js';
import { NOW, TRACE } from '../../shop.js';
import { shopQueries } from '../../shop-queries.js';

async function answers(texts: readonly string[]): Promise<string> {
  const analyst = createAnalyst(shopQueries({}).queries);
  const turns: ConversationTurn[] = [];
  for (const text of texts) {
    const { response, focus } = await analyst.answer(
      { text, gridId: 'g', userId: 'u', mayAdminister: true, turns, nowMs: NOW, maxSources: 9 },
      new AbortController().signal,
    );
    turns.push({ prompt: text, response, focus, at: NOW });
  }
  return turns.at(-1)!.response;
}

describe('a trace', () => {
  it('is reported by its id', async () =>
    assert.match(await answers([`show me trace ${TRACE}`]), new RegExp(`^Trace ${TRACE}: `)));

  it('is asked for where no id is left of what was spoken of', async () => {
    assert.match(
      await answers([`show me trace ${TRACE}`, 'yesterday root which thanks least 500']),
      /^Which trace do you mean\? Tell me its id\.$/,
    );
  });
});

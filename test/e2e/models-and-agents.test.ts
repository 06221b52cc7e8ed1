import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { BlackBox } from '../support/black-box.js';
import { spanId, spansOf, STATUS, traceId } from '../support/otlp-requests.js';
import {
  toolCallMessage,
  answerMessage,
  startScriptedEndpoint,
  type Script,
  type ScriptedEndpoint,
} from '../support/scripted-endpoint.js';

const PROMPT = 'How healthy is the xylophone shop?';
const KEY = 'sk-very-secret';

interface Reply {
  readonly response: string;
  readonly conversationId: string;
  readonly sources: readonly { readonly type: string }[];
  readonly suggestedFollowUps: readonly string[];
  readonly energyConsumed: number;
}

describe('language models and agents in a running service', function () {
  this.timeout(120_000);
  const client = new Client({ name: 'agent', version: '1' });
  let script: Script;
  let endpoint: ScriptedEndpoint;
  let box: BlackBox;
  let chat: (prompt: string, conversationId?: string) => Promise<Reply>;

  before(async () => {
    endpoint = await startScriptedEndpoint((asked, nth) => script(asked, nth));
    box = await BlackBox.start({
      LLM_BASE_URL: endpoint.baseUrl,
      LLM_MODEL: 'm-1',
      LLM_API_KEY: KEY,
      LOG_LEVEL: 'debug',
    });
    const start = BigInt(Date.now() - 60_000) * 1_000_000n;
    const failed = (n: number) => ({
      traceId: traceId(n + 1),
      spanId: spanId(n + 1),
      name: 'GET /instruments',
      start,
      end: start + 20_000_000n,
      ...(n < 3 && { status: { code: STATUS.error } }),
    });
    await box.record('traces', spansOf('xylophone', ...Array.from({ length: 12 }, (_, n) => failed(n))));
    const { body: session } = await box.api.post<{ instanceSecondaryId: string }>(
      `/assistant/sessions/${box.gridId}`,
      {},
    );
    chat = async (prompt, conversationId) => {
      const { status, body } = await box.api.post<Reply>(`/assistant/chat/${session.instanceSecondaryId}`, {
        prompt,
        conversationId,
      });
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    };
  });
  // The endpoint first: if the service did not start, the endpoint alone would keep the process alive.
  after(() => endpoint.close());
  after(() => client.close());
  after(() => box.dispose());

  const energy = async (): Promise<unknown> => (await box.api.get('/assistant/usage/energy')).body['currentEnergy'];

  it('a model answers from the tools, and the answer costs the tools used', async () => {
    // No tool returned 99: the model is called once more.
    script = ({ messages }) => {
      const last = messages.at(-1);
      if (last?.role === 'user' && last.content === PROMPT) return toolCallMessage(['GetSystemHealth', {}]);
      return answerMessage(
        last?.role === 'tool'
          ? 'All 99 are fine.'
          : 'xylophone is degraded: 25 % of 12 requests failed.\n>> Why does xylophone fail?',
      );
    };
    const reply = await chat(PROMPT);
    assert.deepEqual(
      [reply.response, reply.sources.map(({ type }) => type), reply.suggestedFollowUps, reply.energyConsumed],
      [
        `xylophone is degraded: 25 % of 12 requests failed.\n\nAsked:\n\`\`\`\nGET /apm/diagnostics/${box.gridId}/health?api-version=2.0\n\`\`\``,
        ['health'],
        ['Why does xylophone fail?'],
        2,
      ],
    );
    assert.equal(await energy(), 98);
    assert.match(endpoint.asked[1].body.messages.at(-1)?.content ?? '', /"xylophone"/);
  });

  it('the built-in analyst answers if the model fails, in the same conversation', async () => {
    script = () => answerMessage('Hello.');
    const { conversationId } = await chat(PROMPT);
    script = () => ({ status: 401, body: { error: { message: `${PROMPT} ${KEY}` } } });
    const reply = await chat('Is anything broken?', conversationId);
    assert.equal(reply.conversationId, conversationId);
    assert.match(reply.response, /xylophone/);
    assert.match(
      reply.response,
      /The language model could not be used, so the built-in analyst answered\.\n\nAsked:\n/,
    );
    assert.ok(reply.sources.length > 0);
  });

  it('agents get the same results over MCP', async () => {
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${box.service.apiUrl}/mcp`), {
        requestInit: { headers: { 'api-key': box.apiKey } },
      }),
    );
    const { content } = await client.callTool({ name: 'GetSystemHealth', arguments: {} });
    const { answer } = JSON.parse((content as { text: string }[])[0].text) as { answer: { services: unknown } };
    const { body: health } = await box.api.get<{ services: unknown }>(`/apm/diagnostics/${box.gridId}/health`);
    assert.deepEqual(answer.services, health.services);
    assert.equal((await client.callTool({ name: 'GetGridInfo', arguments: {} })).isError, undefined);
    assert.equal((await fetch(`${box.service.apiUrl}/mcp`, { method: 'POST' })).status, 401);
  });

  it('neither prompts nor keys are in the log', () => {
    const log = box.service.logLines.join('\n');
    assert.match(log, /The language model gave no usable answer/);
    for (const secret of [PROMPT, 'Is anything broken', KEY, box.apiKey]) assert.ok(!log.includes(secret), secret);
  });
});

import assert from 'node:assert/strict';
import { createBoundedFetch } from '../../../../../../src/assistant/language-model/adapters/openai/bounded-fetch.js';
import { createOpenAiModel } from '../../../../../../src/assistant/language-model/adapters/openai/openai-model.js';
import type { CompletionRequest } from '../../../../../../src/assistant/language-model/language-model.js';
import {
  toolCallMessage,
  answerMessage,
  startScriptedEndpoint,
  type Script,
  type ScriptedEndpoint,
} from '../../../../../support/scripted-endpoint.js';

const DIALOGUE: CompletionRequest = {
  messages: [
    { role: 'system', text: 'rules' },
    { role: 'user', text: 'question' },
    { role: 'assistant', text: '', calls: [{ id: 'c1', name: 'GetLogs', arguments: '{}' }] },
    { role: 'tool', callId: 'c1', text: 'result' },
  ],
  tools: [{ name: 'GetLogs', description: 'Logs.', parameters: { type: 'object' } }],
  mayCall: true,
};

describe('createOpenAiModel', () => {
  let endpoint: ScriptedEndpoint;

  afterEach(() => endpoint.close());

  const complete = async (
    script: Script,
    { apiKey, signal = new AbortController().signal }: { apiKey?: string; signal?: AbortSignal } = {},
  ) => {
    endpoint = await startScriptedEndpoint(script);
    return createOpenAiModel({ baseUrl: `${endpoint.baseUrl}/`, model: 'm-1', apiKey, maxTokens: 77 }).complete(
      DIALOGUE,
      signal,
    );
  };

  it('sends the dialogue as chat completions have it', async () => {
    await complete(() => answerMessage('Fine.'));
    assert.equal(endpoint.asked[0].url, '/v1/chat/completions');
    assert.deepEqual(endpoint.asked[0].body, {
      model: 'm-1',
      max_tokens: 77,
      tool_choice: 'auto',
      messages: [
        { role: 'system', content: 'rules' },
        { role: 'user', content: 'question' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'GetLogs', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'result' },
      ],
      tools: [
        { type: 'function', function: { name: 'GetLogs', description: 'Logs.', parameters: { type: 'object' } } },
      ],
    });
  });

  it('reads texts and calls, also those whose arguments are an object', async () => {
    assert.deepEqual(await complete(() => answerMessage('Fine.')), { text: 'Fine.', calls: [] });
    await endpoint.close();
    assert.deepEqual(await complete(() => toolCallMessage(['GetLogs', '{"a":1}'])), {
      text: '',
      calls: [{ id: 'theirs-0', name: 'GetLogs', arguments: '{"a":1}' }],
    });
    await endpoint.close();
    const objects = {
      choices: [
        {
          message: {
            tool_calls: [{ function: { name: 'GetLogs', arguments: { a: 1 } } }, { function: { name: 'GetLogs' } }],
          },
        },
      ],
    };
    assert.deepEqual(
      (await complete(() => ({ body: objects }))).calls.map((call) => call.arguments),
      ['{"a":1}', ''],
    );
  });

  it('refuses messages of other shapes', async () => {
    for (const message of [
      { content: 7 },
      { content: [] },
      { tool_calls: {} },
      { tool_calls: [{ function: {} }] },
      { tool_calls: [null] },
    ]) {
      await assert.rejects(
        complete(() => ({ body: { choices: [{ message }] } })),
        { name: 'ModelError', fault: 'malformed' },
      );
      await endpoint.close();
    }
    await assert.rejects(
      complete(() => ({ body: [] })),
      { fault: 'malformed' },
    );
  });

  it('sends no key where there is none, and nothing that the environment holds for others', async () => {
    const environment = {
      OPENAI_API_KEY: 'sk-of-another',
      OPENAI_ORG_ID: 'org-1',
      OPENAI_PROJECT_ID: 'p-1',
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
      OPENAI_CUSTOM_HEADERS: 'Authorization: Bearer other\nX-Other: 1',
    };
    const before = { ...process.env };
    Object.assign(process.env, environment);
    try {
      await complete(() => answerMessage('Fine.'));
    } finally {
      process.env = before;
    }
    const { headers } = endpoint.asked[0];
    assert.deepEqual(
      [headers.authorization, headers['x-other'], headers['openai-organization'], headers['openai-project']],
      [undefined, undefined, undefined, undefined],
    );
  });

  it('tries once more what may pass, and no more', async () => {
    assert.equal(
      (await complete((_, nth) => (nth === 0 ? { status: 503, body: {} } : answerMessage('Fine.')))).text,
      'Fine.',
    );
    assert.equal(endpoint.asked.length, 2);
  });

  it('ends as soon as nobody waits: while it is asked, and between two attempts', async () => {
    for (const answer of [{}, { status: 503, body: {} }]) {
      const leaving = new AbortController();
      const ended = complete(() => (setImmediate(() => leaving.abort()), answer), { signal: leaving.signal });
      await assert.rejects(ended, { name: 'AbortError' });
      assert.equal(endpoint.asked.length, 1);
      await endpoint.close();
    }
  });

  it('reaches no other address', async () => {
    endpoint = await startScriptedEndpoint(() => answerMessage('Gotcha.'));
    await assert.rejects(createBoundedFetch(new URL('http://127.0.0.1:9/v1'))(`${endpoint.baseUrl}/chat/completions`), {
      fault: 'refused',
    });
    assert.equal(endpoint.asked.length, 0);
  });
});

import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { TOOLS } from '../../../../src/assistant/tools/tool-registry.js';
import { HindsightError } from '../../../../src/errors.js';
import type { AppOptions } from '../../../../src/http/app.js';
import {
  assertProblem,
  PUBLIC_URL,
  startApi,
  type CallOptions,
  type Reply,
  type TestApi,
} from '../../../support/api.js';
import { credentialsOf, GRID_A, GRID_B, GRID_INACTIVE, type CallerName } from '../../../support/fake-access.js';
import { TRACE_ID } from '../../../support/fake-telemetry.js';

const RANGE = { rangeStart: '2026-01-01T00:00:00Z', rangeEnd: '2026-01-02T00:00:00Z' };
const MCP_HEADERS = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' };

describe('POST /mcp', () => {
  let api: TestApi;
  let clients: Client[] = [];

  const start = async (overrides: Partial<AppOptions> = {}): Promise<void> => {
    await api.stop();
    api = await startApi(overrides);
  };
  const connect = async (as: CallerName = 'owner', headers: Record<string, string> = {}): Promise<Client> => {
    const client = new Client({ name: 'test', version: '1' });
    clients.push(client);
    const requestInit = { headers: { ...credentialsOf(as), ...headers } };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${api.port}/mcp`), { requestInit }),
    );
    return client;
  };
  const post = (message: unknown, options: CallOptions = {}): Promise<Reply> =>
    api.post('/mcp', message, { version: null, ...options, headers: { ...MCP_HEADERS, ...options.headers } });
  const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

  beforeEach(async () => {
    api = await startApi();
    clients = [];
  });
  afterEach(async () => {
    for (const client of clients) await client.close();
    await api.stop();
  });

  describe('to a client of the SDK', () => {
    it('offers every question as a tool that only reads', async () => {
      const client = await connect();
      assert.equal(client.getServerVersion()?.name, 'hindsight');
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        TOOLS.map(({ name }) => name),
      );
      for (const { annotations, inputSchema } of tools) {
        assert.deepEqual(
          { ...annotations, title: '' },
          { title: '', readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
        );
        assert.equal(inputSchema['additionalProperties'], false);
        assert.ok(Object.keys(inputSchema.properties ?? {}).every((name) => !/grid/i.test(name)));
      }
    });

    it('answers what the query answers, for the Grid of the key', async () => {
      const client = await connect('key');
      const answer = await call(client, 'GetSystemHealth');
      assert.equal(answer.isError, undefined);
      const { services } = (JSON.parse(answer.text) as { answer: { services: { errorRate: number }[] } }).answer;
      assert.equal(services[0].errorRate, 8.5);
      assert.deepEqual(
        api.diagnostics.asked.map(({ name, with: [gridId] }) => [name, gridId]),
        [['health', GRID_A]],
      );
    });

    it('reports in words what is wrong with arguments, and asks nothing', async () => {
      const answer = await call(await connect(), 'GetTrace', { spanId: 7, gridId: GRID_B });
      assert.equal(answer.isError, true);
      assert.match(answer.text, /"gridId" is not an argument of this tool/);
      assert.deepEqual(api.telemetry.asked, []);
    });

    it('reports what is not there', async () => {
      const answer = await call(await connect(), 'GetTraceSpans', { traceId: 'ffff' });
      assert.deepEqual(answer, { isError: true, text: 'No trace of this id was found in the Grid.' });
    });

    it('knows no tools but those', async () => {
      const client = await connect();
      await assert.rejects(client.callTool({ name: 'DeleteGrid', arguments: {} }), /-32602.*Unknown tool "DeleteGrid"/);
    });

    it('reveals nothing internal when a query fails, and logs it under the id that it reports', async () => {
      api.telemetry.traceSpans = () => Promise.reject(new Error('SQLITE_CORRUPT: /var/lib/hindsight'));
      const answer = await call(await connect(), 'GetTraceSpans', { traceId: TRACE_ID });
      const id = /^An internal error occurred\. Correlation id: (\S+)$/.exec(answer.text)?.[1];
      assert.ok(answer.isError === true && id !== undefined, answer.text);
      const [line] = api.log.filter(({ level }) => level === 'error');
      assert.deepEqual(
        [line.fields['requestId'], line.fields['tool'], (line.fields['error'] as Error).message],
        [id, 'GetTraceSpans', 'SQLITE_CORRUPT: /var/lib/hindsight'],
      );
    });

    it('asks to come back while a store is unavailable, and waits for no query for ever', async () => {
      await start({ responseTimeoutMs: 500 });
      const client = await connect();
      api.telemetry.traceSpans = () => Promise.reject(new HindsightError('unavailable', 'mongodb://secret@10.0.0.1'));
      const away = await call(client, 'GetTraceSpans', { traceId: TRACE_ID });
      api.telemetry.traceSpans = () => new Promise(() => undefined);
      const late = await call(client, 'GetTraceSpans', { traceId: TRACE_ID });
      for (const answer of [away, late])
        assert.deepEqual(answer, {
          isError: true,
          text: 'The data is temporarily unavailable. Call again in a few seconds.',
        });
    });

    it('cuts an answer at 64 KB, and says how to get all of it', async () => {
      const items = Array.from({ length: 100 }, (_, i) => ({
        ...api.telemetry.entry,
        id: `log-${i}`,
        body: `"${i}" `.repeat(400),
      }));
      api.telemetry.findLogs = async () => ({ items, totalCount: 100 });
      const client = await connect();
      const seen: string[] = [];
      let next: string | undefined;
      do {
        const { text } = await call(client, 'GetLogs', {
          ...RANGE,
          pageSize: 100,
          ...(next !== undefined && { next }),
        });
        assert.ok(JSON.stringify(text).length <= 64 * 1024, `${JSON.stringify(text).length}`);
        const [json, note] = text.split('\n');
        const { items: some, elements } = JSON.parse(json) as Record<string, { id: string }[]>;
        seen.push(...(some ?? elements).map(({ id }) => id));
        next =
          note === undefined
            ? undefined
            : (JSON.parse(/^truncated, next = (".*") \(/.exec(note)?.[1] ?? 'null') as string);
      } while (next !== undefined);
      assert.deepEqual(
        seen,
        items.map(({ id }) => id),
      );
    });
  });

  describe('lets in', () => {
    it('nobody without credentials', async () => {
      const reply = await post(listTools, { as: 'anonymous' });
      assertProblem(reply, { status: 401, slug: 'unauthenticated' }, '/mcp');
      assert.match(reply.headers.get('www-authenticate') ?? '', /^Bearer (?!.*resource_metadata)/);
    });

    it('nobody without a token, but tells where to get one', async () => {
      await start({ signIn: { issuer: 'https://idp.example', scope: 'openid' } });
      const { headers } = await post(listTools, { as: 'anonymous' });
      assert.equal(
        headers.get('www-authenticate'),
        `Bearer realm="hindsight", resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource/mcp"`,
      );
    });

    it('a member to the Grid that the header names, and to no other', async () => {
      const client = await connect('owner-of-b', { 'X-Grid-Id': GRID_B.toUpperCase() });
      await call(client, 'GetSystemHealth');
      assert.equal(api.diagnostics.asked[0].with[0], GRID_B);
      for (const as of ['owner', 'key'] as const)
        assertProblem(await post(listTools, { as, headers: { 'x-grid-id': GRID_B } }), {
          status: 403,
          slug: 'forbidden',
        });
      assertProblem(await post(listTools, { headers: { 'x-grid-id': GRID_INACTIVE } }), {
        status: 403,
        slug: 'subscription-inactive',
      });
    });

    it('a member of one active Grid without a header; of several, not; of none, neither', async () => {
      assert.equal((await post(listTools)).status, 200);
      api.usage.grids = [GRID_A, GRID_B].map((gridId) => ({ gridId, name: '', subscriptionActive: true }));
      assertProblem(await post(listTools), { status: 400, slug: 'invalid-request', fields: ['x-grid-id'] });
      assertProblem(await post(listTools, { headers: { 'x-grid-id': 'mine' } }), {
        status: 400,
        slug: 'invalid-request',
        fields: ['x-grid-id'],
      });
      assert.equal((await post(listTools, { headers: { 'x-grid-id': GRID_A } })).status, 200);
      api.usage.grids = [];
      assertProblem(await post(listTools), { status: 403, slug: 'forbidden' });
    });

    it('applications with their permission', async () => {
      assert.equal((await post(listTools, { as: 'application' })).status, 200);
      assert.deepEqual(
        api.usage.asked.map(({ with: [id, kind] }) => [id, kind]),
        [['application', 'application']],
      );
      assertProblem(await post(listTools, { as: 'application-without-permission', headers: { 'x-grid-id': GRID_A } }), {
        status: 403,
        slug: 'forbidden',
      });
    });

    it('nobody beyond the rate of the API', async () => {
      await start({ rateLimits: { userPerMinute: 2, gridPerMinute: 0 } });
      assert.equal((await post(listTools)).status, 200);
      assert.equal((await api.get(`/apm/diagnostics/${GRID_A}/health`)).status, 200);
      const refused = await post(listTools);
      assertProblem(refused, { status: 429, slug: 'rate-limited' });
      assert.ok(Number(refused.headers.get('retry-after')) > 0);
    });

    it('no page of another origin', async () => {
      for (const origin of ['https://evil.example', 'null', `${PUBLIC_URL}/`])
        assertProblem(await post(listTools, { headers: { Origin: origin } }), { status: 403, slug: 'forbidden' });
      assert.equal((await post(listTools, { headers: { Origin: new URL(PUBLIC_URL).origin } })).status, 200);
    });
  });

  describe('refuses', () => {
    it('other methods', async () => {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const reply = await api.call(method, '/mcp', { version: null });
        assertProblem(reply, { status: 405, slug: 'method-not-allowed' });
        assert.equal(reply.headers.get('allow'), 'POST');
      }
    });

    it('batches, whatever is in them', async () => {
      assertProblem(await post([listTools, listTools]), { status: 400, slug: 'invalid-request' });
      assertProblem(await post([]), { status: 400, slug: 'invalid-request' });
    });

    it('bodies that are too large, of another type, or no JSON', async () => {
      assertProblem(await post({ ...listTools, params: { filler: 'x'.repeat(1_048_576) } }), {
        status: 413,
        slug: 'too-large',
      });
      assertProblem(await post(JSON.stringify(listTools), { headers: { 'Content-Type': 'text/plain' } }), {
        status: 415,
        slug: 'unsupported-media-type',
      });
      assertProblem(await post('{"jsonrpc"'), { status: 400, slug: 'malformed-json' });
    });

    it('what is no message of the protocol, by an error of the protocol', async () => {
      for (const message of [{}, 7, { jsonrpc: '1.0', id: 1, method: 'tools/list' }, { ...listTools, id: {} }]) {
        const reply = await post(message);
        assert.equal(reply.status, 400, reply.text);
        assert.equal((reply.json()['error'] as { code: number }).code, -32700);
      }
      const unknown = await post({ ...listTools, method: 'resources/list' });
      assert.equal((unknown.json()['error'] as { code: number }).code, -32601);
      for (const Accept of ['text/html', 'text/event-stream'])
        assert.equal((await post(listTools, { headers: { Accept } })).status, 406);
      for (const Accept of ['*/*', 'application/json', 'text/html, application/*;q=0.8'])
        assert.equal((await post(listTools, { headers: { Accept } })).status, 200);
      assert.equal((await post(listTools, { headers: { 'MCP-Protocol-Version': '1999-01-01' } })).status, 400);
    });

    it('arguments as deep as a body can make them, without harm', async () => {
      const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"GetSystemHealth","arguments":{"asOf":${'['.repeat(200_000)}${']'.repeat(200_000)}}}}`;
      const reply = await post(deep);
      assert.match(reply.text, /asOf must be an ISO 8601 datetime/);
      assert.equal((await post(listTools)).status, 200);
    });

    it('nothing of a notification, and answers it with nothing', async () => {
      const reply = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
      assert.deepEqual([reply.status, reply.text], [202, '']);
    });
  });
});

async function call(
  client: Client,
  name: string,
  args: object = {},
): Promise<{ isError: boolean | undefined; text: string }> {
  const { content, isError } = await client.callTool({ name, arguments: { ...args } });
  const [block] = content as { type: string; text: string }[];
  assert.equal(block.type, 'text');
  return { isError: isError as boolean | undefined, text: block.text };
}

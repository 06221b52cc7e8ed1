import assert from 'node:assert/strict';
import type { OpenApiDocument } from '../../src/http/openapi/openapi-document.js';
import type { Operation } from '../../src/http/openapi/openapi-operation.js';
import { BlackBox } from '../support/black-box.js';
import { DescribedApi, type GivenAnswer } from '../support/described-api.js';
import { EventStream } from '../support/event-stream.js';
import { KIND, logsOf, spanId, spansOf, STATUS, traceId } from '../support/otlp-requests.js';
import { exportRequests, shopTraffic } from '../support/shop-traffic.js';
import { tokenOf } from '../support/sign-in.js';
import { waitUntil } from '../support/wait-until.js';

const MINUTE_MS = 60_000;
const UNKNOWN = '0d0d0d0d-1111-4222-8333-0123456789ab';
/** Time fields and parameters of the examples, replaced by times that have data. */
const MOMENTS: Readonly<Record<string, number>> = {
  rangeStart: -60,
  rangeEnd: 0,
  currentStart: -15,
  currentEnd: 0,
  baselineStart: -60,
  baselineEnd: -15,
  from: -1440,
  to: 0,
  startsAt: 0,
  endsAt: 60,
};
const SPEECH = ['synthesizeSpeech', 'recognizeSpeech'];

interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
  readonly query?: string;
}

/** Calls a service as described by its OpenAPI document and validates each response against it. */
describe('the OpenAPI document of a running service', function () {
  this.timeout(180_000);
  let box: BlackBox;
  let api: DescribedApi;
  let tokens: Record<'owner' | 'guest' | 'outsider', string>;
  const ids: Record<string, string> = {};
  const nowMs = Date.now();

  before(async () => {
    box = await BlackBox.start({ FAILED_CREDENTIALS_PER_MINUTE: '0' });
    const { apiUrl } = box.service;
    api = new DescribedApi((await (await fetch(`${apiUrl}/openapi.json`)).json()) as OpenApiDocument);
    tokens = {
      owner: await tokenOf(apiUrl, 'owner'),
      guest: await tokenOf(apiUrl, 'guest'),
      outsider: await tokenOf(apiUrl, 'outsider'),
    };
    await box.record(
      'traces',
      ...exportRequests(
        shopTraffic({ seed: 5, traces: 400, fromMs: nowMs - 50 * MINUTE_MS, toMs: nowMs - MINUTE_MS }),
        5,
      ),
      failure(nowMs),
    );
    await box.record(
      'logs',
      logsOf([['service.name', 'gateway']], {
        time: BigInt(nowMs - MINUTE_MS) * 1_000_000n,
        severityNumber: 17,
        body: 'it failed',
        traceId: traceId(77),
        spanId: spanId(77),
        attributes: [['n', 1]],
      }),
    );
    await box.record('metrics', gauge(nowMs));
    await makeObjects();
  });
  after(() => box.dispose());

  const operations = (): readonly Placed[] =>
    Object.entries(api.document.paths).flatMap(([path, item]) =>
      (['get', 'post', 'put', 'patch', 'delete'] as const).flatMap((method) =>
        item[method] === undefined ? [] : [{ method: method.toUpperCase(), path, operation: item[method] }],
      ),
    );
  const ofGrid = (): readonly Placed[] =>
    operations().filter(
      ({ path, operation }) => operation.security.length > 0 && !isIngestion(path) && path !== '/mcp',
    );
  const operation = (id: string): Placed =>
    operations().find((each) => each.operation.operationId === id) ?? assert.fail(id);

  /** The path with these ids, or else with ids of existing records. */
  const filled = ({ path, operation: { parameters } }: Placed, own: Readonly<Record<string, string>> = {}): string =>
    path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
      encodeURIComponent(own[name] ?? ids[name] ?? String(parameters.find((each) => each.name === name)?.example)),
    );
  const queryOf = ({ operation: { parameters } }: Placed): string =>
    new URLSearchParams(
      parameters
        .filter((each) => each.in === 'query' && each.required)
        .map(({ name, example }): [string, string] => [name, moment(name) ?? String(example)]),
    ).toString();
  const moment = (name: string): string | undefined =>
    name in MOMENTS ? new Date(nowMs + (MOMENTS[name] ?? 0) * MINUTE_MS).toISOString() : undefined;
  const bodyOf = ({ operation: { requestBody } }: Placed): string | undefined => {
    const example = requestBody?.content['application/json']?.example;
    return example === undefined ? undefined : JSON.stringify(example, (name, value: unknown) => moment(name) ?? value);
  };

  async function call(
    method: string,
    target: string,
    { headers = {}, body }: Sending = {},
  ): Promise<GivenAnswer & { readonly bytes: Uint8Array }> {
    const base = isIngestion(target) ? box.service.otlpHttpUrl : box.service.apiUrl;
    const response = await fetch(base + target, { method, headers, body });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const answer = { status: response.status, headers: response.headers, text: Buffer.from(bytes).toString(), bytes };
    api.check(method, target, answer);
    return answer;
  }

  /** Calls as the owner and with the example body of the document, unless given otherwise. */
  async function ask(
    placed: Placed,
    own: Readonly<Record<string, string>> = {},
    sending: Sending = {},
  ): Promise<GivenAnswer & { readonly bytes: Uint8Array }> {
    const body = sending.body ?? bodyOf(placed);
    const isJson = typeof body === 'string';
    return call(placed.method, `${filled(placed, own)}?${sending.query ?? queryOf(placed)}`, {
      headers: {
        ...(!('api-key' in (sending.headers ?? {})) && { authorization: `Bearer ${tokens.owner}` }),
        ...(isJson && { 'content-type': 'application/json' }),
        ...sending.headers,
      },
      ...(body !== undefined && { body }),
    });
  }

  async function made(id: string, member: string, own: Readonly<Record<string, string>> = {}): Promise<string> {
    const answer = await ask(operation(id), own);
    assert.equal(answer.status, 201, answer.text);
    return String((JSON.parse(answer.text) as Record<string, unknown>)[member]);
  }

  async function makeObjects(): Promise<void> {
    Object.assign(ids, {
      gridSecondaryId: box.gridId,
      traceId: traceId(77),
      spanId: spanId(77),
      serviceName: 'gateway',
      userId: 'somebody',
      id: box.gridId,
    });
    ids['chartId'] = ids['chartSecondaryId'] = await made('createChart', 'id');
    const dashboard = JSON.parse(bodyOf(operation('createDashboard')) ?? '') as { charts: { chartId: string }[] };
    for (const placed of dashboard.charts) placed.chartId = ids['chartId'];
    const board = await ask(operation('createDashboard'), {}, { body: JSON.stringify(dashboard) });
    ids['dashboardId'] = ids['dashboardSecondaryId'] = (JSON.parse(board.text) as { id: string }).id;
    ids['sloId'] = await made('createSlo', 'id');
    ids['viewId'] = await made('createView', 'id');
    ids['channelId'] = await made('createChannel', 'id');
    const routed = await ask(operation('createNotificationRoute'), {}, { body: notificationRoute() });
    ids['routeId'] = (JSON.parse(routed.text) as { id: string }).id;
    ids['silenceId'] = await made('createSilence', 'id');
    ids['ruleId'] = await made('createAlertRule', 'id');
    ids['keyId'] = await made('issueApiKey', 'keyId');
    ids['instanceSecondaryId'] = await made('startAssistantSession', 'instanceSecondaryId');
    await ask(operation('setMember'));
  }

  const notificationRoute = (): string => JSON.stringify({ name: 'Everything', channelIds: [ids['channelId']] });

  interface FoundIncident {
    readonly id: string;
    readonly alerts: readonly { readonly alertId: string }[];
  }

  /** The first incident with an alert. */
  async function firstIncident(): Promise<FoundIncident> {
    const find = async (): Promise<FoundIncident | undefined> =>
      (JSON.parse((await ask(operation('listIncidents'))).text) as { incidents: FoundIncident[] }).incidents.find(
        ({ alerts }) => alerts.length > 0,
      );
    await waitUntil(async () => (await find()) !== undefined, 'an incident is open');
    return (await find())!;
  }

  /** A request that makes the first alert of an incident one of its own. */
  async function splitOff(): Promise<readonly [Readonly<Record<string, string>>, Sending]> {
    const { id: incidentId, alerts } = await firstIncident();
    return [{ incidentId }, { body: JSON.stringify({ alertIds: [alerts[0].alertId] }) }];
  }

  async function firstErrorGroup(): Promise<{ readonly groupId: string }> {
    const { errors } = JSON.parse((await ask(operation('listErrorGroups'))).text) as { errors: { groupId: string }[] };
    return { groupId: errors[0].groupId };
  }

  /** Parts of a request for which the document has no example. */
  const special: Readonly<Record<string, () => Promise<readonly [Readonly<Record<string, string>>, Sending]>>> = {
    deleteChart: async () => [{ chartId: await made('createChart', 'id') }, {}],
    deleteDashboard: async () => [
      {
        dashboardId: String(
          (
            JSON.parse((await ask(operation('createDashboard'), {}, { body: '{"title":"Empty"}' })).text) as {
              id: string;
            }
          ).id,
        ),
      },
      {},
    ],
    createDashboard: async () => [{}, { body: JSON.stringify({ title: 'Empty' }) }],
    replaceDashboard: async () => [{}, { body: JSON.stringify({ title: 'Empty' }) }],
    deleteSlo: async () => [{ sloId: await made('createSlo', 'id') }, {}],
    deleteView: async () => [{ viewId: await made('createView', 'id') }, {}],
    deleteChannel: async () => [{ channelId: await made('createChannel', 'id') }, {}],
    deleteSilence: async () => [{ silenceId: await made('createSilence', 'id') }, {}],
    createNotificationRoute: async () => [{}, { body: notificationRoute() }],
    acknowledgeAlert: async () => {
      const firing = async (): Promise<readonly { readonly id: string }[]> =>
        (JSON.parse((await ask(operation('listAlerts'))).text) as { alerts: { id: string }[] }).alerts;
      await waitUntil(async () => (await firing()).length > 0, 'an alert fires');
      return [{ alertId: (await firing())[0].id }, {}];
    },
    compareTraces: async () => [{}, { query: `api-version=2.0&baselineTraceId=${traceId(77)}` }],
    getErrorGroup: async () => [await firstErrorGroup(), {}],
    resolveErrorGroup: async () => [await firstErrorGroup(), {}],
    reopenErrorGroup: async () => {
      const group = await firstErrorGroup();
      await ask(operation('resolveErrorGroup'), group);
      return [group, {}];
    },
    getIncident: async () => [{ incidentId: (await firstIncident()).id }, {}],
    acknowledgeIncident: async () => [{ incidentId: (await firstIncident()).id }, {}],
    resolveIncident: async () => [{ incidentId: (await firstIncident()).id }, {}],
    assignIncidentCommander: async () => [{ incidentId: (await firstIncident()).id }, {}],
    addIncidentNote: async () => [{ incidentId: (await firstIncident()).id }, {}],
    mergeIncident: async () => {
      const [own, sending] = await splitOff();
      const { text } = await ask(operation('splitIncident'), own, sending);
      return [own, { body: text }];
    },
    splitIncident: splitOff,
    replaceNotificationRoute: async () => [{}, { body: notificationRoute() }],
    deleteAlertRule: async () => [{ ruleId: await made('createAlertRule', 'id') }, {}],
    revokeApiKey: async () => [{ keyId: await made('issueApiKey', 'keyId') }, {}],
    endAssistantSession: async () => [{ id: await made('startAssistantSession', 'instanceSecondaryId') }, {}],
    recognizeSpeech: async () => {
      const spoken = await ask(operation('synthesizeSpeech'));
      const form = new FormData();
      form.append('audio', new Blob([Uint8Array.from(spoken.bytes)]), 'question.wav');
      return [{}, { body: form }];
    },
  };

  it('every operation accepts its examples and responds as described', async () => {
    const last = (id: string): number => Number(/^(delete|remove|revoke|end)/.test(id));
    const all = ofGrid()
      .filter(({ operation: { operationId } }) => operationId !== 'streamDiagnostics')
      .toSorted((a, b) => last(a.operation.operationId) - last(b.operation.operationId));
    assert.ok(all.length > 60, `${all.length} operations`);
    for (const placed of all) {
      const { operationId } = placed.operation;
      const [own, sending] = (await special[operationId]?.()) ?? [{}, {}];
      const { status, text } = await ask(placed, own, sending);
      const expected = SPEECH.includes(operationId)
        ? [200, 503]
        : Object.keys(placed.operation.responses)
            .filter((each) => /^2/.test(each))
            .map(Number);
      assert.ok(expected.includes(status), `${operationId}: ${status} ${text.slice(0, 300)}`);
    }
  });

  it('searches without filters return items, all as described', async () => {
    for (const id of ['searchTraces', 'searchLogs']) {
      const { text } = await ask(
        operation(id),
        {},
        { body: JSON.stringify({ rangeStart: moment('rangeStart'), rangeEnd: moment('rangeEnd'), pageSize: 100 }) },
      );
      assert.ok((JSON.parse(text) as { items: unknown[] }).items.length > 0, id);
    }
  });

  it('the live stream sends the described events', async () => {
    const {
      path,
      operation: { responses },
    } = operation('streamDiagnostics');
    const stream = await EventStream.open(
      `${box.service.apiUrl}${filled(operation('streamDiagnostics'))}?api-version=2.0`,
      { 'api-key': box.apiKey },
    );
    const topics = Object.keys(
      (responses['200'] as { content: { 'text/event-stream': { 'x-events': object } } }).content['text/event-stream'][
        'x-events'
      ],
    );
    const events = await stream.received(topics.length);
    stream.close();
    for (const { event, data } of events) {
      const validate = api.validator([
        'paths',
        path,
        'get',
        'responses',
        '200',
        'content',
        'text/event-stream',
        'x-events',
        event,
      ]);
      assert.ok(validate(data), `${event}: ${JSON.stringify(validate.errors)}`);
    }
    assert.deepEqual(new Set(events.map(({ event }) => event)), new Set(topics));
  });

  it('every operation rejects as described: version, credentials, membership, role, ids and bodies', async () => {
    const bearer = (user: keyof typeof tokens): Sending => ({ headers: { authorization: `Bearer ${tokens[user]}` } });
    for (const placed of ofGrid()) {
      const { operationId, security, responses, requestBody } = placed.operation;
      const refused = async (expected: number, own: Record<string, string>, sending: Sending): Promise<void> => {
        const { status, text } = await ask(placed, own, sending);
        assert.equal(status, expected, `${operationId}: ${text.slice(0, 300)}`);
      };
      await refused(400, {}, { query: 'api-version=1.0' });
      await refused(401, {}, { headers: { authorization: 'Bearer nonsense' } });
      if (!security.some((each) => 'apiKey' in each)) await refused(403, {}, { headers: { 'api-key': box.apiKey } });
      if (placed.path.includes('{gridSecondaryId}')) {
        await refused(403, {}, bearer('outsider'));
        await refused(400, { gridSecondaryId: 'nonsense' }, {});
        await refused(403, { gridSecondaryId: UNKNOWN }, {});
      }
      if (JSON.stringify(responses['403']).includes('role-required')) await refused(403, {}, bearer('guest'));
      if (placed.path.includes('{instanceSecondaryId}')) await refused(404, { instanceSecondaryId: UNKNOWN }, {});
      if (requestBody?.content['application/json'] !== undefined) {
        await refused(415, {}, { body: '<x/>', headers: { 'content-type': 'text/xml' } });
        await refused(400, {}, { body: '{' });
        await refused(400, {}, { body: '[]' });
        await refused(413, {}, { body: JSON.stringify('x'.repeat(1_048_576)) });
      }
    }
  });

  it('missing records are 404 where described, and nowhere else', async () => {
    for (const placed of ofGrid().filter(
      ({ method, path }) => method === 'GET' && /\{(?!gridSecondaryId)\w+\}/.test(path),
    )) {
      const unknown = Object.fromEntries(
        [
          'spanId',
          'traceId',
          'chartId',
          'chartSecondaryId',
          'dashboardId',
          'dashboardSecondaryId',
          'ruleId',
          'serviceName',
          'viewId',
          'sloId',
          'channelId',
          'routeId',
          'silenceId',
          'incidentId',
        ].map((name) => [name, UNKNOWN]),
      );
      assert.equal((await ask(placed, unknown)).status, 404, placed.operation.operationId);
    }
  });

  it('pages, tools and ingestion respond as described', async () => {
    for (const placed of operations().filter(({ operation: { security } }) => security.length === 0))
      assert.equal((await call(placed.method, filled(placed))).status, 200, placed.path);
    assert.equal((await call('GET', '/problems/no-such-problem')).status, 404);
    const { operation: mcp } = operation('callTools');
    const body = JSON.stringify(mcp.requestBody?.content['application/json']?.example);
    const json = { 'content-type': 'application/json', 'api-key': box.apiKey };
    assert.equal((await call('POST', '/mcp', { headers: json, body })).status, 200);
    assert.equal((await call('POST', '/mcp', { headers: { ...json, accept: 'text/plain' }, body })).status, 406);
    for (const wrong of ['{', '{}', '[]'])
      assert.equal((await call('POST', '/mcp', { headers: json, body: wrong })).status, 400);
    assert.equal((await call('POST', '/mcp', { headers: { 'content-type': 'application/json' }, body })).status, 401);
    for (const signal of ['traces', 'logs', 'metrics']) {
      const statuses = [json, { ...json, 'api-key': 'hs_no_key' }, { ...json, 'content-type': 'text/xml' }].map(
        async (headers) => (await call('POST', `/v1/${signal}`, { headers, body: '{}' })).status,
      );
      assert.deepEqual(await Promise.all(statuses), [200, 401, 415]);
      assert.equal((await call('POST', `/v1/${signal}`, { headers: json, body: '{' })).status, 400);
    }
    for (const [path, valid, status] of [
      ['/api/v2/spans', '[]', 202],
      ['/loki/api/v1/push', '{}', 204],
    ] as const) {
      const statuses = [{}, { 'api-key': 'hs_no_key' }, { 'content-type': 'text/xml' }].map(
        async (headers) => (await call('POST', path, { headers: { ...json, ...headers }, body: valid })).status,
      );
      assert.deepEqual(await Promise.all(statuses), [status, 401, 415], path);
      assert.equal((await call('POST', path, { headers: json, body: '{' })).status, 400, path);
    }
    const write = (headers: object, body = '\0') =>
      call('POST', '/api/v1/write', {
        headers: { ...json, 'content-type': 'application/x-protobuf', ...headers },
        body,
      });
    const statuses = [{}, { 'api-key': 'hs_no_key' }, { 'content-type': 'application/json' }].map(
      async (headers) => (await write(headers)).status,
    );
    assert.deepEqual(await Promise.all(statuses), [204, 401, 415]);
    assert.equal((await write({}, '{')).status, 400);
  });
});

function isIngestion(path: string): boolean {
  return path.startsWith('/v1/') || ['/api/v2/spans', '/loki/api/v1/push', '/api/v1/write'].includes(path);
}

function failure(nowMs: number): object {
  const at = BigInt(nowMs - MINUTE_MS) * 1_000_000n;
  const exception = {
    name: 'exception',
    time: at,
    attributes: [
      ['exception.type', 'Timeout'],
      ['exception.message', 'Read timed out'],
    ] as const,
  };
  return spansOf(
    [
      ['service.name', 'gateway'],
      ['service.version', '1.0.1'],
    ],
    {
      traceId: traceId(77),
      spanId: spanId(77),
      kind: KIND.server,
      name: 'GET /',
      attributes: [
        ['n', 1],
        ['s', 'x'],
      ],
      events: [exception],
      status: { code: STATUS.error, message: 'failed' },
      start: at,
      end: at + 5_000_000n,
    },
  );
}

function gauge(nowMs: number): object {
  const point = {
    timeUnixNano: `${nowMs - MINUTE_MS}000000`,
    asDouble: 1,
    attributes: [{ key: 'pool', value: { stringValue: 'orders' } }],
  };
  return {
    resourceMetrics: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'gateway' } }] },
        scopeMetrics: [{ metrics: [{ name: 'orders.waiting', unit: '1', gauge: { dataPoints: [point] } }] }],
      },
    ],
  };
}

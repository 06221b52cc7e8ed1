import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { logsOf, spansOf, spanId, traceId } from '../../support/otlp-requests.js';
import { exchange, rawRequest } from '../../support/raw-http.js';
import { startScriptedEndpoint, answerMessage, type ScriptedEndpoint } from '../../support/scripted-endpoint.js';
import { ServiceProcess } from '../../support/service.js';

const PROGRAM = fileURLToPath(new URL('../../../../bin/hindsight.js', import.meta.url));

/** One secret of each kind, all different, so that a leak can be identified. */
const SECRETS = {
  bootstrapKey: 'BootstrapKeySecretQ1x9',
  llmKey: 'sk-LlmKeySecretW2c8',
  wrongKey: 'WrongKeySecretE3v7',
  bearer: 'OpaqueBearerSecretR4b6',
  basic: 'BasicSecretT5n5Basic',
  clientSecret: 'ClientSecretY6m4Confidential',
  verifier: 'PkceVerifierSecretU7k3PkceVerifierSecretU7k3',
  cookie: 'CookieSecretI8j2',
  query: 'QueryTokenSecretO9h1',
  refresh: 'RefreshSecretP0g0',
  body: 'BodySecretA1f9',
  prompt: 'PromptSecretS2d8',
} as const;
/** Telemetry and conversations are stored in the Grid, but must not be in any log. */
const KEPT = { prompt: SECRETS.prompt, header: 'TelemetrySecretD3s7' } as const;

describe('secrets given to a running service', function () {
  this.timeout(60_000);
  let service: ServiceProcess;
  let model: ScriptedEndpoint;
  /** All output of the service except responses to the owner of a secret. */
  const outputs: string[] = [];
  /** Created by the service and shown once. */
  const made: Record<string, string> = {};
  let gridName: string;

  before(async () => {
    model = await startScriptedEndpoint((_asked, nth) =>
      nth % 2 === 0
        ? { status: 401, body: { error: { message: `wrong key ${SECRETS.llmKey}` } } }
        : answerMessage('All is well.'),
    );
    gridName = 'GridNameThatIsNoSecret';
    service = await ServiceProcess.start({
      LOG_LEVEL: 'trace',
      BOOTSTRAP_API_KEY: `hs_boot_${SECRETS.bootstrapKey}`,
      BOOTSTRAP_GRID_NAME: gridName,
      LLM_BASE_URL: model.baseUrl,
      LLM_MODEL: 'm',
      LLM_API_KEY: SECRETS.llmKey,
    });
    await useAll();
  });
  after(async () => {
    await model.close();
    await service.dispose();
  });

  async function call(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<string> {
    const response = await fetch(service.apiUrl + path, {
      method,
      headers: { 'x-api-version': '2.0', ...headers },
      body,
      redirect: 'manual',
    });
    const text = await response.text();
    outputs.push([...response.headers].join('\n'), text);
    return text;
  }

  /** Valid and invalid calls of every interface, with each secret in correct and incorrect places. */
  async function useAll(): Promise<void> {
    const { gridId } = await service.bootstrap();
    const key = { 'api-key': `hs_boot_${SECRETS.bootstrapKey}` };
    const filters = `/apm/traces/${gridId}/filters`;
    await call('GET', filters, key);
    const given: readonly Readonly<Record<string, string>>[] = [
      { 'api-key': `hs_boot_${SECRETS.wrongKey}` },
      { 'api-key': SECRETS.wrongKey },
      { authorization: `Bearer ${SECRETS.bearer}` },
      { authorization: `Bearer eyJhbGciOiJub25lIn0.${SECRETS.bearer}.` },
      { authorization: `Basic ${SECRETS.basic}` },
      { cookie: `session=${SECRETS.cookie}` },
      { ...key, cookie: SECRETS.cookie, 'x-request-id': 'fine' },
    ];
    for (const headers of given) await call('GET', filters, headers);
    await call('GET', `${filters}?access_token=${SECRETS.query}&code=${SECRETS.query}`, key);
    const json = { ...key, 'content-type': 'application/json' };
    for (const body of [`{"${SECRETS.body}`, `{"rangeStart":"${SECRETS.body}"}`, `["${SECRETS.body}"]`])
      await call('POST', `/apm/traces/${gridId}`, json, body);
    await signInWrongly();
    await talk(gridId, json);
    await sendTelemetry(key);
    const port = Number(new URL(service.apiUrl).port);
    for (const raw of [
      `GET / HTTP/9.9\r\nAuthorization: Bearer ${SECRETS.bearer}\r\n\r\n`,
      rawRequest('GET', filters, [`api key: ${SECRETS.wrongKey}`]),
      rawRequest('POST', filters, ['Content-Length: x', `Authorization: ${SECRETS.bearer}`]),
    ]) {
      outputs.push((await exchange(port, raw)).head);
    }
  }

  async function signInWrongly(): Promise<void> {
    const token = '/auth/dev/oauth2/v2.0/token';
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const post = (grant: Record<string, string>) => call('POST', token, form, new URLSearchParams(grant).toString());
    await post({
      grant_type: 'client_credentials',
      client_id: 'hindsight-automation',
      client_secret: SECRETS.clientSecret,
    });
    await post({
      grant_type: 'authorization_code',
      client_id: 'hindsight-cli',
      code: SECRETS.query,
      code_verifier: SECRETS.verifier,
      redirect_uri: 'http://127.0.0.1:5/callback',
    });
    await post({ grant_type: 'refresh_token', client_id: 'hindsight-cli', refresh_token: SECRETS.refresh });
    const response = await fetch(service.apiUrl + token, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'hindsight-automation',
        client_secret: 'dev-secret',
        scope: 'api://iapm-api/.default',
      }),
    });
    const { access_token: good } = (await response.json()) as { access_token: string };
    assert.ok(good);
    made['token'] = good.split('.')[2] ?? '';
    const { gridId } = await service.bootstrap();
    const issued = await fetch(`${service.apiUrl}/admin/grids/${gridId}/api-keys`, {
      method: 'POST',
      headers: { 'x-api-version': '2.0', 'content-type': 'application/json', authorization: `Bearer ${good}` },
      body: '{"name":"canary"}',
    });
    made['issuedKey'] = ((await issued.json()) as { apiKey: string }).apiKey.split('_')[2] ?? '';
    assert.match(made['issuedKey'], /^.{40,}$/);
    await call('GET', `/admin/grids/${gridId}/api-keys`, { authorization: `Bearer ${good}` });
  }

  async function talk(gridId: string, json: Readonly<Record<string, string>>): Promise<void> {
    const { instanceSecondaryId } = JSON.parse(await call('POST', `/assistant/sessions/${gridId}`, json, '{}')) as {
      instanceSecondaryId: string;
    };
    for (const prompt of [`Is ${SECRETS.prompt} slow?`, `Why does ${SECRETS.prompt} fail?`]) {
      const response = await fetch(`${service.apiUrl}/assistant/chat/${instanceSecondaryId}`, {
        method: 'POST',
        headers: { 'x-api-version': '2.0', ...json },
        body: JSON.stringify({ prompt }),
      });
      assert.equal(response.status, 200, await response.text());
    }
    await call(
      'POST',
      `/assistant/chat/${instanceSecondaryId}`,
      json,
      JSON.stringify({ prompt: 7, conversationId: SECRETS.body }),
    );
  }

  async function sendTelemetry(key: Readonly<Record<string, string>>): Promise<void> {
    const at = BigInt(Date.now()) * 1_000_000n;
    const attributes = [['http.request.header.authorization', KEPT.header]] as const;
    const send = async (signal: string, body: string, headers: Readonly<Record<string, string>>) => {
      const response = await fetch(`${service.otlpHttpUrl}/v1/${signal}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
      outputs.push([...response.headers].join('\n'), await response.text());
    };
    await send(
      'traces',
      JSON.stringify(spansOf('canary', { traceId: traceId(1), spanId: spanId(1), start: at, end: at, attributes })),
      key,
    );
    await send('logs', JSON.stringify(logsOf('canary', { time: at, body: KEPT.header, attributes })), key);
    await send(
      'traces',
      JSON.stringify(spansOf('canary', { traceId: 'bad', spanId: spanId(1), start: 1n, end: 1n, attributes })),
      key,
    );
    await send('logs', `{"resourceLogs":[{"x":"${SECRETS.body}"`, key);
    await send('metrics', `{"resourceMetrics":"${SECRETS.body}"}`, key);
    await send('traces', '{}', {
      'api-key': `hs_boot_${SECRETS.wrongKey}`,
      authorization: `Bearer ${SECRETS.bearer}`,
      cookie: SECRETS.cookie,
    });
  }

  const hits = (text: string, secrets: Readonly<Record<string, string>>): string[] =>
    Object.entries(secrets).flatMap(([name, secret]) => (text.includes(secret) ? [name] : []));

  it('are in none of its responses, metrics or problems', async () => {
    outputs.push(
      await (await fetch(`${service.apiUrl}/metrics`)).text(),
      await (await fetch(`${service.apiUrl}/ready`)).text(),
    );
    // A validation error may repeat the given conversation id, but nothing else.
    assert.deepEqual(hits(outputs.join('\n'), { ...SECRETS, ...made, ...KEPT }), []);
  });

  it('are in none of its requests to a model, except the key of the model', () => {
    assert.ok(model.asked.length > 0);
    const { llmKey: _, prompt: __, ...others } = SECRETS;
    assert.deepEqual(hits(JSON.stringify(model.asked), { ...others, ...made }), []);
    assert.ok(model.asked.every(({ headers }) => headers.authorization === `Bearer ${SECRETS.llmKey}`));
  });

  it('are in no output of the command line', async () => {
    for (const words of [['doctor'], ['doctor', '--json'], ['keys', 'list', '--json']]) {
      const env = {
        ...process.env,
        DATA_DIR: service.dataDir,
        HTTP_PORT: '0',
        OTLP_HTTP_PORT: '0',
        OTLP_GRPC_PORT: '0',
        LLM_API_KEY: SECRETS.llmKey,
      };
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [PROGRAM, ...words], { env }).catch(
        (error: unknown) => error as { stdout: string; stderr: string },
      );
      assert.deepEqual(hits(stdout + stderr, { ...SECRETS, ...made, ...KEPT }), [], words.join(' '));
    }
  });

  it('are in no file, except the first key in the bootstrap file', async () => {
    await service.signal('SIGKILL');
    const { prompt: _, ...never } = SECRETS;
    const names = await readdir(service.dataDir, { recursive: true, withFileTypes: true });
    let control = 0;
    for (const file of names.filter((each) => each.isFile() && each.name !== 'bootstrap.json')) {
      const bytes = (await readFile(join(file.parentPath, file.name))).toString('latin1');
      control += bytes.includes(gridName) ? 1 : 0;
      assert.deepEqual(hits(bytes, { ...never, ...made }), [], file.name);
    }
    assert.ok(control > 0, 'what is no secret is found in the files');
  });

  it('are in no log line, not even at level trace or after a crash', () => {
    const log = service.logLines.join('\n');
    assert.ok(service.logLines.length > 20 && log.includes('"level":"debug"'), `${service.logLines.length} lines`);
    assert.deepEqual(hits(log, { ...SECRETS, ...made, ...KEPT }), []);
  });
});

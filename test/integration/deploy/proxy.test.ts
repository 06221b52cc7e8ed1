import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { get as secureGet } from 'node:https';
import type { IncomingMessage, RequestListener } from 'node:http';
import { CertificateFolder, makeCertificate } from '../../support/certificates.js';
import { waitUntil } from '../../support/wait-until.js';
import { Caddy, CADDY_NEEDS, HAS_CADDY, StandIn } from './caddy.js';

const MEMBERS = ['127.0.0.81', '127.0.0.82'];
const MANY = 20;

/**
 * Says who it is; /ready says how it is; / of ingestion is not there; /stream sends one event and continues; bodies are
 * counted.
 */
const answer =
  (member: StandIn): RequestListener =>
  (request, response) => {
    if (request.url === '/ready') return void response.writeHead(member.ready ? 200 : 503).end();
    if (request.url === '/') return void response.writeHead(404).end();
    member.notified.push(request);
    response.setHeader('x-member', member.host);
    if (request.url === '/stream')
      return void response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: health\n\n');
    let bytes = 0;
    request.on('data', (chunk: Buffer) => (bytes += chunk.length)).on('end', () => response.end(String(bytes)));
  };

async function grpcMember(url: string): Promise<string> {
  const session = connect(url);
  try {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    stream.end(Buffer.alloc(5));
    const [headers] = (await once(stream, 'response')) as [Record<string, string>];
    const trailers = once(stream, 'trailers') as Promise<[Record<string, string>]>;
    stream.resume();
    assert.equal((await trailers)[0]['grpc-status'], '0');
    return headers['x-member'];
  } finally {
    session.close();
  }
}

async function statusOver(url: string, ca: string): Promise<number | undefined> {
  const request = secureGet(url, { ca, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

/** As exporters do: what is refused for now is sent again. */
async function untilTaken(send: () => Promise<Response>): Promise<Response> {
  const response = await send();
  if (response.status === 200) return response;
  assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '2']);
  return untilTaken(send);
}

(HAS_CADDY ? describe : describe.skip)(`the proxy of the cluster before two members${CADDY_NEEDS}`, function () {
  this.timeout(30_000);
  let members: StandIn[];
  let proxy: Caddy;

  beforeEach(async () => {
    members = await Promise.all(MEMBERS.map((host) => StandIn.start(host, answer)));
    proxy = await Caddy.start(members);
  });

  afterEach(async () => {
    await proxy.dispose();
    for (const member of members) member.kill();
  });

  const api = (path = '/health', init: RequestInit = {}): Promise<Response> => fetch(`${proxy.apiUrl}${path}`, init);
  const otlp = (init: RequestInit = {}): Promise<Response> =>
    fetch(`${proxy.otlpUrl}/v1/traces`, { method: 'POST', body: 'telemetry', ...init });
  const askMany = (ask: () => Promise<Response>): Promise<(string | null)[]> =>
    Promise.all(
      Array.from({ length: MANY }, () =>
        ask().then((response) => (assert.equal(response.status, 200), response.headers.get('x-member'))),
      ),
    );

  it('asks both', async () => {
    assert.equal(new Set(await askMany(() => api())).size, 2);
    assert.equal(new Set(await askMany(() => otlp())).size, 2);
  });

  it('continues with the other when one is killed: no question is lost, and telemetry is taken at the second try', async () => {
    await Promise.all([askMany(() => api()), askMany(() => otlp())]);
    members[0].kill();
    const [questions, telemetry] = await Promise.all([askMany(() => api()), askMany(() => untilTaken(() => otlp()))]);
    const calls = [await grpcMember(proxy.otlpUrl), await grpcMember(proxy.otlpUrl)];
    assert.deepEqual([...new Set([...questions, ...telemetry, ...calls])], [MEMBERS[1]]);
  });

  it('keeps questions from a member that is not ready, and telemetry only from one that is dead', async () => {
    members[1].ready = false;
    await waitUntil(async () => new Set(await askMany(() => api())).size === 1, 'only one member is asked');
    assert.equal((await api()).headers.get('x-member'), MEMBERS[0]);
    assert.equal(new Set(await askMany(() => otlp())).size, 2);
    members[1].ready = true;
    await waitUntil(async () => new Set(await askMany(() => api())).size === 2, 'both are asked again');
  });

  it('says who asks, whatever he writes himself', async () => {
    await api('/command', {
      headers: { 'x-forwarded-for': '6.6.6.6', 'x-forwarded-proto': 'https', forwarded: 'for=6.6.6.6' },
    });
    const { headers } = [...members[0].notified, ...members[1].notified][0];
    assert.match(String(headers['x-forwarded-for']), /^(127\.0\.0\.1|::1)$/);
    assert.deepEqual([headers['x-forwarded-proto'], headers.forwarded], ['http', undefined]);
  });

  it('sends each event of the live stream at once', async () => {
    const response = await api('/stream');
    const { value } = await response.body!.getReader().read();
    assert.equal(new TextDecoder().decode(value), 'event: health\n\n');
  });

  it('lets bodies pass whatever their size, and gRPC on the same port', async () => {
    const body = Buffer.alloc(20 * 1024 * 1024);
    assert.equal(await (await otlp({ body })).text(), String(body.length));
    assert.ok(MEMBERS.includes(await grpcMember(proxy.otlpUrl)));
  });

  it('hides the figures of a process', async () => {
    assert.equal((await api('/metrics')).status, 404);
  });

  it('speaks TLS with a certificate that it is given', async () => {
    const [made, other] = [await makeCertificate(), await makeCertificate('other')];
    const folder = await CertificateFolder.with(made);
    const proxyWithTls = await Caddy.start(members, { TLS: `tls ${folder.certFile} ${folder.keyFile}` });
    try {
      for (const url of [`${proxyWithTls.apiUrl}/health`, `${proxyWithTls.otlpUrl}/v1/traces`])
        assert.equal(await statusOver(url, made.cert), 200);
      await assert.rejects(statusOver(proxyWithTls.apiUrl, other.cert), /self-signed certificate|unable to verify/);
    } finally {
      await proxyWithTls.dispose();
      await folder.remove();
    }
  });

  it('says when to come again while nobody is there', async () => {
    for (const member of members) member.kill();
    const [question, telemetry] = await Promise.all([api(), otlp()]);
    assert.deepEqual(
      [question.status, telemetry.status, question.headers.get('retry-after'), telemetry.headers.get('retry-after')],
      [503, 503, '2', '2'],
    );
    assert.equal(question.headers.get('content-type'), 'application/problem+json');
    assert.equal(JSON.parse(await question.text()).status, 503);
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as nextRound } from 'node:timers/promises';
import fc from 'fast-check';
import {
  generateJson,
  sendBinary,
  sendStreamedJson,
  StreamedList,
} from '../../../../src/http/responses/send-response.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { GRID_A } from '../../../support/fake-access.js';
import { TRACE_ID } from '../../../support/fake-telemetry.js';

describe('the pieces of an answer', () => {
  const items = fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }), { maxLength: 5 });
  const member = fc.oneof(
    fc.jsonValue(),
    fc.constant(undefined),
    items.map((list) => new StreamedList(list, (item) => ({ item }))),
  );

  it('make up what JSON.stringify gives', () =>
    fc.assert(
      fc.property(fc.oneof(fc.dictionary(fc.string(), member), fc.array(fc.jsonValue())), (answer) =>
        assert.equal([...generateJson(answer)].join(''), JSON.stringify(answer)),
      ),
    ));

  it('are presented one at a time', () => {
    let presented = 0;
    const pieces = generateJson({ list: new StreamedList([1, 2, 3], () => ({ n: ++presented })) });
    pieces.next();
    pieces.next();
    assert.equal(presented, 1);
  });
});

describe('long answers of the API', () => {
  let api: TestApi;
  beforeEach(async () => void (api = await startApi()));
  afterEach(() => api.stop());

  const spans = `/apm/traces/${GRID_A}/correlations/${TRACE_ID}/spans`;

  it('are the same text as short ones, without a length', async () => {
    const short = await api.get(spans);
    assert.equal(short.headers.get('content-length'), String(Buffer.byteLength(short.text)));
    const span = (JSON.parse(short.text) as { spans: object[] }).spans[0];
    api.telemetry.traceSpans = async () => Array.from({ length: 5_000 }, () => api.telemetry.root);
    const long = await api.get(spans);
    assert.equal(long.status, 200);
    assert.equal(long.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(long.headers.get('content-length'), null);
    assert.equal(long.text, JSON.stringify({ traceId: TRACE_ID, spans: Array.from({ length: 5_000 }, () => span) }));
    assert.equal((await api.call('HEAD', spans)).text, '');
  });

  it('are cut off where an item cannot be presented, never ended as if they were whole', async () => {
    const broken = Object.defineProperty({ ...api.telemetry.root }, 'start', { get: () => assert.fail('unreadable') });
    api.telemetry.traceSpans = async () => [...Array.from({ length: 5_000 }, () => api.telemetry.root), broken];
    await assert.rejects(api.get(spans));
    assert.equal(api.log.filter(({ level }) => level === 'error').length, 1);
    api.telemetry.traceSpans = async () => [broken];
    assert.equal((await api.get(spans)).status, 500);
  });
});

describe('sending many bytes', () => {
  const bytes = Buffer.alloc(40_000_000, 'picture ');
  let server: Server;
  let client: Socket;
  let sent: Promise<void>;

  async function ask(answer: (response: ServerResponse) => void): Promise<void> {
    server = createServer((_request, response) => answer(response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.pause();
    client.write('GET / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n');
    await once(server, 'request');
  }

  afterEach(() => {
    client.destroy();
    server.close();
  });

  it('gives all of them to who takes them, with their number', async () => {
    await ask((response) => void (sent = sendBinary(response, 200, 'image/png', bytes)));
    const whole = Buffer.concat((await client.toArray()) as Buffer[]);
    const body = whole.indexOf('\r\n\r\n') + 4;
    assert.match(whole.toString('latin1', 0, body), /Content-Length: 40000000\r\n/);
    assert.ok(whole.subarray(body).equals(bytes));
    await sent;
  });

  it('sends nothing to who has gone', async () => {
    const closed = new Promise<void>((resolve) => {
      void ask((response) =>
        response.once('close', () => {
          response.write = () => assert.fail('there is nobody to write to');
          sent = sendBinary(response, 200, 'image/png', bytes);
          resolve();
        }),
      ).then(() => client.destroy());
    });
    await closed;
    await sent;
  });

  it('cuts off who takes nothing for too long', async () => {
    await ask((response) => void (sent = sendBinary(response, 200, 'image/png', bytes, 100)));
    await sent;
    client.resume();
    await once(client, 'close');
    assert.ok(client.bytesRead < bytes.length);
  });
});

describe('sending a long answer', () => {
  const ITEMS = 4_000;
  const item = { text: 'x'.repeat(10_000) };
  let server: Server;
  let client: Socket;
  let presented: number;
  let sent: Promise<void>;

  async function ask(stallMs?: number): Promise<void> {
    presented = 0;
    const present = (): object => (presented++, item);
    server = createServer((_request, response) => {
      sent = sendStreamedJson(
        response,
        200,
        { list: new StreamedList(Array.from({ length: ITEMS }), present) },
        stallMs,
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.pause();
    client.write('GET / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n');
    await once(server, 'request');
  }

  afterEach(() => {
    client.destroy();
    server.close();
  });

  /** As many rounds of the event loop as would do for the whole answer, three times over: each of them sends a slice if any can be sent. */
  async function enoughRounds(): Promise<void> {
    for (let round = 0; round < 1_000; round++) await nextRound();
  }

  it('serves others in between', async () => {
    await ask();
    client.resume();
    let rounds = 0;
    let isSent = false;
    const count = (): void => {
      rounds++;
      if (!isSent) setImmediate(count);
    };
    count();
    await sent;
    isSent = true;
    assert.equal(presented, ITEMS);
    assert.ok(rounds > (ITEMS * 10_000) / (256 * 1024), `${rounds} rounds of the event loop`);
  });

  it('goes no further than the client takes it, and on when it does', async () => {
    await ask();
    await enoughRounds();
    assert.ok(presented > 0 && presented < ITEMS, `${presented} items presented`);
    client.resume();
    await sent;
    assert.equal(presented, ITEMS);
  });

  it('stops when the client goes away', async () => {
    await ask();
    await enoughRounds();
    client.destroy();
    await sent;
    assert.ok(presented < ITEMS, `${presented} items presented`);
  });

  it('is cut off when the client takes nothing for too long', async () => {
    await ask(100);
    await sent;
    assert.ok(presented < ITEMS);
    client.resume();
    await once(client, 'close');
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { PipeliningLimiter } from '../../../../src/http/limits/pipelining-limiter.js';
import { waitUntil } from '../../../support/wait-until.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const MAX = 3;

describe('PipeliningLimiter', () => {
  let server: Server;
  let client: Socket;
  /** Those that were taken in and wait for an answer. */
  let open: ServerResponse[];
  let done: number;
  let parsed: number;

  beforeEach(async () => {
    open = [];
    done = 0;
    parsed = 0;
    const pipelines = new PipeliningLimiter(MAX);
    server = createServer((request, response) => {
      parsed++;
      if (pipelines.admit(request, response, () => done++)) open.push(response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    client.resume();
  });
  afterEach(() => {
    client.destroy();
    server.close();
  });

  it('take in what fits, and more as soon as answers have left', async () => {
    for (let n = 0; n < 3; n++) {
      client.write(REQUEST.repeat(MAX));
      await waitUntil(() => open.length === MAX, 'all are taken in');
      for (const response of open.splice(0)) response.end();
      await waitUntil(() => done === MAX * (n + 1), 'all are done');
    }
    assert.equal(client.closed, false);
  });

  it('end a connection on which more wait, and forget what waited', async () => {
    client.write(REQUEST.repeat(50 * MAX));
    await once(client, 'close');
    assert.equal(open.length, MAX);
    await waitUntil(() => done === MAX, 'each is done');
    for (const response of open) response.end();
    assert.equal(done, MAX, 'once');
  });

  it('leave the rest of what has arrived on it', async () => {
    client.write(REQUEST.repeat(50 * MAX));
    await once(client, 'close');
    assert.equal(parsed, MAX + 1);
  });

  it('forget what waited when the client goes', async () => {
    client.write(REQUEST.repeat(MAX));
    await waitUntil(() => open.length === MAX, 'all are taken in');
    client.destroy();
    await waitUntil(() => done === MAX, 'each is done');
  });
});

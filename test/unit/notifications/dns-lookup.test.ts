import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns';
import { stat } from 'node:fs/promises';
import { createDnsLookup } from '../../../src/notifications/dns-lookup.js';
import { waitUntil } from '../../support/wait-until.js';
import { createPublicLookup } from '../../../src/notifications/private-addresses.js';

const TYPE_A = 1;

/** The answer of a name server to a question for addresses of IPv4; others have none. */
function answer(question: Buffer, address: readonly number[]): Buffer {
  const end = question.indexOf(0, 12) + 5;
  const isA = question.readUInt16BE(end - 4) === TYPE_A;
  const reply = Buffer.from(question.subarray(0, end));
  reply.writeUInt16BE(0x8180, 2);
  reply.writeUInt16BE(isA ? 1 : 0, 6);
  reply.writeUInt32BE(0, 8);
  const record = Buffer.from([0xc0, 12, 0, TYPE_A, 0, 1, 0, 0, 0, 60, 0, 4, ...address]);
  return Buffer.concat([reply, ...(isA ? [record] : [])]);
}

describe('look-up of receivers', () => {
  let server: Socket;
  let address: readonly number[];
  /** Questions that are not answered yet. */
  const held: (() => void)[] = [];
  let isHolding: boolean;
  beforeEach(async () => {
    isHolding = false;
    server = createSocket('udp4', (question, { port }) => {
      const send = (): void => server.send(answer(question, address), port, '127.0.0.1');
      if (isHolding) held.push(send);
      else send();
    });
    await new Promise<void>((done) => server.bind(0, '127.0.0.1', done));
  });
  afterEach(() => new Promise<void>((done) => server.close(done)));

  function createLookup() {
    const resolver = new Resolver({ timeout: 30_000, tries: 1 });
    resolver.setServers([`127.0.0.1:${server.address().port}`]);
    return createPublicLookup(createDnsLookup(resolver));
  }
  const look = (name: string) =>
    new Promise((done) =>
      createLookup()(name, { all: true }, (error, found) => done(error === null ? found : (error.code ?? error.name))),
    );

  it('finds public addresses and refuses private ones', async () => {
    address = [93, 184, 216, 34];
    assert.deepEqual(await look('hooks.example'), [{ address: '93.184.216.34', family: 4 }]);
    address = [169, 254, 169, 254];
    assert.equal(await look('rebound.example'), 'PrivateAddressError');
  });

  it('occupies no thread of the process while a name server does not answer', async () => {
    [address, isHolding] = [[93, 184, 216, 34], true];
    let ended = 0;
    const lookups = Array.from({ length: 16 }, async (_, i) => {
      await look(`slow-${i}.example`);
      ended += 1;
    });
    await waitUntil(() => held.length >= 16, 'all of them are asked at once');
    await stat('.');
    assert.equal(ended, 0, 'files are read while all of them wait');
    isHolding = false;
    for (const send of held.splice(0)) send();
    await Promise.all(lookups);
  });
});

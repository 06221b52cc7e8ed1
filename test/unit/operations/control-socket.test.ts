import assert from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { connect, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connectControlSocket, controlSocketPath, serveControlSocket } from '../../../src/operations/control-socket.js';
import type { Progress, ServiceOperations } from '../../../src/operations/operations-port.js';

/** Optional arguments of its methods are the last ones. */
const SERVICE = {
  createGrid: (actor: string, name: string, owner?: unknown) =>
    Promise.resolve({ gridId: 'g', given: [actor, name, owner === undefined ? 'nobody' : owner] }),
  readiness: () => Promise.resolve({ log: { ok: false, reason: 'no room' } }),
  projections: () => Promise.resolve(['traces', 'logs']),
  replay: (projection: string, _options: unknown, onProgress: (progress: Progress) => void) => {
    onProgress({ projection, done: 1, total: 2 });
    onProgress({ projection, done: 2, total: 2 });
    return Promise.resolve({ projection, events: 2, seconds: 0.1 });
  },
  listDeadLetters: () => Promise.resolve([]),
  verify: () => Promise.reject(new Error('the log is damaged at position 7')),
} satisfies Partial<Record<keyof ServiceOperations, unknown>> as unknown as ServiceOperations;

describe('control socket', () => {
  let folder: string;
  let server: Server;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hindsight-control-'));
    server = await serveControlSocket(controlSocketPath(folder), SERVICE);
  });
  afterEach(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });

  it('transfers results, progress and errors', async () => {
    const remote = await connectControlSocket(controlSocketPath(folder));
    assert.ok(remote);
    assert.deepEqual(await remote.projections(), ['traces', 'logs']);
    assert.deepEqual(await remote.readiness(), { log: { ok: false, reason: 'no room' } });
    const seen: number[] = [];
    assert.deepEqual(await remote.replay('traces', {}, ({ done }) => seen.push(done)), {
      projection: 'traces',
      events: 2,
      seconds: 0.1,
    });
    assert.deepEqual(seen, [1, 2]);
    await assert.rejects(remote.verify('traces'), /damaged at position 7/);
  });

  it('omits trailing undefined arguments', async () => {
    const remote = await connectControlSocket(controlSocketPath(folder));
    assert.ok(remote);
    for (const given of [
      ['me', 'shop'],
      ['me', 'shop', undefined],
    ] as [string, string, undefined?][]) {
      assert.deepEqual(await remote.createGrid(...given), { gridId: 'g', given: ['me', 'shop', 'nobody'] });
    }
    assert.deepEqual(await remote.createGrid('me', 'shop', { id: 'owner', kind: 'user' }), {
      gridId: 'g',
      given: ['me', 'shop', { id: 'owner', kind: 'user' }],
    });
  });

  it('calls dead letters by the name that other versions know', async () => {
    const remote = await connectControlSocket(controlSocketPath(folder));
    assert.deepEqual(await remote?.listDeadLetters(), []);
    const socket = connect(controlSocketPath(folder));
    socket.end(`${JSON.stringify({ call: 'parked', args: [] })}\n`);
    assert.deepEqual(JSON.parse(await text(socket)), { result: [] });
  });

  it('is accessible only to its owner', async () => {
    assert.equal((await stat(controlSocketPath(folder))).mode & 0o777, 0o600);
  });

  it('reports no service when nothing listens, even with a stale socket file', async () => {
    assert.equal(await connectControlSocket(join(folder, 'nobody.sock')), undefined);
    await new Promise((closed) => server.close(closed));
    assert.equal(await connectControlSocket(controlSocketPath(folder)), undefined);
  });

  it('has a short path however deep the data folder is', () => {
    assert.ok(controlSocketPath('/very'.repeat(60)).length <= 100);
    assert.notEqual(controlSocketPath('/very'.repeat(60)), controlSocketPath('/very'.repeat(61)));
  });
});

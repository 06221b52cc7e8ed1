import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { HindsightError } from '../../../../src/errors.js';
import type { LiveTopic } from '../../../../src/read-models/documents/live-diagnostics-documents.js';
import { assertProblem, startApi, type TestApi } from '../../../support/api.js';
import { EventStream } from '../../../support/event-stream.js';
import { credentialsOf, GRID_A, GRID_B, type CallerName } from '../../../support/fake-access.js';
import { waitUntil } from '../../../support/wait-until.js';

const PATH = `/apm/diagnostics/${GRID_A}/stream`;

const health = (errorRate: number, timestamp = 0) => ({
  overallStatus: 'healthy',
  timestamp,
  services: [{ serviceName: 'cart', status: 'healthy', errorRate, apdex: 1, requestCount: 9, avgLatencyMs: 4 }],
});
const alert = (id: string) => ({
  id,
  ruleName: 'r',
  severity: 'warning',
  serviceName: 'cart',
  condition: 'apdex < 0.7',
  currentValue: 0.5,
  triggeredAt: 0,
  status: 'firing',
});

describe('the live stream', () => {
  let api: TestApi;
  let streams: EventStream[];

  beforeEach(async () => {
    api = await startApi();
    streams = [];
    await api.diagnostics.refresh(GRID_A, 'health', health(1));
    await api.diagnostics.refresh(GRID_A, 'alerts', [alert('a')]);
  });
  afterEach(async () => {
    for (const stream of streams) stream.close();
    await api.stop();
  });

  async function follow(
    query = '',
    { as = 'owner', lastEventId }: { as?: CallerName; lastEventId?: string } = {},
  ): Promise<EventStream> {
    const headers = { ...credentialsOf(as), ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }) };
    const stream = await EventStream.open(`http://127.0.0.1:${api.port}${PATH}?api-version=2.0${query}`, headers);
    streams.push(stream);
    return stream;
  }

  /** Keeps another answer, and tells of it. */
  async function change(topic: LiveTopic, answer: object, gridId = GRID_A): Promise<void> {
    const { version } = await api.diagnostics.refresh(gridId, topic, answer);
    api.hints.next({ topic: 'diagnosed', gridId, diagnostic: topic, version });
  }

  const topicsOf = (stream: EventStream) => stream.events.map(({ event }) => event);
  const looks = () => api.diagnostics.asked.length;

  it('sends the current state of each topic first, as the operation of the same name answers it', async () => {
    const stream = await follow();
    assert.equal(stream.response.statusCode, 200);
    assert.deepEqual(
      ['content-type', 'cache-control', 'x-accel-buffering', 'content-encoding'].map(
        (name) => stream.response.headers[name],
      ),
      ['text/event-stream; charset=utf-8', 'no-store', 'no', undefined],
    );
    const [first, second] = await stream.received(2);
    const { ageMs, ...state } = first.data as { readonly ageMs: number };
    assert.ok(ageMs > 0, `${ageMs}`);
    assert.deepEqual(
      { ...first, data: state },
      { event: 'health', id: '', data: { ...health(1), timestamp: '1970-01-01T00:00:00.000Z' } },
    );
    assert.deepEqual((second?.data as { readonly alerts: unknown }).alerts, [
      { ...alert('a'), triggeredAt: '1970-01-01T00:00:00.000Z' },
    ]);
    assert.notEqual(second?.id, '');
  });

  it('asks its clients to come back within one to five seconds, each at another time', async () => {
    const waits = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const stream = await follow();
        await stream.received(2);
        return stream.retryMs ?? 0;
      }),
    );
    assert.ok(
      waits.every((ms) => ms >= 1_000 && ms < 5_000),
      waits.join(),
    );
    assert.ok(new Set(waits).size > 1);
  });

  it('then sends each change, and only changes', async () => {
    const stream = await follow();
    await stream.received(2);
    await change('health', health(2));
    await stream.received(3);
    await change('health', health(2, 60_000)); // as before, but for the time
    await change('pressure', []); // its first answer
    await change('health', health(3), GRID_B); // another Grid
    await change('alerts', []);
    await stream.received(5);
    assert.deepEqual(topicsOf(stream), ['health', 'alerts', 'health', 'pressure', 'alerts']);
    assert.equal(new Set(stream.events.map(({ id }) => id)).size, 5);
  });

  it('sends the topics that are asked for, each once', async () => {
    const stream = await follow('&topics=alerts,pressure,alerts');
    await stream.received(1);
    await change('health', health(2));
    await change('alerts', []);
    await stream.received(2);
    assert.deepEqual(topicsOf(stream), ['alerts', 'alerts']);
    assert.ok(
      api.diagnostics.asked.every(({ with: [, topic] }) => topic !== 'health'),
      'nobody follows health',
    );
  });

  it('refuses topics that there are not', async () => {
    for (const topics of ['helth', '', 'health,', 'health, alerts', 'HEALTH', '__proto__']) {
      assertProblem(await api.get(`${PATH}?topics=${encodeURIComponent(topics)}`), {
        status: 400,
        slug: 'invalid-request',
        fields: ['topics'],
      });
    }
  });

  it('asks once for a change, however many follow', async () => {
    const all = await Promise.all([follow(), follow(), follow('&topics=health'), follow('&topics=health')]);
    await Promise.all(all.map((stream, at) => stream.received(at < 2 ? 2 : 1)));
    const before = looks();
    await change('health', health(7));
    await Promise.all(all.map((stream, at) => stream.received(at < 2 ? 3 : 2)));
    assert.equal(looks() - before, 1);
    const [a, b, c, d] = all.map((stream) => stream.events.at(-1));
    assert.deepEqual([a, c], [b, d]);
    assert.notEqual(a?.id, c?.id, 'ids tell what each has seen');
  });

  it('makes one more look of many hints that come during a look, and misses none', async () => {
    const stream = await follow('&topics=health');
    await stream.received(1);
    const before = looks();
    for (let i = 2; i < 100; i++) {
      const { version } = await api.diagnostics.refresh(GRID_A, 'health', health(i));
      for (let repeated = 0; repeated < 10; repeated++)
        api.hints.next({ topic: 'diagnosed', gridId: GRID_A, diagnostic: 'health', version });
    }
    await waitUntil(
      () => JSON.stringify(stream.events.at(-1)?.data).includes('"errorRate":99'),
      'the last change arrives',
    );
    assert.ok(looks() - before <= 2 * 98);
  });

  it('finds what no hint reported within three seconds', async () => {
    const stream = await follow('&topics=health,changes');
    await stream.received(1);
    await api.diagnostics.refresh(GRID_A, 'health', health(4));
    for (let second = 0; second < 3; second++) api.tick();
    const [, found] = await stream.received(2);
    assert.equal(found?.event, 'health');
  });

  it('beats each 15 seconds', async () => {
    const stream = await follow();
    await stream.received(2);
    for (let second = 1; second < 15; second++) api.tick();
    await change('health', health(2));
    await stream.received(3);
    assert.equal(stream.comments, 0);
    api.tick();
    await waitUntil(() => stream.comments === 1, 'a heartbeat');
  });

  describe('resuming', () => {
    async function lastId(query = ''): Promise<string> {
      const stream = await follow(query);
      const events = await stream.received(query === '' ? 2 : 1);
      stream.close();
      return events.at(-1)?.id ?? '';
    }

    it('repeats nothing that did not change', async () => {
      const id = await lastId();
      await api.diagnostics.refresh(GRID_A, 'alerts', []);
      await api.diagnostics.refresh(GRID_A, 'health', health(1, 99_000));
      const stream = await follow('', { lastEventId: id });
      await stream.received(1);
      await change('health', health(5));
      await stream.received(2);
      assert.deepEqual(topicsOf(stream), ['alerts', 'health']);
    });

    it('sends what an earlier stream did not follow', async () => {
      const stream = await follow('', { lastEventId: await lastId('&topics=health') });
      await stream.received(1);
      assert.deepEqual(topicsOf(stream), ['alerts']);
    });

    it('works with a server that has started again, whose versions count from the start', async () => {
      await api.diagnostics.refresh(GRID_A, 'health', health(2));
      const id = await lastId();
      const other = await startApi();
      try {
        await other.diagnostics.refresh(GRID_A, 'health', health(2));
        await other.diagnostics.refresh(GRID_A, 'alerts', [alert('b')]);
        const stream = await EventStream.open(`http://127.0.0.1:${other.port}${PATH}?api-version=2.0`, {
          ...credentialsOf('owner'),
          'Last-Event-ID': id,
        });
        streams.push(stream);
        await stream.received(1);
        assert.deepEqual(topicsOf(stream), ['alerts']);
      } finally {
        await other.stop();
      }
    });

    for (const id of [
      '',
      '0',
      'garbage',
      '........',
      '.'.repeat(9),
      `${'x'.repeat(3_000)}`,
      'a.b.c.d.e.f.g.h.i',
      '__proto__.constructor',
    ]) {
      it(`sends everything after ${JSON.stringify(id.slice(0, 20))}`, async () => {
        const stream = await follow('', { lastEventId: id });
        await stream.received(2);
        assert.deepEqual(topicsOf(stream), ['health', 'alerts']);
      });
    }
  });

  describe('ends', () => {
    const endings: readonly [name: string, as: CallerName, how: () => void][] = [
      ['a revoked key', 'key', () => api.access.keys.delete('hs_key_secret')],
      ['a removed membership', 'user', () => api.access.roles.delete(`${GRID_A} user`)],
      [
        'a subscription that is no longer active',
        'owner',
        () => api.access.grids.set(GRID_A, { gridId: GRID_A, subscriptionActive: false, retentionDays: 7 }),
      ],
    ];
    for (const [name, as, how] of endings) {
      it(`with ${name}, when it is looked at next`, async () => {
        const stream = await follow('', { as });
        const other = await follow('', { as: as === 'user' ? 'member' : 'user' });
        await Promise.all([stream.received(2), other.received(2)]);
        api.tick();
        how();
        assert.equal(stream.ended, false);
        await waitUntil(() => (api.tick(), stream.ended), 'the stream ends');
        assert.equal(other.ended, as === 'owner');
        await waitUntil(() => api.live.size === (as === 'owner' ? 0 : 1), 'its place is free');
      });
    }

    it('at once when somebody says that rights have changed, also during a check that began before', async () => {
      const stream = await follow('', { as: 'key' });
      await stream.received(2);
      const { findApiKey: apiKey } = api.access;
      let answer = (): void => undefined;
      let asked = 0;
      api.access.findApiKey = async (presented) => {
        asked += 1;
        const found = await apiKey.call(api.access, presented);
        if (asked === 1) await new Promise<void>((resolve) => (answer = resolve));
        return found;
      };
      api.tick();
      await waitUntil(() => asked === 1, 'a check');
      api.access.keys.delete('hs_key_secret');
      api.live.recheckAccess();
      answer();
      await waitUntil(() => stream.ended, 'the stream ends');
      assert.equal(asked, 2);
    });

    it('for good: changes that come before the client is gone are not written', async () => {
      const stream = await follow('', { as: 'key' });
      await stream.received(2);
      api.access.keys.delete('hs_key_secret');
      api.tick();
      // Each in a turn of its own, so that some come between the end and the close of the connection.
      for (let n = 0; n < 1_000 && api.live.size > 0; n++) {
        await Promise.all([change('health', health(n)), change('alerts', [alert(`${n}`)])]);
        await new Promise((resolve) => setImmediate(resolve));
      }
      await waitUntil(() => stream.ended, 'the stream ends');
      assert.equal(stream.response.complete, true);
    });

    it('also for a reader who reads nothing of what came before', async () => {
      await api.diagnostics.refresh(GRID_A, 'health', {
        ...health(1),
        services: [{ ...health(1).services[0], serviceName: 'x'.repeat(16_000_000) }],
      });
      const socket = connect(api.port, '127.0.0.1');
      const header = Object.entries(credentialsOf('key'))
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('');
      socket.write(`GET ${PATH}?api-version=2.0&topics=health HTTP/1.1\r\nHost: test\r\n${header}\r\n`);
      socket.pause();
      await waitUntil(() => api.live.size === 1, 'it follows');
      api.access.keys.delete('hs_key_secret');
      await waitUntil(() => (api.tick(), api.live.size === 0), 'its place is free');
      socket.destroy();
    });

    it('when the service stops, and none begins after that', async () => {
      const all = await Promise.all([follow(), follow(), follow()]);
      api.live.stop();
      await waitUntil(() => all.every((stream) => stream.ended), 'all end');
      assertProblem(await api.get(PATH), { status: 503, slug: 'unavailable' });
    });

    it('for a reader that leaves more than its buffer unread', async () => {
      const socket = connect(api.port, '127.0.0.1');
      const header = Object.entries(credentialsOf('owner'))
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('');
      socket.write(`GET ${PATH}?api-version=2.0&topics=health HTTP/1.1\r\nHost: test\r\n${header}\r\n`);
      socket.pause();
      const reading = await follow('&topics=health');
      await waitUntil(() => api.live.size === 2, 'both follow');
      let sent = 0;
      for (; api.live.size === 2 && sent < 400; sent++) {
        await change('health', {
          ...health(sent),
          services: [{ ...health(sent).services[0], serviceName: 'x'.repeat(100_000) }],
        });
        await change('alerts', []); // between the cut and its end
        await reading.received(sent + 2);
      }
      assert.equal(api.live.size, 1, 'one was dropped');
      assert.equal(reading.ended, false);
      socket.destroy();
    });
  });

  it('stays open while nobody can determine whether the caller may stay', async () => {
    const stream = await follow('', { as: 'key' });
    await stream.received(2);
    api.access.findApiKey = () => Promise.reject(new HindsightError('unavailable', 'away'));
    api.tick();
    await change('health', health(2));
    await stream.received(3);
    assert.equal(stream.ended, false);
  });

  it('is checked once for all streams of the same credentials', async () => {
    const all = await Promise.all([follow('', { as: 'key' }), follow('', { as: 'key' }), follow('', { as: 'key' })]);
    await Promise.all(all.map((stream) => stream.received(2)));
    let checks = 0;
    const { findApiKey: apiKey } = api.access;
    api.access.findApiKey = (presented) => ((checks += 1), apiKey.call(api.access, presented));
    api.tick();
    await waitUntil(() => checks > 0, 'a check');
    assert.equal(checks, 1);
  });

  it('has a bound on its number in a Grid', async () => {
    const five = await Promise.all(Array.from({ length: 5 }, () => follow()));
    const refused = await api.get(PATH);
    assertProblem(refused, { status: 429, slug: 'rate-limited' });
    assert.equal(refused.headers.get('retry-after'), '15');
    five[0]?.close();
    await waitUntil(() => api.live.size === 4, 'a place is free');
    assert.equal((await follow()).response.statusCode, 200);
  });

  it('has a bound on its number over all Grids', async () => {
    await Promise.all(Array.from({ length: 5 }, () => follow()));
    const path = PATH.replace(GRID_A, GRID_B);
    streams.push(
      await EventStream.open(`http://127.0.0.1:${api.port}${path}?api-version=2.0`, credentialsOf('owner-of-b')),
    );
    assertProblem(await api.get(path, { as: 'owner-of-b' }), { status: 429, slug: 'rate-limited' });
  });

  it('answers a problem when the state cannot be asked for', async () => {
    api.diagnostics.liveDocument = () => Promise.reject(new HindsightError('unavailable', 'away'));
    assertProblem(await api.get(PATH), { status: 503, slug: 'unavailable' });
    assert.equal(api.live.size, 0);
  });

  it('makes good at the next refresh what it could not look at', async () => {
    const stream = await follow('&topics=health');
    await stream.received(1);
    const { liveDocument: live } = api.diagnostics;
    api.diagnostics.liveDocument = () => Promise.reject(new HindsightError('unavailable', 'away'));
    await change('health', health(2));
    api.diagnostics.liveDocument = live;
    await change('health', health(3));
    for (let second = 0; second < 3; second++) api.tick();
    const [, next] = await stream.received(2);
    assert.match(JSON.stringify(next?.data), /"errorRate":3/);
  });

  it('answers HEAD with the head alone', async () => {
    const reply = await api.call('HEAD', PATH);
    assert.deepEqual(
      [reply.status, reply.headers.get('content-type'), reply.text],
      [200, 'text/event-stream; charset=utf-8', ''],
    );
    await waitUntil(() => api.live.size === 0, 'nothing stays open');
  });
});

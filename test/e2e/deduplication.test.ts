import assert from 'node:assert/strict';
import { BlackBox, operationsFound } from '../support/black-box.js';
import { Minute } from '../support/test-minute.js';
import { logsOf, span, spanId, spansOf, traceId } from '../support/otlp-requests.js';

const NOW = Date.now();

describe('repeated telemetry', function () {
  this.timeout(60_000);
  let box: BlackBox;

  before(async () => (box = await BlackBox.start()));
  after(() => box.dispose());

  const names = (filter: object) => operationsFound(box, filter);

  describe('in one run of the service', () => {
    const time = new Minute(3, NOW);

    it('counts a repeated request once', async () => {
      const spans = spansOf('again', span(0x3000, time.ns(0)), span(0x3001, time.ns(1)));
      const logs = logsOf('again', { time: time.ns(0), body: 'again' });
      for (let i = 0; i < 3; i++) {
        await box.record('traces', spans);
        await box.record('logs', logs);
      }
      assert.deepEqual(await names({ ...time.range(), serviceName: 'again' }), ['span 12288', 'span 12289']);
      assert.equal((await box.logs({ ...time.range(), serviceName: 'again' })).body.totalCount, 1);
    });

    it('counts a span once that is repeated in another batch: the first one wins', async () => {
      const first = span(0x3100, time.ns(100), { name: 'first' });
      await box.record('traces', spansOf('rebatched', first));
      await box.record(
        'traces',
        spansOf('rebatched', { ...first, name: 'same start' }, span(0x3101, time.ns(101))),
        spansOf('other service', { ...first, name: 'other start', start: time.ns(99) }),
        spansOf(
          'rebatched',
          span(0x3102, time.ns(102), { name: 'twice in one' }),
          span(0x3102, time.ns(102), { name: 'twice in one, again' }),
          span(0x3102, time.ns(103), { name: 'twice in one, other start' }),
        ),
      );
      assert.deepEqual(await names({ ...time.range(99, 110) }), ['first', 'span 12545', 'twice in one']);
      assert.deepEqual(await names({ ...time.range(99, 110), operationName: 'other start' }), []);
      assert.equal(
        (await box.trace<{ spans: unknown[] }>(`correlations/${traceId(0x3100)}/spans`)).body.spans.length,
        1,
      );
      assert.equal((await box.trace(`details/${spanId(0x3100)}`)).body.operationName, 'first');
    });

    it('stores the same span id in another trace', async () => {
      await box.record(
        'traces',
        spansOf('two traces', span(0x3200, time.ns(200)), span(0x3201, time.ns(201), { spanId: spanId(0x3200) })),
      );
      assert.equal((await names({ ...time.range(200, 300), serviceName: 'two traces' })).length, 2);
    });

    it('stores an equal log record of another request', async () => {
      const log = { time: time.ns(300), body: 'same record' };
      await box.record('logs', logsOf('relogged', log), logsOf('relogged', log, log));
      assert.equal((await box.logs({ ...time.range(), serviceName: 'relogged' })).body.totalCount, 3);
    });
  });

  describe('across a restart', () => {
    it('returns the same results and still detects repetitions', async () => {
      const time = new Minute(5, NOW);
      const spans = spansOf(
        'restarted',
        span(0x5000, time.ns(0)),
        span(0x5001, time.ns(1), { attributes: [['k', 'v']] }),
      );
      const logs = logsOf('restarted', {
        time: time.ns(0),
        body: 'before the restart',
        spanId: spanId(0x5000),
        traceId: traceId(0x5000),
      });
      await box.record('traces', spans);
      await box.record('logs', logs);
      const everything = async (): Promise<unknown[]> => {
        const answers = [
          box.traces(time.range()),
          box.traces({ ...time.range(), tags: { k: 'v' } }),
          box.logs(time.range()),
          box.trace('filters'),
          box.log('filters'),
          box.log(`details/${spanId(0x5000)}`),
          box.trace(`correlations/${traceId(0x5000)}/logs`),
        ];
        return (await Promise.all<{ body: unknown }>(answers)).map(({ body }) => body);
      };
      const before = await everything();
      assert.equal(await box.service.signal('SIGTERM'), 0);
      await box.service.start();
      assert.deepEqual(await everything(), before);
      await box.record('traces', spans, spansOf('restarted', span(0x5001, time.ns(2), { name: 'other start' })));
      await box.record('logs', logs);
      assert.deepEqual(await everything(), before);
      await box.record('traces', spansOf('restarted', span(0x5002, time.ns(3))));
      assert.deepEqual(await names(time.range()), ['span 20480', 'span 20481', 'span 20482']);
    });
  });
});

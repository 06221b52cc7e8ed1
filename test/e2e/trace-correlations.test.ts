import assert from 'node:assert/strict';
import { BlackBox } from '../support/black-box.js';
import { Minute } from '../support/test-minute.js';
import { logsOf, spanId, spansOf, traceId, type Pairs, type SpanFields } from '../support/otlp-requests.js';

const NOW = Date.now();

describe('correlations of traces', function () {
  this.timeout(60_000);
  let box: BlackBox;

  before(async () => (box = await BlackBox.start()));
  after(() => box.dispose());

  describe('on a trace with logs and exceptions', () => {
    const time = new Minute(5, NOW);
    const trace = traceId(0x500);
    const onlyLogs = traceId(0x5ff);
    const exception = (type: string, message: string, stackTrace?: string): Pairs => [
      ['exception.type', type],
      ['exception.message', message],
      ...(stackTrace === undefined ? [] : [['exception.stacktrace', stackTrace] as const]),
    ];

    before(async () => {
      const span = (number: number, name: string, events: SpanFields['events']): SpanFields => ({
        traceId: trace,
        spanId: spanId(number),
        name,
        start: time.ns(0),
        end: time.ns(90),
        events,
      });
      await box.record(
        'traces',
        spansOf(
          'shop',
          span(0x500, 'root', [
            {
              name: 'exception',
              time: time.ns(60),
              attributes: [...exception('TypeError', 'x is undefined', 'at a\nat b'), ['exception.escaped', true]],
            },
            { name: 'exception', time: time.ns(20), attributes: exception('IOError', 'disk') },
            { name: 'retry', time: time.ns(1), attributes: exception('NotAnException', 'of another name') },
          ]),
          span(0x501, 'child', [
            { name: 'exception', time: time.ns(40), attributes: exception('IOError', 'disk') },
            { name: 'exception', time: time.ns(41) },
          ]),
        ),
      );
      await box.record(
        'logs',
        logsOf(
          'shop',
          {
            time: time.ns(61, 5),
            traceId: trace,
            spanId: spanId(0x500),
            severityNumber: 17,
            body: 'told twice',
            attributes: exception('TypeError', 'x is undefined'),
          },
          {
            time: time.ns(70),
            traceId: trace.toUpperCase(),
            spanId: spanId(0x500),
            severityNumber: 21,
            body: 'another message',
            attributes: [...exception('TypeError', 'y is undefined', 'at c'), ['n', 1n]],
          },
          {
            time: time.ns(50),
            traceId: trace,
            severityNumber: 13,
            body: 'no span',
            attributes: [['exception.message', 'no type']],
          },
          {
            time: time.ns(10),
            traceId: trace,
            spanId: spanId(0x501),
            body: 'no exception',
            attributes: [
              ['exception', 'x'],
              ['__proto__', 'y'],
            ],
          },
        ),
        logsOf([], { time: time.ns(0), traceId: onlyLogs, spanId: spanId(0x5ff), body: 'no span was ever sent' }),
      );
    });

    it('list its exceptions once, oldest first, from span events and from log records', async () => {
      const of = (
        ms: number,
        span: number | undefined,
        exceptionType: string,
        message: string,
        stackTrace: string,
        more: object = {},
      ): object => ({
        timestamp: time.iso(ms),
        spanId: span === undefined ? '' : spanId(span),
        serviceName: 'shop',
        exceptionType,
        message,
        stackTrace,
        attributes: {
          ...(exceptionType && { 'exception.type': exceptionType }),
          ...(message && { 'exception.message': message }),
          ...(stackTrace && { 'exception.stacktrace': stackTrace }),
          ...more,
        },
      });
      assert.deepEqual((await box.trace(`correlations/${trace.toUpperCase()}/errors`)).body, {
        traceId: trace,
        errors: [
          of(20, 0x500, 'IOError', 'disk', ''),
          of(40, 0x501, 'IOError', 'disk', ''),
          of(41, 0x501, '', '', ''),
          of(50, undefined, '', 'no type', ''),
          of(60, 0x500, 'TypeError', 'x is undefined', 'at a\nat b', { 'exception.escaped': 'true' }),
          of(70, 0x500, 'TypeError', 'y is undefined', 'at c', { n: 1 }),
        ],
      });
    });

    it('list its logs, oldest first', async () => {
      const { body } = await box.trace<{ logs: { body: string }[] }>(`correlations/${trace}/logs`);
      assert.deepEqual(
        body.logs.map((log) => log.body),
        ['no exception', 'no span', 'told twice', 'another message'],
      );
      assert.deepEqual(body.logs[0], {
        timestamp: time.iso(10),
        severityLevel: 'Information',
        body: 'no exception',
        serviceName: 'shop',
        spanId: spanId(0x501),
        attributes: Object.fromEntries([
          ['exception', 'x'],
          ['__proto__', 'y'],
        ]),
      });
      assert.deepEqual(
        [body.logs[1], body.logs[3]].map((log) => ({ ...log, attributes: 0 })),
        [
          {
            timestamp: time.iso(50),
            severityLevel: 'Warning',
            body: 'no span',
            serviceName: 'shop',
            spanId: '',
            attributes: 0,
          },
          {
            timestamp: time.iso(70),
            severityLevel: 'Fatal',
            body: 'another message',
            serviceName: 'shop',
            spanId: spanId(0x500),
            attributes: 0,
          },
        ],
      );
    });

    it('know a trace that has only log records, but not its span', async () => {
      assert.deepEqual((await box.trace(`correlations/${onlyLogs}/spans`)).body, { traceId: onlyLogs, spans: [] });
      assert.deepEqual((await box.trace(`correlations/${onlyLogs}/errors`)).body, { traceId: onlyLogs, errors: [] });
      assert.deepEqual((await box.trace(`correlations/${onlyLogs}/logs`)).body.logs, [
        {
          timestamp: time.iso(0),
          severityLevel: 'Information',
          body: 'no span was ever sent',
          serviceName: 'unknown_service',
          spanId: spanId(0x5ff),
          attributes: {},
        },
      ]);
      assert.equal((await box.trace(`details/${spanId(0x5ff)}`)).status, 404);
      assert.equal((await box.traces({ ...time.range(), operationName: '' })).body.totalCount, 0);
    });
  });

  describe('on span ids that two traces share', () => {
    const time = new Minute(6, NOW);

    it('return the span that started last', async () => {
      const at = (trace: number, ms: number): SpanFields => ({
        traceId: traceId(trace),
        spanId: spanId(0x600),
        name: `in ${trace}`,
        start: time.ns(ms),
        end: time.ns(ms),
      });
      await box.record('traces', spansOf('shared', at(1, 5), at(2, 9), at(3, 7)));
      assert.equal((await box.trace(`details/${spanId(0x600)}`)).body.traceId, traceId(2));
      assert.deepEqual(
        (await box.traces(time.range())).body.items.map((item) => item.operationName),
        ['in 2', 'in 3', 'in 1'],
      );
    });
  });
});

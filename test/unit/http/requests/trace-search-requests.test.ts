import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LogListFilterModel, TraceListFilterModel } from '../../../../src/http/requests/telemetry-search-requests.js';
import { parseRequest } from '../../../../src/http/requests/request-parser.js';

const WINDOW = { rangeStart: '2026-01-01T00:00:00Z', rangeEnd: '2026-01-02T00:00:00Z' };

const faultsOfTraces = (sent: object): string[] =>
  parseRequest(TraceListFilterModel, { ...WINDOW, ...sent }).errors.map(({ message }) => message);
const faultsOfLogs = (sent: object): string[] =>
  parseRequest(LogListFilterModel, { ...WINDOW, ...sent }).errors.map(({ message }) => message);

describe('TraceListFilterModel', () => {
  it('needs a window, and has defaults for the page', () => {
    const { value, errors } = parseRequest(TraceListFilterModel, WINDOW);
    assert.deepEqual(errors, []);
    assert.deepEqual({ ...value }, { ...WINDOW, page: 1, pageSize: 20 });
    assert.deepEqual(parseRequest(TraceListFilterModel, {}).errors, [
      { field: 'rangeStart', message: 'rangeStart is required' },
      { field: 'rangeEnd', message: 'rangeEnd is required' },
    ]);
  });

  it('takes every field of the spec', () => {
    const sent = {
      ...WINDOW,
      serviceName: 'shop',
      operationName: 'GET /',
      minDuration: 0,
      maxDuration: 9_007_199_254_740_991,
      status: 'ERROR',
      tags: { 'http.route': '/x', retries: 2, cached: false, '': '' },
      page: 3,
      pageSize: 100,
    };
    const { value, errors } = parseRequest(TraceListFilterModel, sent);
    assert.deepEqual(errors, []);
    assert.deepEqual({ ...value }, sent);
  });

  it('names all faults at once, one a field', () => {
    const sent = {
      rangeStart: '2026-02-30T00:00:00Z',
      rangeEnd: 5,
      serviceName: { $ne: null },
      operationName: ['a'],
      minDuration: '5',
      maxDuration: -1,
      status: 'ok',
      tags: { a: {} },
      page: 0,
      pageSize: 101,
    };
    assert.deepEqual(
      Object.fromEntries(parseRequest(TraceListFilterModel, sent).errors.map(({ field, message }) => [field, message])),
      {
        rangeStart: 'rangeStart must be an ISO 8601 datetime with Z or an offset',
        rangeEnd: 'rangeEnd must be an ISO 8601 datetime with Z or an offset',
        serviceName: 'serviceName must be a string',
        operationName: 'operationName must be a string',
        minDuration: 'minDuration must be an integer',
        maxDuration: 'maxDuration must not be less than 0',
        status: 'status must be one of the following values: OK, ERROR',
        tags: 'tags must be an object of at most 64 strings, numbers or booleans, each of at most 4096 characters',
        page: 'page must not be less than 1',
        pageSize: 'pageSize must not be greater than 100',
      },
    );
  });

  const wrong: readonly object[] = [
    { rangeEnd: WINDOW.rangeStart },
    { rangeStart: '2026-01-02T00:00:00.000000001Z' },
    { rangeEnd: '2026-01-01T01:00:00+02:00' },
    { minDuration: 1.5 },
    { minDuration: -1 },
    { minDuration: true },
    { minDuration: 1e400 },
    { minDuration: 2 ** 53 },
    { minDuration: 10, maxDuration: 9 },
    { page: 1.5 },
    { page: '1' },
    { page: 1e10 },
    { pageSize: 0 },
    { pageSize: 101 },
    { pageSize: {} },
    { pageSize: [20] },
    { status: '' },
    { status: ['OK'] },
    { serviceName: 5 },
    { serviceName: 'x'.repeat(4_097) },
    { tags: 'a=b' },
    { tags: [] },
    { tags: { a: null } },
    { tags: { a: ['b'] } },
    { tags: { $where: { x: 1 } } },
    { tags: { a: 'x'.repeat(4_097) } },
    { tags: { ['k'.repeat(4_097)]: 1 } },
    { tags: Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`k${i}`, i])) },
    { tags: { a: 1e400 } },
  ];
  for (const sent of wrong) {
    it(`refuses ${JSON.stringify(sent).slice(0, 80)}`, () => assert.equal(faultsOfTraces(sent).length, 1));
  }

  it('takes what lies exactly on a bound', () => {
    const onBounds = {
      rangeEnd: '2026-01-01T00:00:00.000000001Z',
      minDuration: 7,
      maxDuration: 7,
      pageSize: 100,
      page: 1_000_000_000,
      serviceName: 'x'.repeat(4_096),
      tags: Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`k${i}`, i])),
    };
    assert.deepEqual(faultsOfTraces(onBounds), []);
  });

  it('takes null as absent: optional fields keep their default, required ones are missing', () => {
    const { value, errors } = parseRequest(TraceListFilterModel, {
      ...WINDOW,
      serviceName: null,
      tags: null,
      page: null,
      pageSize: null,
    });
    assert.deepEqual(errors, []);
    assert.deepEqual({ ...value }, { ...WINDOW, page: 1, pageSize: 20 });
    assert.deepEqual(faultsOfTraces({ rangeStart: null }), ['rangeStart is required']);
  });

  for (const body of [[], [WINDOW], null, 'text', 5, true]) {
    it(`refuses ${JSON.stringify(body)} as a body`, () => {
      assert.deepEqual(parseRequest(TraceListFilterModel, body).errors, [
        { field: '', message: 'the body must be a JSON object' },
      ]);
    });
  }

  it('refuses fields that it does not have, those of prototypes among them, and assigns none', () => {
    const sent: unknown = JSON.parse(
      `{"rangeStart":"${WINDOW.rangeStart}","rangeEnd":"${WINDOW.rangeEnd}","gridId":"x","__proto__":{"pageSize":7},"constructor":{"prototype":{"polluted":1}}}`,
    );
    const { value, errors } = parseRequest(TraceListFilterModel, sent);
    assert.deepEqual(
      errors.map(({ message }) => message),
      ['gridId is unknown', '__proto__ is unknown', 'constructor is unknown'],
    );
    assert.deepEqual({ ...value }, { ...WINDOW, page: 1, pageSize: 20 });
    assert.equal(Reflect.get({}, 'polluted'), undefined);
  });

  it('refuses a known name in other letters, and says how it is spelt: the filter would be left out in silence', () => {
    assert.deepEqual(parseRequest(TraceListFilterModel, { ...WINDOW, servicename: 'shop', PageSize: 5 }).errors, [
      { field: 'servicename', message: 'servicename is unknown; the field is spelled serviceName' },
      { field: 'PageSize', message: 'PageSize is unknown; the field is spelled pageSize' },
    ]);
    assert.equal(faultsOfTraces({ serviceName: 'shop', SERVICENAME: 'cart' }).length, 1, 'beside the right one too');
    assert.equal(faultsOfTraces({ servicename: 'a', SERVICENAME: 'b', sErvicename: 'c' }).length, 3);
    assert.deepEqual(faultsOfTraces({ service_name: 'shop', servicenames: 'shop' }), [
      'service_name is unknown',
      'servicenames is unknown',
    ]);
    assert.deepEqual(
      faultsOfTraces({ tags: { servicename: 'shop', PageSize: 1 } }),
      [],
      "tags are the caller's own names",
    );
  });

  it('never throws, and never lets a fault through, whatever JSON is sent', () => {
    const fields = {
      rangeStart: fc.jsonValue(),
      rangeEnd: fc.jsonValue(),
      minDuration: fc.jsonValue(),
      status: fc.jsonValue(),
      tags: fc.jsonValue(),
      page: fc.jsonValue(),
    };
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.record(fields, { requiredKeys: [] })), (sent) => {
        const { value, errors } = parseRequest(TraceListFilterModel, sent);
        if (errors.length > 0) return;
        assert.ok(Number.isInteger(value.page) && value.page >= 1);
        assert.ok(Object.values(value.tags ?? {}).every((scalar) => typeof scalar !== 'object'));
      }),
    );
  });
});

describe('LogListFilterModel', () => {
  it('takes every field of the spec', () => {
    const sent = {
      ...WINDOW,
      severityLevel: 'Information',
      serviceName: 'shop',
      body: '"a phrase" word*',
      traceId: 'AB',
      spanId: 'cd',
      attributes: { a: 1 },
      page: 2,
      pageSize: 1,
    };
    const { value, errors } = parseRequest(LogListFilterModel, sent);
    assert.deepEqual(errors, []);
    assert.deepEqual({ ...value }, sent);
  });

  const wrong: readonly object[] = [
    { severityLevel: 'error' },
    { severityLevel: 'Info' },
    { severityLevel: 17 },
    { body: {} },
    { body: 'x'.repeat(4_097) },
    { traceId: 1 },
    { spanId: [] },
    { attributes: { a: {} } },
    { attributes: [] },
    { pageSize: 101 },
  ];
  for (const sent of wrong) {
    it(`refuses ${JSON.stringify(sent).slice(0, 80)}`, () => assert.equal(faultsOfLogs(sent).length, 1));
  }

  it('has its own fields, not those of traces', () =>
    assert.deepEqual(faultsOfLogs({ minDuration: 'x', status: 5 }), ['minDuration is unknown', 'status is unknown']));
});

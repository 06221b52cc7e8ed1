import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MalformedJson } from '../../../../src/telemetry/otlp/json/json-reader.js';
import { translateJsonToProtobuf } from '../../../../src/telemetry/otlp/json/json-to-protobuf.js';
import { OversizedMessage } from '../../../../src/telemetry/otlp/wire/wire-writer.js';
import { translateZipkinToProtobuf } from '../../../../src/telemetry/zipkin/zipkin-to-protobuf.js';

const text = (value: string) => ({ stringValue: value });
const toAttributes = (values: Record<string, string>) =>
  Object.entries(values).map(([key, value]) => ({ key, value: text(value) }));
const bytesOf = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

/** What OTLP's own JSON means: the spans by service. */
function otlp(...services: [name: string | undefined, ...spans: object[]][]): Uint8Array {
  const resourceSpans = services.map(([name, ...spans]) => ({
    resource: { attributes: name === undefined ? [] : toAttributes({ 'service.name': name }) },
    scopeSpans: [{ spans }],
  }));
  return translateJsonToProtobuf('traces', bytesOf({ resourceSpans }));
}

function translate(...spans: unknown[]): Uint8Array {
  return translateZipkinToProtobuf(bytesOf(spans));
}

const CLIENT = {
  traceId: '5982fe77008310cc80f1da5e10147519',
  parentId: '90394f6bcffb5d13',
  id: '67fae42571535f60',
  kind: 'CLIENT',
  name: 'get /m/n',
  timestamp: 1_516_781_775_726_000,
  duration: 26_000,
  localEndpoint: { serviceName: 'api', ipv4: '10.0.0.1', port: 3306 },
  remoteEndpoint: { serviceName: 'db', ipv6: '2001:db8::c001' },
  annotations: [{ timestamp: 1_516_781_775_726_001, value: 'retry' }],
  tags: { 'http.path': '/m/n' },
};
const CLIENT_AS_OTLP = {
  traceId: CLIENT.traceId,
  spanId: CLIENT.id,
  parentSpanId: CLIENT.parentId,
  name: 'get /m/n',
  kind: 3,
  startTimeUnixNano: '1516781775726000000',
  endTimeUnixNano: '1516781775752000000',
  attributes: toAttributes({
    'http.path': '/m/n',
    'peer.service': 'db',
    'network.local.address': '10.0.0.1',
    'network.local.port': '3306',
    'network.peer.address': '2001:db8::c001',
  }),
  events: [{ timeUnixNano: '1516781775726001000', name: 'retry' }],
};

describe('spans in the JSON of Zipkin', () => {
  it('mean the same as spans of OTLP', () => {
    assert.deepEqual(translate(CLIENT), otlp(['api', CLIENT_AS_OTLP]));
  });

  it('of one service that follow one another share a resource, in the order of the body', () => {
    const span = (id: string, service?: string) => ({
      traceId: 'a'.repeat(16),
      id: id.repeat(16),
      timestamp: 1,
      ...(service !== undefined && { localEndpoint: { serviceName: service } }),
    });
    const expected = (id: string) => ({
      traceId: '0'.repeat(16) + 'a'.repeat(16),
      spanId: id.repeat(16),
      kind: 1,
      startTimeUnixNano: '1000',
      endTimeUnixNano: '1000',
    });
    assert.deepEqual(
      translate(span('1', 'a'), span('2', 'a'), span('3', 'b'), span('4')),
      otlp(['a', expected('1'), expected('2')], ['b', expected('3')], [undefined, expected('4')]),
    );
    assert.equal(translate().length, 0);
  });

  it('fail by their tags', () => {
    const base = { traceId: 'b'.repeat(32), id: 'c'.repeat(16), timestamp: 1 };
    const expected = (tags: Record<string, string>, status?: object) =>
      otlp([
        undefined,
        {
          traceId: base.traceId,
          spanId: base.id,
          kind: 1,
          startTimeUnixNano: '1000',
          endTimeUnixNano: '1000',
          attributes: toAttributes(tags),
          ...(status !== undefined && { status }),
        },
      ]);
    for (const [tags, status] of [
      [{ error: 'no route' }, { message: 'no route', code: 2 }],
      [{ error: 'true' }, { code: 2 }],
      [{ error: 'false' }, undefined],
      [{ 'otel.status_code': 'OK' }, { code: 1 }],
      [
        { 'otel.status_code': 'ERROR', error: 'late' },
        { message: 'late', code: 2 },
      ],
    ] as [Record<string, string>, object | undefined][])
      assert.deepEqual(translate({ ...base, tags }), expected(tags, status), JSON.stringify(tags));
  });

  it('with the id of their client become its children, at every retry under the same id', () => {
    const server = { ...CLIENT, kind: 'SERVER', shared: true, localEndpoint: { serviceName: 'web' } };
    const sent = Buffer.from(translate(server)).toString('latin1');
    const [id, parent] = [Buffer.from(CLIENT.id, 'hex').toString('latin1'), '\x22\x08'];
    assert.ok(sent.includes(parent + id), 'the client is its parent');
    assert.ok(!sent.includes('\x12\x08' + id), 'it has an id of its own');
    assert.deepEqual(translate(server), translate(server));
  });

  it('take numbers and booleans as tags, null for absent, and other members for none', () => {
    const { tags: _, ...plain } = CLIENT;
    const lenient = { ...plain, tags: { a: 1.5, b: true, c: null }, debug: null, more: [{ a: [] }] };
    assert.deepEqual(translate(lenient), translate({ ...plain, tags: { a: '1.5', b: 'true' } }));
  });

  it('are refused with the name of the field', () => {
    for (const [body, message] of [
      [{}, 'expected an array of spans'],
      [[1], '[0]: expected an object'],
      [[{}, { traceId: 1 }], '[1].traceId: expected a string'],
      [[{ timestamp: 1.5 }], '[0].timestamp: expected a whole number of at most 16 digits'],
      [[{ duration: '1' }], '[0].duration: expected a whole number of at most 16 digits'],
      [[{ localEndpoint: { port: -1 } }], '[0].localEndpoint.port: expected a whole number of at most 16 digits'],
      [[{ shared: 1 }], '[0].shared: expected true or false'],
      [[{ annotations: [{ value: {} }] }], '[0].annotations[0].value: expected a string'],
      [[{ tags: { a: [] } }], '[0].tags.a: expected a string'],
    ] as [unknown, string][])
      assert.throws(() => translateZipkinToProtobuf(bytesOf(body)), { name: 'MalformedJson', message });
    assert.throws(() => translateZipkinToProtobuf(Buffer.from('[{}] x')), MalformedJson);
    assert.throws(() => translateZipkinToProtobuf(bytesOf([CLIENT, CLIENT]), 300), OversizedMessage);
  });

  it('throw nothing else, whatever the body', () => {
    const body = bytesOf([CLIENT, { ...CLIENT, shared: true }]);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }), (changes) => {
        const mutated = Buffer.from(body);
        for (const [at, byte] of changes) mutated[at % mutated.length] = byte;
        try {
          translateZipkinToProtobuf(mutated, 10_000);
        } catch (error) {
          assert.ok(error instanceof MalformedJson, String(error));
        }
      }),
      { numRuns: 2000 },
    );
  });
});

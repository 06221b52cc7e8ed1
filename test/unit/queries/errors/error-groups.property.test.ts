import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ErrorGroupKeys } from '../../../../src/diagnostics/error-groups/error-group-key.js';
import type { ErrorGroupsQuery, FoundErrorGroup } from '../../../../src/queries/errors/error-group-query-types.js';
import type { QueryRange } from '../../../../src/queries/query/query-model.js';
import type { GivenLog, GivenSpan, Values } from '../telemetry/support/requests.js';
import { GRID, TelemetryWorld } from '../telemetry/support/telemetry-world.js';

const BASE_US = 1_760_000_000_000_000;
const at = (us: number): bigint => BigInt(BASE_US + us) * 1_000n;

interface GivenException {
  readonly attributes: Values;
  readonly afterUs: number;
}

const exception: fc.Arbitrary<GivenException> = fc.record({
  attributes: fc
    .record({
      'exception.type': fc.constantFrom('CardDeclined', 'Timeout'),
      'exception.message': fc.constantFrom('no order 17', 'no order 18', 'slow'),
      'exception.stacktrace': fc.constantFrom('', 'at pay (/app/pay.js:1:1)', 'at pay (/app/pay.js:2:2)'),
    })
    .map((attributes): Values => attributes),
  afterUs: fc.integer({ min: -3, max: 12 }),
});

const origin = fc.record({ service: fc.constantFrom('shop', 'bank'), version: fc.constantFrom('1.0', '1.1', '') });

const ids = (trace: number, span: number) => ({
  traceId: (trace + 1).toString(16).padStart(32, '0'),
  spanId: (span + 1).toString(16).padStart(16, '0'),
});
const resourceOf = (version: string): Values => (version === '' ? {} : { 'service.version': version });

const spans: fc.Arbitrary<GivenSpan[]> = fc
  .array(fc.record({ origin, startUs: fc.nat(30), us: fc.nat(10), events: fc.array(exception, { maxLength: 3 }) }), {
    maxLength: 20,
  })
  .map((given) =>
    given.map(({ origin: { service, version }, startUs, us, events }, index) => ({
      ...ids(index % 6, index),
      service,
      operation: 'work',
      start: at(startUs),
      end: at(startUs + us),
      resource: resourceOf(version),
      events: [
        { name: 'retry', time: at(startUs), attributes: { 'exception.type': 'None' } },
        ...events.map(({ attributes, afterUs }) => ({ name: 'exception', time: at(startUs + afterUs), attributes })),
      ],
    })),
  );

const logs: fc.Arbitrary<GivenLog[]> = fc.array(
  fc
    .record({ origin, us: fc.nat(40), span: fc.option(fc.nat(25)), exception: fc.option(exception) })
    .map(({ origin: { service, version }, us, span, exception: given }) => ({
      time: at(us),
      body: 'failed',
      service,
      resource: resourceOf(version),
      ...(span !== null && ids(span % 6, span)),
      attributes: given?.attributes ?? {},
    })),
  { maxLength: 20 },
);

const range: fc.Arbitrary<QueryRange> = fc
  .tuple(fc.integer({ min: -2, max: 30 }), fc.integer({ min: 1, max: 30 }), fc.option(fc.nat(40)))
  .map(([from, length, known]) => ({
    fromUs: BASE_US + from,
    toUs: BASE_US + from + length,
    ...(known !== null && { knownByUs: BASE_US + known }),
  }));

interface Naive {
  readonly identity: string;
  readonly groupId: string;
  readonly timeUs: number;
  readonly service: string;
  readonly version: string;
  readonly traceId: string;
}

const keys = new ErrorGroupKeys();
function naive(
  attributes: Values,
  timeUs: number,
  { service, resource, traceId, spanId }: GivenSpan | GivenLog,
): Naive {
  const [type, message, stackTrace] = ['type', 'message', 'stacktrace'].map((name) =>
    String(attributes[`exception.${name}`] as string),
  );
  return {
    identity: JSON.stringify([traceId, spanId, type, message]),
    groupId: keys.find({ type, message, stackTrace }).groupId,
    timeUs,
    service,
    version: String((resource?.['service.version'] as string | undefined) ?? ''),
    traceId: traceId ?? '',
  };
}

/** Everything that counts at any time, by the definition in docs/errors.md. */
function evaluate(given: readonly GivenSpan[], records: readonly GivenLog[], knownByUs = Infinity): Naive[] {
  const events: Naive[] = [];
  for (const span of given) {
    const [startUs, endUs] = [Number(span.start / 1_000n), Number(span.end / 1_000n)];
    if (endUs > knownByUs) continue;
    const own = span
      .events!.filter(({ name }) => name === 'exception')
      .map(({ time, attributes }) => ({ attributes, us: Math.min(Math.max(Number(time / 1_000n), startUs), endUs) }))
      .sort((a, b) => a.us - b.us || (stackOf(a.attributes) < stackOf(b.attributes) ? -1 : 1))
      .map(({ attributes, us }) => naive(attributes, us, span));
    events.push(...own.filter((each, index) => own.findIndex(({ identity }) => identity === each.identity) === index));
  }
  const known = new Set(events.map(({ identity }) => identity));
  const others = records
    .filter(({ attributes }) => attributes!['exception.type'] !== undefined)
    .map((log) => naive(log.attributes!, Number(log.time / 1_000n), log));
  return [...events, ...others.filter(({ identity }) => !known.has(identity))];
}

const stackOf = (attributes: Values): string => String(attributes['exception.stacktrace']);

function summarize(found: readonly Naive[]) {
  const times = found.map(({ timeUs }) => timeUs);
  const load = (name: 'service' | 'version') =>
    Object.fromEntries(
      [...new Set(found.map((each) => each[name]))]
        .sort()
        .map((value) => [value, found.filter((each) => each[name] === value).length]),
    );
  return {
    count: found.length,
    first: Math.min(...times),
    last: Math.max(...times),
    versions: load('version'),
    services: load('service'),
    traces: Math.min(5, new Set(found.map(({ traceId }) => traceId).filter((id) => id !== '')).size),
  };
}

const summarizeFound = ({ count, firstSeenUs, lastSeenUs, versions, services, sampleTraces }: FoundErrorGroup) => ({
  count,
  first: firstSeenUs,
  last: lastSeenUs,
  versions: Object.fromEntries(versions.map(({ name, count: each }) => [name, each]).sort()),
  services: Object.fromEntries(services.map(({ name, count: each }) => [name, each]).sort()),
  traces: sampleTraces.length,
});

describe('error groups over random telemetry', () => {
  it('are those of a naive evaluation, with their counts, also step by step', () =>
    fc.assert(
      fc.asyncProperty(
        fc.tuple(spans, logs, range, fc.constantFrom(undefined, 'shop'), fc.integer({ min: 1, max: 20 })),
        async ([given, records, selected, serviceName, cut]) => {
          const world = await TelemetryWorld.empty();
          for (const part of [given.slice(0, cut), given.slice(cut)]) await world.addSpans(part);
          for (const part of [records.slice(0, cut), records.slice(cut)]) await world.addLogs(part);
          const queries = world.queries();
          const selection = { gridId: GRID, range: selected, ...(serviceName !== undefined && { serviceName }) };
          const query: ErrorGroupsQuery = { ...selection, orderBy: 'count', page: 1, pageSize: 100 };
          const expected = new Map<string, Naive[]>();
          for (const each of evaluate(given, records, selected.knownByUs)) {
            const isSelected = each.timeUs >= selected.fromUs && each.timeUs < selected.toUs;
            if (!isSelected || (serviceName ?? each.service) !== each.service) continue;
            expected.set(each.groupId, [...(expected.get(each.groupId) ?? []), each]);
          }
          for (const attempt of ['first', 'with what is kept of it']) {
            const page = await queries.findErrorGroups(query, attempt);
            assert.equal(page.totalCount, expected.size);
            assert.deepEqual(
              Object.fromEntries(page.groups.map((group) => [group.groupId, summarizeFound(group)])),
              Object.fromEntries([...expected].map(([groupId, found]) => [groupId, summarize(found)])),
            );
            const counts = page.groups.map(({ count }) => count);
            assert.deepEqual(
              counts,
              counts.toSorted((a, b) => b - a),
            );
          }
          for (const [groupId, found] of expected) {
            const detail = (await queries.readErrorGroup({ ...selection, groupId }, groupId))!;
            assert.deepEqual(summarizeFound(detail), summarize(found));
            for (const step of detail.steps) {
              const endUs = step.timeUs + detail.stepSeconds * 1e6;
              const own = found.filter(({ timeUs }) => timeUs >= step.timeUs && timeUs < endUs);
              assert.equal(step.count, own.length);
              assert.equal(
                step.versions.reduce((sum, { count }) => sum + count, 0),
                own.length,
              );
            }
            assert.equal(keys.find({ ...detail.sample, type: detail.type }).groupId, groupId);
          }
        },
      ),
      { numRuns: 60 },
    ));

  it('are new unless the same was stored before the range', () =>
    fc.assert(
      fc.asyncProperty(spans, logs, range, async (given, records, { fromUs, toUs }) => {
        const world = await TelemetryWorld.empty();
        await world.addSpans(given);
        await world.addLogs(records);
        const query: ErrorGroupsQuery = {
          ...{ gridId: GRID, range: { fromUs, toUs } },
          ...({ orderBy: 'lastSeen', page: 1, pageSize: 100 } as const),
        };
        const { groups } = await world.queries().findErrorGroups(query, 'new');
        const before = new Set(
          evaluate(given, records)
            .filter(({ timeUs }) => timeUs < fromUs)
            .map(({ groupId }) => groupId),
        );
        // A log record of which a span event tells is stored as well.
        for (const log of records.filter(({ attributes }) => attributes!['exception.type'] !== undefined))
          if (Number(log.time / 1_000n) < fromUs) before.add(naive(log.attributes!, 0, log).groupId);
        for (const group of groups) assert.equal(group.isNew, !before.has(group.groupId));
      }),
      { numRuns: 60 },
    ));
});

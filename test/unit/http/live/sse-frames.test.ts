import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  buildEventId,
  buildFrame,
  formatFrame,
  parseLastEventId,
  type SseFrame,
} from '../../../../src/http/live/sse-frames.js';
import { LIVE_TOPICS, type LiveTopic } from '../../../../src/read-models/documents/live-diagnostics-documents.js';

const fingerprint = fc.stringMatching(/^[A-Za-z0-9_-]{8}$/);
const seen = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...LIVE_TOPICS), fingerprint), { selector: ([topic]) => topic })
  .map((entries) => new Map<LiveTopic, string>(entries));

describe('ids of events', () => {
  it('report what was seen, and nothing of what was not', () => {
    fc.assert(
      fc.property(seen, (before) => {
        const after = parseLastEventId(buildEventId(before));
        for (const topic of LIVE_TOPICS) assert.equal(after.get(topic) ?? '', before.get(topic) ?? '');
      }),
    );
  });

  it('fit into a line and a header, all topics together', () => {
    const id = buildEventId(new Map(LIVE_TOPICS.map((topic) => [topic, 'x'.repeat(8)])));
    assert.match(id, /^[\w.-]{1,100}$/);
  });

  it('are read without a fault whatever arrives, and no topic is believed seen that has no fingerprint in it', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const print of parseLastEventId(text).values()) assert.ok(text.includes(print));
      }),
    );
    assert.equal(parseLastEventId(undefined).size, 0);
  });
});

describe('frames', () => {
  const document = (answer: object, version = 1) => ({ gridId: 'g', topic: 'health', version, at: 0, answer }) as const;
  const health = { overallStatus: 'healthy', timestamp: 0, services: [] };

  it('are of two lines, whatever a name holds', () => {
    const service = {
      serviceName: 'a\nb\r\u2028\n\ndata: x',
      status: 'healthy',
      errorRate: 0,
      apdex: 1,
      requestCount: 1,
      avgLatencyMs: 1,
    };
    const lines = formatFrame(buildFrame(document({ ...health, services: [service] })), 0);
    const [event, data, ...rest] = lines.split('\n');
    assert.equal(event, 'event: health');
    assert.equal(
      (JSON.parse(data?.slice('data: '.length) ?? '') as { services: { serviceName: string }[] }).services[0]
        ?.serviceName,
      service.serviceName,
    );
    assert.deepEqual(rest, ['', '']);
    assert.doesNotMatch(lines, /\r/);
  });

  it('report the age of the change when they are sent, or of the computation if no change is known', () => {
    const ageOf = (frame: SseFrame, now: number): unknown =>
      (JSON.parse(/^data: (.*)$/m.exec(formatFrame(frame, now))?.[1] ?? '') as { ageMs: unknown }).ageMs;
    const computed = { ...document(health), at: 5_000 };
    assert.equal(ageOf(buildFrame(computed), 5_040), 40);
    const frame = buildFrame({ ...computed, since: 4_000 });
    assert.deepEqual([ageOf(frame, 5_040), ageOf(frame, 9_000.4)], [1_040, 5_000]);
    assert.equal(ageOf(frame, 3_000), 0, 'a clock that was set back');
    assert.equal(buildFrame({ ...computed, since: 1 }).fingerprint, frame.fingerprint);
  });

  it('have the same fingerprint where nothing but version and time differ', () => {
    const { fingerprint: print } = buildFrame(document(health));
    assert.equal(buildFrame(document({ ...health, timestamp: 5 }, 9)).fingerprint, print);
    assert.notEqual(buildFrame(document({ ...health, overallStatus: 'degraded' })).fingerprint, print);
  });
});

import assert from 'node:assert/strict';
import { EventStream } from '../support/event-stream.js';
import { sendUntilAcknowledged, rootSpans } from '../support/sender.js';
import { ServiceProcess, type Bootstrap } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

describe('the live stream of a running service', function () {
  this.timeout(60_000);
  let service: ServiceProcess;
  let grid: Bootstrap;

  before(async () => {
    service = await ServiceProcess.start();
    grid = await service.bootstrap();
  });
  after(() => service.dispose());

  const follow = (topics: string, headers: Readonly<Record<string, string>> = {}) =>
    EventStream.open(`${service.apiUrl}/apm/diagnostics/${grid.gridId}/stream?api-version=2.0&topics=${topics}`, {
      'api-key': grid.apiKey,
      ...headers,
    });

  const hasService = (stream: EventStream, serviceName: string) =>
    stream.events.some(
      ({ event, data }) => event === 'health' && JSON.stringify(data).includes(`"serviceName":"${serviceName}"`),
    );

  it('reports telemetry soon after its acknowledgement', async () => {
    const stream = await follow('health');
    await sendUntilAcknowledged(service.otlpHttpUrl, grid.apiKey, rootSpans(20));
    await waitUntil(() => hasService(stream, 'faults'), 'the new service is reported', 5_000);
    stream.close();
  });

  it('does not resend unchanged data after a reconnect', async () => {
    const first = await follow('pressure,slowest-endpoints');
    const events = await first.received(2);
    first.close();
    const second = await follow('pressure,slowest-endpoints,health', { 'Last-Event-ID': events.at(-1)?.id ?? '' });
    await second.received(1);
    assert.ok(
      second.events.every(({ event }) => event === 'health'),
      JSON.stringify(second.events),
    );
    second.close();
  });

  it('ends immediately when the service stops and does not delay it', async () => {
    const stream = await follow('health');
    const startedAt = performance.now();
    assert.equal(await service.signal('SIGTERM'), 0);
    assert.ok(performance.now() - startedAt < 8_000, 'nobody waited for the stream');
    assert.equal(stream.ended, true);
    assert.equal(stream.response.complete, true, 'it ended in order');
  });
});

import { createEventLog, replayAll } from '../../../../support/golden-log/replay.js';
import { goldenLog, type GoldenEvent } from '../../../../support/golden-log/golden-log.js';
import { createTelemetryGenerator } from '../../../../support/telemetry-generator.js';
import { telemetryStream } from '../../../../../src/streams/stream-names.js';
import { GRID, received } from './requests.js';

const START_MS = Date.UTC(2026, 2, 28, 23);
const REQUESTS = 24;

/** Replays the golden log, and telemetry across the night in which clocks are moved. Prints the digests and where it ran. */
const generator = createTelemetryGenerator(11, { startNs: BigInt(START_MS) * 1_000_000n, perSecond: 0.5 });
const telemetry = Array.from({ length: REQUESTS }, (_, i): GoldenEvent => {
  const signal = (['traces', 'logs', 'metrics'] as const)[i % 3];
  return {
    ...received(GRID, signal, 200, generator[signal](200)),
    stream: telemetryStream(GRID),
    at: START_MS + i * 60_000,
  };
});
const digests = [];
for (const events of [goldenLog(), telemetry]) digests.push(await replayAll(await createEventLog(events)));
const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
process.stdout.write(JSON.stringify({ digests, timeZone, locale, hour: new Date(START_MS).getHours() }));

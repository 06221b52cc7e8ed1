import assert from 'node:assert/strict';
import { ChartClient } from '../support/chart-client.js';
import { reportFigures, reportMeasurements } from '../support/faults/figures.js';
import { drawsOfCycle, scaleToBudget, SEED } from '../support/faults/budget.js';
import { Trial } from '../support/faults/trial.js';
import type { Random } from '../support/generator/random.js';
import { Batches, POINTS_METRIC, type Batch } from '../support/load/batches.js';
import { GrpcSender, HttpSender, sendBatchUntilAcknowledged, type Sender } from '../support/load/senders.js';
import { waitUntil } from '../support/wait-until.js';

const RECORDS = {
  traces: scaleToBudget('REPEATED_SPANS', 1_000, 1_000_000),
  logs: scaleToBudget('REPEATED_LOGS', 1_000, 1_000_000),
  metrics: scaleToBudget('REPEATED_POINTS', 400, 200_000),
} as const;
const SIGNALS = ['traces', 'logs', 'metrics'] as const;
const RECORDS_A_REQUEST = 100;
const MAX_TIMES = 5;
const AT_ONCE = 16;
const KILLS = scaleToBudget('REPEATED_KILLS', 1, 3);
/** Number of requests that are repeated after a kill. */
const REMEMBERED = 300;
const MINUTE_MS = 60_000;

describe(`${RECORDS.traces} spans, ${RECORDS.logs} log records and ${RECORDS.metrics} points, each request sent one to ${MAX_TIMES} times over HTTP and gRPC (seed ${SEED})`, function () {
  this.timeout((RECORDS.traces + RECORDS.logs + RECORDS.metrics) * 2 + 180_000);
  const beganMs = Date.now();
  let trial: Trial;
  let senders: Sender[] = [];
  let sends = 0;

  const connect = (): void => {
    const { otlpHttpPort, otlpGrpcPort } = trial.service.ports;
    for (const sender of senders) sender.close();
    senders = [
      new HttpSender(otlpHttpPort, trial.apiKey, 2 * AT_ONCE),
      new GrpcSender(otlpGrpcPort, trial.apiKey),
      new GrpcSender(otlpHttpPort, trial.apiKey),
    ];
  };
  before(async () => {
    trial = await Trial.start();
    connect();
  });
  after(() => trial.dispose());

  /** Repeats a request, partly concurrently and over random transports, until every attempt is acknowledged. */
  async function repeat(batch: Batch, draws: Random): Promise<void> {
    const times = 1 + draws.below(MAX_TIMES);
    const together = draws.below(2) === 0;
    const attempts: Promise<number>[] = [];
    for (let n = 0; n < times; n++) {
      attempts.push(sendBatchUntilAcknowledged(draws.pick(senders), batch));
      if (!together) await attempts[n];
    }
    await Promise.all(attempts);
    sends += times;
  }

  it('count once, including repetitions after a kill', async () => {
    const batches = SIGNALS.flatMap((signal) => {
      const source = new Batches(signal, RECORDS_A_REQUEST);
      return Array.from({ length: RECORDS[signal] / RECORDS_A_REQUEST }, (_, n) => ({
        source,
        at: n / (RECORDS[signal] / RECORDS_A_REQUEST),
      }));
    }).sort((a, b) => a.at - b.at);
    let done = 0;
    for (let life = 0; life <= KILLS; life++) {
      const end = Math.floor((batches.length * (life + 1)) / (KILLS + 1));
      const remembered: Batch[] = [];
      const draws = drawsOfCycle(life);
      const lane = async (): Promise<void> => {
        while (done < end) {
          const batch = batches[done++].source.next();
          await repeat(batch, draws);
          if (remembered.push(batch) > REMEMBERED) remembered.shift();
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, lane));
      await trial.service.signal('SIGKILL');
      await trial.start();
      connect();
      // As after lost responses, they are repeated to the restarted process.
      await Promise.all(remembered.map((batch) => repeat(batch, draws)));
    }
    trial.acknowledged('traces', RECORDS.traces);
    trial.acknowledged('logs', RECORDS.logs);
    await trial.settle('every span and log record counts once', 120_000);
  });

  it('count once in a chart of their points', async () => {
    const charting = await ChartClient.with(trial);
    const chart = await charting.create({ metric: POINTS_METRIC, serviceName: 'load', aggregation: 'count' });
    const range = `?rangeStart=${new Date(beganMs - 10 * MINUTE_MS).toISOString()}&rangeEnd=${new Date(Date.now() + MINUTE_MS).toISOString()}`;
    const counted = async (): Promise<number> =>
      (await charting.rangeData(chart, range)).series
        .flatMap(({ dataPoints }) => dataPoints)
        .reduce((sum, { value }) => sum + value, 0);
    await waitUntil(async () => (await counted()) >= RECORDS.metrics, 'all points are counted');
    assert.equal(await counted(), RECORDS.metrics);
  });

  it('are the same after a replay', async () => {
    await trial.verify();
    for (const sender of senders) sender.close();
    reportFigures({ ...trial.figures('repeated everywhere'), cycles: KILLS });
    reportMeasurements('repeated everywhere', { ...RECORDS, 'requests sent': sends });
  });
});

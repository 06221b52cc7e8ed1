import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BlackBox } from '../support/black-box.js';
import { freePort } from '../support/free-port.js';
import {
  compressAsSnappyBlock,
  encodeVersion1,
  encodeVersion2,
  type SeriesModel,
  TYPES,
} from '../support/remote-write-encoder.js';
import { waitUntil } from '../support/wait-until.js';

const HAS_PROMETHEUS = spawnSync('prometheus', ['--version']).error === undefined;
const VERSION_2 = 'application/x-protobuf;proto=io.prometheus.write.v2.Request';
const MIN_SCRAPES = 4;

const query = async (box: BlackBox, body: object): Promise<unknown[][]> => {
  const range = {
    rangeStart: new Date(Date.now() - 600_000).toISOString(),
    rangeEnd: new Date(Date.now() + 60_000).toISOString(),
  };
  const answer = await box.api.post<{ rows: unknown[][] }>(`/apm/query/${box.gridId}`, {
    signal: 'metrics',
    ...range,
    ...body,
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.rows;
};

describe('senders of Prometheus remote write', function () {
  this.timeout(60_000);
  let box: BlackBox;
  before(async () => (box = await BlackBox.start()));
  after(() => box.dispose());

  const write = (body: Uint8Array, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(`${box.service.otlpHttpUrl}/api/v1/write`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-protobuf',
        'content-encoding': 'snappy',
        'api-key': box.apiKey,
        ...headers,
      },
      body: Uint8Array.from(compressAsSnappyBlock(body)),
    });
  const writtenBy = ({ headers }: Response): (string | null)[] =>
    ['samples', 'histograms', 'exemplars'].map((kind) => headers.get(`x-prometheus-remote-write-${kind}-written`));

  const now = Date.now();
  const labels = { instance: 'till-1:80', job: 'shop/till' };
  const sample = (name: string, value: number, more: object = {}, ms = now): SeriesModel => ({
    labels: { __name__: name, ...labels, ...more },
    samples: [{ value, ms }],
  });

  it('are told what was written, and each sample counts once however often it comes', async () => {
    const typed = { type: TYPES.counter, unit: 'bytes', createdMs: now - 60_000 };
    const series: SeriesModel[] = [
      { ...sample('sent', 7), ...typed },
      { ...sample('sent', 10, {}, now + 1000), ...typed },
      {
        labels: { __name__: 'wait', ...labels },
        histograms: [{ ms: now, count: 2, sum: 3, schema: 0, positive: { spans: [[1, 1]], deltas: [2] } }],
        type: TYPES.histogram,
      },
    ];
    for (const part of [series, series, series.slice(0, 2)]) {
      const answer = await write(encodeVersion2(part), { 'content-type': VERSION_2 });
      assert.deepEqual([answer.status, writtenBy(answer)], [204, ['2', String(part.length - 2), '0']]);
    }
    await box.settled();
    const rows = await query(box, {
      where: 'metric = sent and service = till',
      groupBy: ['instance', 'unit'],
      select: [
        { fn: 'count', as: 'points' },
        { fn: 'sum', field: 'value', as: 'increase' },
      ],
    });
    assert.deepEqual(rows, [['till-1:80', 'By', 2, 10]]);
  });

  it('have the valid part stored, and get 400 with the reason for the rest', async () => {
    const series = [
      sample('half', 1),
      sample('half', 2, {}, 1000),
      { labels: { a: 'b' }, samples: [{ value: 1, ms: now }] },
    ];
    for (const [encode, headers, written] of [
      [encodeVersion1, {}, [null, null, null]],
      [encodeVersion2, { 'content-type': VERSION_2 }, ['1', '0', '0']],
    ] as const) {
      const answer = await write(encode(series), headers);
      assert.deepEqual([answer.status, writtenBy(answer)], [400, written]);
      assert.match(
        await answer.text(),
        /without the label __name__ \(first in timeseries\[2\]\).*older than retention/,
      );
    }
    await box.settled();
    assert.deepEqual(await query(box, { where: 'metric = half', select: [{ fn: 'count' }] }), [[1]]);
  });

  it('are refused without retries where a retry cannot help', async () => {
    const body = encodeVersion2([sample('up', 1)]);
    for (const [status, headers] of [
      [401, { 'api-key': 'hs_no_key' }],
      [415, { 'content-type': 'application/x-protobuf;proto=io.prometheus.write.v3.Request' }],
      [415, { 'content-type': 'application/json' }],
      [400, { 'content-type': 'application/x-protobuf' }],
      [415, { 'content-encoding': 'br' }],
    ] as [number, Record<string, string>][]) {
      const answer = await write(body, { 'content-type': VERSION_2, ...headers });
      const isVersion2 = headers['content-type'] === undefined;
      assert.deepEqual(
        [answer.status, writtenBy(answer)[0]],
        [status, isVersion2 ? '0' : null],
        JSON.stringify(headers),
      );
    }
  });
});

describe(`Prometheus${HAS_PROMETHEUS ? '' : ' (apt-get install prometheus)'}`, function () {
  this.timeout(120_000);
  let box: BlackBox;
  let target: Server;
  let folder: string;
  let prometheus: ChildProcess | undefined;
  let scrapes = 0;

  before(async function () {
    if (!HAS_PROMETHEUS) this.skip();
    box = await BlackBox.start();
    folder = await mkdtemp(join(tmpdir(), 'hindsight-prometheus-'));
    target = createServer((_request, response) => {
      response.setHeader('content-type', 'application/openmetrics-text; version=1.0.0; charset=utf-8');
      response.end(expose(++scrapes));
    }).listen(0, '127.0.0.1');
    await once(target, 'listening');
  });
  after(async () => {
    if (!HAS_PROMETHEUS) return;
    prometheus?.kill('SIGKILL');
    target.close();
    await box.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  /** What the target shows at its n-th scrape. */
  const expose = (n: number): string =>
    [
      '# TYPE scrape_number gauge',
      `scrape_number ${n}`,
      '# TYPE paid counter',
      `paid_total{till="1"} ${3 * n} # {trace_id="5b8efff798038103d269b633813fc60c",span_id="eee19b7ec3c1b174"} 1 ${Date.now() / 1000}`,
      '# TYPE wait_seconds histogram',
      `wait_seconds_bucket{le="0.1"} ${n}`,
      `wait_seconds_bucket{le="1.0"} ${3 * n}`,
      `wait_seconds_bucket{le="+Inf"} ${4 * n}`,
      `wait_seconds_sum ${6 * n}`,
      `wait_seconds_count ${4 * n}`,
      '# EOF\n',
    ].join('\n');

  /** Sends all at once when it stops, so that no histogram is divided between two requests. */
  const configure = (): string => `
global: { scrape_interval: 1s }
scrape_configs:
  - job_name: shop/till
    static_configs: [{ targets: ['127.0.0.1:${(target.address() as AddressInfo).port}'] }]
remote_write:
  - url: ${box.service.otlpHttpUrl}/api/v1/write
    authorization: { credentials_file: ${join(folder, 'api-key')} }
    send_exemplars: true
    queue_config: { batch_send_deadline: 5m, max_samples_per_send: 10000, capacity: 20000, retry_on_http_429: true }
`;

  it('writes what it scrapes, and every sample is counted', async () => {
    const port = await freePort();
    await writeFile(join(folder, 'api-key'), box.apiKey);
    await writeFile(join(folder, 'prometheus.yml'), configure());
    prometheus = spawn(
      'prometheus',
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--enable-feature=exemplar-storage',
      ],
      { stdio: 'ignore' },
    );
    const readOwn = async (name: string): Promise<number> => {
      const text = await fetch(`http://127.0.0.1:${port}/metrics`).then(
        (response) => response.text(),
        () => '',
      );
      return Number(new RegExp(`^prometheus_remote_storage_${name}(?:\\{.*\\})? (.*)$`, 'm').exec(text)?.[1] ?? 0);
    };
    // Seven series of the target and five of Prometheus itself.
    await waitUntil(
      async () => (await readOwn('samples_in_total')) >= 12 * MIN_SCRAPES,
      'samples wait to be sent',
      60_000,
    );
    prometheus.kill('SIGTERM');
    await once(prometheus, 'exit');
    await box.settled();

    const readFigures = async (metric: string): Promise<number[]> => {
      const [row] = await query(box, {
        where: `metric = ${metric} and service = till and instance =~ 127`,
        select: [
          { fn: 'count' },
          { fn: 'min', field: 'value' },
          { fn: 'max', field: 'value' },
          { fn: 'sum', field: 'value' },
          { fn: 'sum', field: 'observations' },
        ],
      });
      return row.map(Number);
    };
    const [points, first, last, sum] = await readFigures('scrape_number');
    assert.ok(points >= MIN_SCRAPES);
    assert.deepEqual([last - first + 1, (points * (first + last)) / 2], [points, sum], 'each scrape once');
    const paid = await readFigures('paid_total');
    assert.deepEqual([paid[0], paid[3]], [points, 3 * (last - first)]);
    const wait = await readFigures('wait_seconds');
    assert.deepEqual([wait[0], wait[3], wait[4]], [points, 6 * (last - first), 4 * (last - first)]);
    assert.deepEqual(await query(box, { where: 'metric =~ "wait_seconds_"', select: [{ fn: 'count' }] }), [[0]]);
    const counters = await box.counters();
    assert.equal(counters.sum('records_rejected_total', 'signal="metrics"'), 0);
  });
});

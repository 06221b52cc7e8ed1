import { setTimeout as pause } from 'node:timers/promises';

/** Series that the points belong to: what some services with some meters each have. */
const SERIES = 500;

/** Sends so many data points a second, in one request a second, as JSON: what metrics are made of is small beside spans. */
export async function sendDataPoints(otlpUrl: string, apiKey: string, rate: number, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000;
  for (let next = performance.now(); next < end; next += 1000) {
    const response = await fetch(`${otlpUrl}/v1/metrics`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'api-key': apiKey },
      body: JSON.stringify(buildRequest(rate)),
    });
    await response.arrayBuffer();
    await pause(Math.max(0, next + 1000 - performance.now()));
  }
}

function buildRequest(points: number): object {
  const nowMs = Date.now();
  const dataPoints = Array.from({ length: points }, (_, n) => ({
    // Each round over all series is a little later: a point is its series and its time.
    timeUnixNano: String(BigInt(nowMs) * 1_000_000n + BigInt(Math.floor(n / SERIES))),
    asDouble: Math.random(),
    attributes: [{ key: 'worker', value: { stringValue: `worker-${n % SERIES}` } }],
  }));
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'sizing' } }] };
  return {
    resourceMetrics: [
      { resource, scopeMetrics: [{ metrics: [{ name: 'jobs.waiting', unit: '1', gauge: { dataPoints } }] }] },
    ],
  };
}

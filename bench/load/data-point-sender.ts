import { setTimeout as pause } from 'node:timers/promises';

/** Series of the data points, like those of some services with some meters each. */
const SERIES = 500;

/**
 * Sends data points at a steady rate, in one JSON request per second. Generating metrics is cheap compared with spans.
 */
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
    // Each round over all series has later times: a point is identified by series and time.
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

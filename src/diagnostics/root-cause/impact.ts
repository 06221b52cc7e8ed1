import type { DiagnosticsInput } from '../input.js';
import { Sketch } from '../sketch.js';
import { MINUTE_MS, type Frames } from '../timeframe.js';
import type { Impact } from './ranked-cause.js';

/** p95 of the entry spans in the baseline; of a service that has none there, of those in the window before the onset. */
export function impactOn(service: string, operation: string | undefined, { services }: Pick<DiagnosticsInput, 'services'>, frames: Frames, onsetMs: number): Impact {
  const p95 = (fromMs: number, toMs: number): number | undefined => {
    const latency = new Sketch();
    for (const { minute, value } of services) {
      if (value.service !== service || minute * MINUTE_MS < fromMs || minute * MINUTE_MS >= toMs) continue;
      for (const each of value.operations) if (each.entry && (operation === undefined || each.operation === operation)) latency.merge(each.latency);
    }
    return latency.count === 0 ? undefined : latency.percentile(95);
  };
  const slowerThanNs = p95(frames.baseline.fromMs, frames.baseline.toMs) ?? p95(frames.current.fromMs, onsetMs) ?? Infinity;
  return { service, operation, slowerThanNs, window: frames.current };
}

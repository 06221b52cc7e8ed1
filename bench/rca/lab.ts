import type { DiagnosticsInput } from '../../src/diagnostics/input.js';
import type { GridMinute, Timed } from '../../src/diagnostics/rollups.js';
import { diagnose } from '../../src/diagnostics/root-cause/diagnose.js';
import { framesOf, MINUTE_MS, USUAL_LENGTHS, type When } from '../../src/diagnostics/timeframe.js';
import { LogTemplate } from '../../src/telemetry/log-template.js';
import { naiveRollups, type PlainLog, type PlainPoint, type PlainSpan } from '../../test/support/naive-rollups.js';
import type { Asked, Diagnoser } from './diagnoser.js';
import { plainTelemetry } from './plain-telemetry.js';
import type { RecordedCase, RecordedRequest } from './recordings.js';

/** Far enough after anything recorded that every minute is over. */
const LATER_MS = 60 * MINUTE_MS;

const SETTINGS = { apdexThresholdMs: 500, errorRateThreshold: 5, apdexHealthThreshold: 0.7 };

/** Diagnoses from naive rollups in this process: seconds for all cases, and no part of the pipeline but `diagnose`. */
export async function openLab(recorded: RecordedCase, requests: readonly RecordedRequest[]): Promise<Diagnoser> {
  const minutes = rollupsOf(requests);
  return {
    async diagnose(asked) {
      const frames = framesOf(whenOf(asked), recorded.fault[1] + LATER_MS, USUAL_LENGTHS);
      return diagnose(inputUntil(minutes, frames.current.toMs / MINUTE_MS), frames);
    },
    async close() {},
  };
}

function whenOf(asked: Asked): When {
  return 'asOf' in asked ? { asOfMs: asked.asOf } : { range: { fromMs: asked.rangeStart, toMs: asked.rangeEnd } };
}

function rollupsOf(requests: readonly RecordedRequest[]): GridMinute[] {
  const [spans, logs, points]: [PlainSpan[], PlainLog[], PlainPoint[]] = [[], [], []];
  const templateOf = templating();
  for (const { body } of requests) {
    const batch = plainTelemetry(body, templateOf);
    for (const each of batch.spans) spans.push(each);
    for (const each of batch.logs) logs.push(each);
    for (const each of batch.points) points.push(each);
  }
  return naiveRollups({ spans, logs, points });
}

function templating(): (body: string) => string {
  const template = new LogTemplate();
  return (body) => {
    const bytes = Buffer.from(body);
    template.mask(bytes, 0, bytes.length);
    return Buffer.from(template.bytes.subarray(0, template.length)).toString();
  };
}

function inputUntil(minutes: readonly GridMinute[], end: number): DiagnosticsInput {
  const timed = <T>(of: (minute: GridMinute) => readonly T[]): Timed<T>[] => minutes.filter(({ minute }) => minute < end).flatMap((each) => of(each).map((value) => ({ minute: each.minute, minutes: 1, value })));
  return { settings: SETTINGS, grids: timed(({ grid }) => [grid]), services: timed(({ services }) => services), logs: timed(({ logs }) => logs), metrics: timed(({ metrics }) => metrics), catalogs: [], alerts: [] };
}

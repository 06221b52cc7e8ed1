import { diagnose } from '../../src/diagnostics/root-cause/diagnose.js';
import {
  resolveAnalysisWindows,
  MINUTE_MS,
  DEFAULT_WINDOW_LENGTHS,
  type TimeSelection,
} from '../../src/diagnostics/time-windows.js';
import { LogTemplateExtractor } from '../../src/telemetry/log-template.js';
import { ofMinutes } from '../../test/unit/diagnostics/given-rollups.js';
import {
  naiveRollups,
  type GridMinute,
  type PlainLog,
  type PlainPoint,
  type PlainSpan,
} from '../../test/support/naive-rollups.js';
import type { DiagnosisTime, Diagnoser } from './diagnoser.js';
import { parsePlainTelemetry } from './otlp-json-telemetry.js';
import type { RecordedCase, RecordedRequest } from './fault-recordings.js';

/** Long enough after all recorded data that every minute is closed. */
const AFTER_RECORDING_MS = 60 * MINUTE_MS;

/**
 * Diagnoses from simple rollups in this process: takes seconds for all cases, and tests only `diagnose`, not the
 * pipeline.
 */
export async function openRollupDiagnoser(
  recorded: RecordedCase,
  requests: readonly RecordedRequest[],
): Promise<Diagnoser> {
  const minutes = buildRollups(requests);
  return {
    async diagnose(time) {
      const frames = resolveAnalysisWindows(
        toWhen(time),
        recorded.fault[1] + AFTER_RECORDING_MS,
        DEFAULT_WINDOW_LENGTHS,
      );
      return diagnose(ofMinutes(minutes.filter(({ minute }) => minute * MINUTE_MS < frames.current.toMs)), frames);
    },
    async close() {},
  };
}

function toWhen(time: DiagnosisTime): TimeSelection {
  return 'asOf' in time ? { asOfMs: time.asOf } : { range: { fromMs: time.rangeStart, toMs: time.rangeEnd } };
}

function buildRollups(requests: readonly RecordedRequest[]): GridMinute[] {
  const [spans, logs, points]: [PlainSpan[], PlainLog[], PlainPoint[]] = [[], [], []];
  const templateOf = createTemplater();
  for (const { body } of requests) {
    const batch = parsePlainTelemetry(body, templateOf);
    for (const each of batch.spans) spans.push(each);
    for (const each of batch.logs) logs.push(each);
    for (const each of batch.points) points.push(each);
  }
  return naiveRollups({ spans, logs, points });
}

function createTemplater(): (body: string) => string {
  const template = new LogTemplateExtractor();
  return (body) => {
    const bytes = Buffer.from(body);
    template.extract(bytes, 0, bytes.length);
    return Buffer.from(template.bytes.subarray(0, template.length)).toString();
  };
}

import { diagnose } from '../../src/diagnostics/root-cause/diagnose.js';
import { framesOf, MINUTE_MS, USUAL_LENGTHS, type When } from '../../src/diagnostics/timeframe.js';
import { LogTemplate } from '../../src/telemetry/log-template.js';
import { ofMinutes } from '../../test/diagnostics/given-rollups.js';
import { naiveRollups, type GridMinute, type PlainLog, type PlainPoint, type PlainSpan } from '../../test/support/naive-rollups.js';
import type { Asked, Diagnoser } from './diagnoser.js';
import { plainTelemetry } from './plain-telemetry.js';
import type { RecordedCase, RecordedRequest } from './recordings.js';

/** Far enough after anything recorded that every minute is over. */
const LATER_MS = 60 * MINUTE_MS;


/** Diagnoses from naive rollups in this process: seconds for all cases, and no part of the pipeline but `diagnose`. */
export async function openLab(recorded: RecordedCase, requests: readonly RecordedRequest[]): Promise<Diagnoser> {
  const minutes = rollupsOf(requests);
  return {
    async diagnose(asked) {
      const frames = framesOf(whenOf(asked), recorded.fault[1] + LATER_MS, USUAL_LENGTHS);
      return diagnose(ofMinutes(minutes.filter(({ minute }) => minute * MINUTE_MS < frames.current.toMs)), frames);
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

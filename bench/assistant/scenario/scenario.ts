import { alertsOf, type PlainAlert } from './alerts.js';
import { logsOf, pointsOf } from './records.js';
import { storyAt, type Story } from './story.js';
import type { PlainTelemetry } from './telemetry.js';
import { trafficOf } from './traffic.js';
import { promptsOf, type PlainPrompt } from './usage.js';

/** A Wednesday afternoon, so that "before 14:00", "yesterday evening" and "between 13:00 and 13:30" mean something. */
export const NOW_MS = Date.UTC(2026, 4, 20, 14, 40);
const SEED = 20_260_520;

/** 26 hours of a small shop as plain lists, the same for the same moment. */
export interface Scenario extends PlainTelemetry {
  readonly story: Story;
  readonly alerts: readonly PlainAlert[];
  readonly prompts: readonly PlainPrompt[];
}

/** `nowMs` is a whole minute. */
export function scenarioAt(nowMs: number): Scenario {
  const story = storyAt(nowMs);
  const spans = trafficOf(story, SEED);
  return { story, spans, logs: logsOf(story, spans), points: pointsOf(story, spans), alerts: alertsOf(story), prompts: promptsOf(nowMs) };
}

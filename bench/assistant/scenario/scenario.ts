import { buildAlerts, type PlainAlert } from './scenario-alerts.js';
import { buildLogs, buildPoints } from './scenario-logs-and-points.js';
import { createStory, type IncidentStory } from './incident-story.js';
import type { PlainTelemetry } from './plain-telemetry-types.js';
import { generateTraffic } from './traffic-generator.js';
import { buildPrompts, type PlainPrompt } from './scenario-usage.js';

/** A Wednesday afternoon, so that "before 14:00", "yesterday evening" and "between 13:00 and 13:30" are meaningful. */
export const NOW_MS = Date.UTC(2026, 4, 20, 14, 40);
const SEED = 20_260_520;

/** 26 hours of a small shop as plain lists, deterministic for the same time. */
export interface Scenario extends PlainTelemetry {
  readonly story: IncidentStory;
  readonly alerts: readonly PlainAlert[];
  readonly prompts: readonly PlainPrompt[];
}

/** `nowMs` must be a whole minute. */
export function createScenario(nowMs: number): Scenario {
  const story = createStory(nowMs);
  const spans = generateTraffic(story, SEED);
  return {
    story,
    spans,
    logs: buildLogs(story, spans),
    points: buildPoints(story, spans),
    alerts: buildAlerts(story),
    prompts: buildPrompts(nowMs),
  };
}

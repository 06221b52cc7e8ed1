import { MINUTE_MS } from '../../src/diagnostics/time-windows.js';
import type { Scenario } from './scenario/scenario.js';
import { LIMITS, SESSIONS, SPEECH, USER, type PlainPrompt } from './scenario/scenario-usage.js';

const DAY_MS = 24 * 60 * MINUTE_MS;
/** Contract §5, implemented independently of the program. */
const FULL_ENERGY = 100;
const REGENERATED_ENERGY = 10;
/** The price of every answer of the analyst. */
const USAGE_ANSWER_ENERGY = 1;
const REGENERATION_MS = 60 * MINUTE_MS;

/** Usage of the assistant, computed from the plain list of prompts. Days are UTC. */
export class UsageOracle {
  readonly limits = LIMITS;
  readonly activeSessions = SESSIONS.length;
  readonly syntheses = SPEECH.filter(([kind]) => kind === 'synthesis').length;
  readonly recognitions = SPEECH.filter(([kind]) => kind === 'recognition').length;
  readonly speechMinutes = SPEECH.reduce((sum, [, seconds]) => sum + seconds, 0) / 60;

  constructor(private readonly scenario: Pick<Scenario, 'story' | 'prompts'>) {}

  /** The current prompt is included. */
  get promptsToday(): number {
    return this.mineToday.length + 1;
  }

  get promptsLeft(): number {
    return LIMITS.dailyPromptLimit - this.promptsToday;
  }

  /** Energy after paying for the current answer. No user regains energy within the hour of today's prompts. */
  get energy(): number {
    return FULL_ENERGY - sumEnergy(this.mineToday) - USAGE_ANSWER_ENERGY;
  }

  /** One hour after energy was last full; now, if nothing was spent. */
  get nextRegenerationMs(): number {
    const [first] = this.mineToday.map(({ atMs }) => atMs);
    return (first ?? this.scenario.story.nowMs) + REGENERATION_MS;
  }

  /** Usage of all users on the day of the questions, or days before. */
  day(daysAgo = 0): { readonly prompts: number; readonly energy: number } {
    const prompts = this.scenario.prompts.filter(
      ({ atMs }) => dayIndex(atMs) === dayIndex(this.scenario.story.nowMs) - daysAgo,
    );
    return { prompts: prompts.length, energy: sumEnergy(prompts) };
  }

  /** Numbers derived from tool results: remaining energy, and the time of the reset. */
  get derived(): { readonly numbers: readonly number[]; readonly times: readonly number[] } {
    const { limits, speechMinutes } = this;
    const nextDay = (dayIndex(this.scenario.story.nowMs) + 1) * DAY_MS;
    return {
      numbers: [
        FULL_ENERGY,
        REGENERATED_ENERGY,
        this.energy,
        this.promptsLeft,
        speechMinutes,
        limits.monthlySpeechMinutes - speechMinutes,
        limits.maxConcurrentSessions - this.activeSessions,
      ],
      times: [nextDay, this.nextRegenerationMs],
    };
  }

  private get mineToday(): PlainPrompt[] {
    const today = dayIndex(this.scenario.story.nowMs);
    return this.scenario.prompts.filter(({ userId, atMs }) => userId === USER && dayIndex(atMs) === today);
  }
}

function sumEnergy(prompts: readonly PlainPrompt[]): number {
  return prompts.reduce((sum, { energy }) => sum + energy, 0);
}

function dayIndex(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

import { Allow } from 'class-validator';
import type { GridLimits } from '../../accounting/limits.js';
import { limitFaults } from '../../commands/limits/decider.js';
import { FollowsRules } from './parse.js';

/** The limits that are to change. Which are right is for the commands to say. */
@FollowsRules(limitFaults)
export class LimitsModel implements Partial<GridLimits> {
  @Allow()
  dailyPromptLimit?: number;

  @Allow()
  monthlySpeechMinutes?: number;

  @Allow()
  maxConcurrentSessions?: number;
}

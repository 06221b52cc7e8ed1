import { Allow } from 'class-validator';
import { HIGHEST_LIMIT, type GridLimits } from '../../accounting/limits.js';
import { limitFaults } from '../../commands/limits/decider.js';
import { Fits, Means, Whole } from './field-schemas.js';
import { FollowsRules } from './parse.js';

const limit = { type: 'integer', minimum: 0, maximum: HIGHEST_LIMIT };

/** The limits that are to change. Which are right is for the commands to say. */
@FollowsRules(limitFaults) @Whole({ description: 'The limits that are to change: at least one.', minProperties: 1 })
export class LimitsModel implements Partial<GridLimits> {
  @Means('Prompts that each user has a day; 0 switches the assistant off.', 100)
  @Fits(limit) @Allow()
  dailyPromptLimit?: number;

  @Means('Minutes of audio that the Grid has a month.', 60)
  @Fits(limit) @Allow()
  monthlySpeechMinutes?: number;

  @Means('Assistant sessions that may be in use at once.', 10)
  @Fits(limit) @Allow()
  maxConcurrentSessions?: number;
}

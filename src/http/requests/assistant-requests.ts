import { Allow, IsOptional } from 'class-validator';
import { Description, FieldSchema, ModelSchema } from './field-metadata.js';
import {
  IsInstant,
  IsNotBefore,
  IsUuid,
  IsWithin,
  NonBlankText,
  NumberWithin,
  Required,
  Text,
} from './field-validators.js';
import { type GridLimits, MAX_LIMIT } from '../../accounting/usage-limits.js';
import { validateLimits } from '../../commands/limits/limits-decider.js';
import { FollowsDomainRules } from './request-parser.js';

/** Longest prompt, in characters. */
export const MAX_PROMPT_LENGTH = 4_000;

@ModelSchema({ description: 'A prompt.' })
export class ChatModel {
  @Description('The question, in English.', 'Why is checkout slow?')
  @NonBlankText(MAX_PROMPT_LENGTH)
  @Required()
  prompt!: string;

  @Description(
    'Conversation of an earlier answer, to go on where it left off. One that is not known begins an empty one under a new id.',
    '1f0e9d8c-7b6a-4958-8776-655443322110',
  )
  @IsOptional()
  @IsUuid()
  conversationId?: string;
}

/** Longest text that is read out at once, in characters. */
const MAX_SPOKEN_LENGTH = 5_000;

/** What is to be said, and how. Which voices there are is for the assistant to say. */
@ModelSchema({ description: 'What is to be said, and how.' })
export class SynthesisModel {
  @Description('What is to be said.', 'Nothing is broken.')
  @NonBlankText(MAX_SPOKEN_LENGTH)
  @Required()
  text!: string;

  @Description('Name of a voice.', 'hindsight')
  @Text()
  voice = 'hindsight';

  @Description('How fast, as a multiplier.', 1)
  @NumberWithin(0.5, 3)
  speed = 1;
}

const limitSchema = { type: 'integer', minimum: 0, maximum: MAX_LIMIT };

/** The limits that are to change. Which are right is for the commands to say. */
@FollowsDomainRules(validateLimits)
@ModelSchema({ description: 'The limits that are to change: at least one.', minProperties: 1 })
export class LimitsModel implements Partial<GridLimits> {
  @Description('Prompts that each user has a day; 0 switches the assistant off.', 100)
  @FieldSchema(limitSchema)
  @Allow()
  dailyPromptLimit?: number;

  @Description('Minutes of audio that the Grid has a month.', 60)
  @FieldSchema(limitSchema)
  @Allow()
  monthlySpeechMinutes?: number;

  @Description('Assistant sessions that may be in use at once.', 10)
  @FieldSchema(limitSchema)
  @Allow()
  maxConcurrentSessions?: number;
}

const DAY_MS = 86_400_000;

/** Longest range of a summary: every day of it is listed. */
const MAX_SUMMARY_DAYS = 366;

/** Which days a summary is about: may end, and begin, in the future. */
export class UsageRangeModel {
  @Description('Start of the range: its day of UTC is the first that is listed.', '2026-03-14T00:00:00Z')
  @IsInstant()
  @Required()
  from!: string;

  @Description('End of the range.', '2026-03-15T00:00:00Z')
  @IsWithin(MAX_SUMMARY_DAYS * DAY_MS, 'from', `${MAX_SUMMARY_DAYS} days`)
  @IsNotBefore('from')
  @IsInstant()
  @Required()
  to!: string;
}

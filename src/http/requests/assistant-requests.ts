import { Allow, IsOptional } from 'class-validator';
import { Description, FieldSchema, ModelSchema, ReadOnlyFields } from './field-metadata.js';
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
    'Id of the conversation to continue. An unknown id starts a new conversation with a new id.',
    '1f0e9d8c-7b6a-4958-8776-655443322110',
  )
  @IsOptional()
  @IsUuid()
  conversationId?: string;
}

/** Longest text for speech synthesis, in characters. */
const MAX_SPOKEN_LENGTH = 5_000;

/** The text to speak and how to speak it. The assistant validates the voice. */
@ModelSchema({ description: 'The text to speak and how to speak it.' })
export class SynthesisModel {
  @Description('The text to speak.', 'Nothing is broken.')
  @NonBlankText(MAX_SPOKEN_LENGTH)
  @Required()
  text!: string;

  @Description('Name of the voice.', 'hindsight')
  @Text()
  voice = 'hindsight';

  @Description('Speed as a multiplier.', 1)
  @NumberWithin(0.5, 3)
  speed = 1;
}

const limitSchema = { type: 'integer', minimum: 0, maximum: MAX_LIMIT };

/** The limits to change. Validated by the rules of the command. */
@FollowsDomainRules(validateLimits)
@ReadOnlyFields(
  'gridSecondaryId',
  'dailyPromptsUsed',
  'monthlySpeechMinutesUsed',
  'activeSessions',
  'updatedAt',
  'updatedBy',
)
@ModelSchema({ description: 'The limits to change; at least one.', minProperties: 1 })
export class LimitsModel implements Partial<GridLimits> {
  @Description('Prompts per user and day; 0 disables the assistant.', 100)
  @FieldSchema(limitSchema)
  @Allow()
  dailyPromptLimit?: number;

  @Description('Minutes of audio (synthesis and recognition) per month (UTC).', 60)
  @FieldSchema(limitSchema)
  @Allow()
  monthlySpeechMinutes?: number;

  @Description('Maximum number of concurrent assistant sessions.', 10)
  @FieldSchema(limitSchema)
  @Allow()
  maxConcurrentSessions?: number;
}

const DAY_MS = 86_400_000;

/** Longest range of a summary, which lists every day. */
const MAX_SUMMARY_DAYS = 366;

/** The range of a usage summary. Both ends may be in the future. */
export class UsageRangeModel {
  @Description('Start of the range. Its day (UTC) is the first one listed.', '2026-03-14T00:00:00Z')
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

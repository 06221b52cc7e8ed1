import { IsOptional } from 'class-validator';
import { Means, Whole } from './field-schemas.js';
import { IsUuid, Required, Words } from './rules.js';

/** Longest prompt, in characters. */
export const MAX_PROMPT_LENGTH = 4_000;

@Whole({ description: 'A prompt.' })
export class ChatModel {
  @Means('The question, in English.', 'Why is checkout slow?')
  @Words(MAX_PROMPT_LENGTH) @Required()
  prompt!: string;

  @Means('Conversation of an earlier answer, to go on where it left off. One that is not known begins an empty one under a new id.', '1f0e9d8c-7b6a-4958-8776-655443322110')
  @IsOptional() @IsUuid()
  conversationId?: string;
}

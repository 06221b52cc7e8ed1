import { IsOptional } from 'class-validator';
import { IsUuid, Required, Words } from './rules.js';

/** Longest prompt, in characters. */
export const MAX_PROMPT_LENGTH = 4_000;

export class ChatModel {
  @Words(MAX_PROMPT_LENGTH) @Required()
  prompt!: string;

  /** Goes on where an earlier answer left off. */
  @IsOptional() @IsUuid()
  conversationId?: string;
}

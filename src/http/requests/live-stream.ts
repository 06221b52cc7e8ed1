import { IsOptional } from 'class-validator';
import { STREAMED_TOPICS } from '../api/presented-diagnostics.js';
import { SomeOf } from './rules.js';

export class LiveStreamModel {
  /** Absent: all of them. */
  @IsOptional() @SomeOf(STREAMED_TOPICS)
  topics?: string;
}

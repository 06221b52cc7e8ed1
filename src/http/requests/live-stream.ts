import { IsOptional } from 'class-validator';
import { STREAMED_TOPICS } from '../api/presented-diagnostics.js';
import { Means } from './field-schemas.js';
import { SomeOf } from './rules.js';

export class LiveStreamModel {
  @Means('Diagnostics to follow, separated by commas; absent: all of them.', ['health', 'alerts'])
  @IsOptional() @SomeOf(STREAMED_TOPICS)
  topics?: string;
}

import { IsOptional, IsString, MaxLength } from 'class-validator';
import { ERROR_GROUP_BOUNDS } from '../../commands/error-groups/error-group-decider.js';
import {
  ERROR_GROUP_STATUSES,
  ERROR_ORDERS,
  type ErrorGroupsQuery,
  type ErrorGroupStatus,
  type ErrorOrder,
} from '../../queries/errors/error-group-query-types.js';
import { Description, FieldSchema, ModelSchema } from './field-metadata.js';
import { CommaSeparated, IsAfter, IsInstant, OneOf, Text, textSchema, WholeNumberString } from './field-validators.js';

const PAGE_SIZE = 20;
const MAX_PAGE_SIZE = 100;
/** No more groups are kept. */
const MAX_PAGE = 10_000;

/** Which exceptions are grouped. Query parameters are strings. */
export class ErrorSelectionModel {
  @Description(
    'Evaluate as of this time: over the 15 minutes before it, without spans that ended later. Cannot be combined with a range and must not be in the future. By default now.',
  )
  @IsOptional()
  @IsInstant()
  asOf?: string;

  @Description('Start of the range (inclusive). Requires rangeEnd and must not be in the future.')
  @IsOptional()
  @IsInstant()
  rangeStart?: string;

  @Description('End of the range (exclusive). Requires rangeStart.')
  @IsOptional()
  @IsAfter('rangeStart')
  @IsInstant()
  rangeEnd?: string;

  @Description('Only exceptions of this service.', 'checkout')
  @IsOptional()
  @Text()
  serviceName?: string;
}

export class ErrorListModel extends ErrorSelectionModel {
  @Description(
    'Statuses to list, separated by commas; default: all. A group without a status is listed with `resolved` and with `reopened`.',
    ['open', 'reopened'],
  )
  @IsOptional()
  @CommaSeparated(ERROR_GROUP_STATUSES)
  status?: string;

  @Description('Order of the groups: the largest or the latest first.', 'count')
  @FieldSchema({ default: 'count' })
  @IsOptional()
  @OneOf(ERROR_ORDERS)
  orderBy?: ErrorOrder;

  @Description('Page number; the first page is 1.', 1)
  @FieldSchema({ default: 1 })
  @IsOptional()
  @WholeNumberString(1, MAX_PAGE)
  page?: string;

  @Description('Groups per page.', PAGE_SIZE)
  @FieldSchema({ default: PAGE_SIZE })
  @IsOptional()
  @WholeNumberString(1, MAX_PAGE_SIZE)
  pageSize?: string;
}

/** Converts validated parameters. */
export function toErrorPage({
  status,
  orderBy = 'count',
  page = '1',
  pageSize = String(PAGE_SIZE),
}: ErrorListModel): Pick<ErrorGroupsQuery, 'statuses' | 'orderBy' | 'page' | 'pageSize'> {
  return {
    ...(status !== undefined && { statuses: status.split(',') as ErrorGroupStatus[] }),
    ...{ orderBy, page: Number(page), pageSize: Number(pageSize) },
  };
}

@ModelSchema({ description: 'Where the error is fixed.', examples: [{ serviceVersion: '2.4.1' }] })
export class ErrorResolutionModel {
  @Description(
    '`service.version` in which it is fixed: versions known now may report it until they are replaced. Without it, any further exception reopens the group.',
    '2.4.1',
  )
  @FieldSchema({ ...textSchema(ERROR_GROUP_BOUNDS.versionLength), default: '' })
  @IsOptional()
  @IsString()
  @MaxLength(ERROR_GROUP_BOUNDS.versionLength)
  serviceVersion?: string;
}

import { Allow, IsOptional } from 'class-validator';
import {
  validateGridChanges,
  NAME_MAX_LENGTH,
  validateName,
  SETTING_BOUNDS,
} from '../../commands/grids/grid-validation.js';
import type { GridSettings, Role } from '../../streams/events/grid-events.js';
import { ROLES } from '../../streams/events/grid-events.js';
import { FieldSchema, Description, ModelSchema, type JsonSchema } from './field-metadata.js';
import { FollowsDomainRules, AllowNull } from './request-parser.js';
import { MAX_PAGE, Required, WholeNumberString, nonBlankTextSchema } from './field-validators.js';

/** Entries of a page of the audit, unless the caller says otherwise. */
const PAGE_SIZE = 20;
const MAX_PAGE_SIZE = 100;

interface Bounds {
  readonly min: number;
  readonly max: number;
}

const wholeNumberSchema = ({ min, max }: Bounds): JsonSchema => ({ type: 'integer', minimum: min, maximum: max });
const numberSchema = ({ min, max }: Bounds): JsonSchema => ({ type: 'number', minimum: min, maximum: max });

/** What has a name and nothing else to say. */
class NamedModel {
  @Description('Name, for people.', 'checkout, production')
  @FieldSchema(nonBlankTextSchema(NAME_MAX_LENGTH))
  @Required()
  name!: string;
}

@FollowsDomainRules(({ name }: NewGridModel) => validateName(name))
@ModelSchema({ description: 'A Grid to create.' })
export class NewGridModel extends NamedModel {}

@FollowsDomainRules(({ name }: NewApiKeyModel) => validateName(name))
@ModelSchema({ description: 'An API key to issue.' })
export class NewApiKeyModel extends NamedModel {}

/** The settings that are to change. Which are right is for the commands to say. */
@FollowsDomainRules(validateGridChanges)
@ModelSchema({ description: 'The settings that are to change: at least one.', minProperties: 1 })
export class GridChangesModel implements Partial<GridSettings> {
  @Description('Name of the Grid.', 'shop')
  @FieldSchema(nonBlankTextSchema(NAME_MAX_LENGTH))
  @Allow()
  name?: string;

  @Description(
    'Requests within it satisfy, within four times it they are tolerated. Counts for what arrives from now on. Milliseconds.',
    300,
  )
  @FieldSchema(wholeNumberSchema(SETTING_BOUNDS.apdexThresholdMs))
  @Allow()
  apdexThresholdMs?: number;

  @Description('From this error rate on a service is degraded. Percent.', 5)
  @FieldSchema(numberSchema(SETTING_BOUNDS.errorRateThreshold))
  @Allow()
  errorRateThreshold?: number;

  @Description('Below this Apdex a service is degraded.', 0.7)
  @FieldSchema(numberSchema(SETTING_BOUNDS.apdexHealthThreshold))
  @Allow()
  apdexHealthThreshold?: number;

  @Description('Days for which telemetry is kept; 0: for ever; null: by RETENTION_DAYS of the service again.', 30)
  @FieldSchema(wholeNumberSchema(SETTING_BOUNDS.retentionDays))
  @AllowNull()
  @Allow()
  retentionDays?: number | null;

  @Description(
    'While it is not, nothing but the record of the Grid can be read or changed, and nothing is taken in.',
    true,
  )
  @FieldSchema({ type: 'boolean' })
  @Allow()
  subscriptionActive?: boolean;
}

/** The role that a member is to have. The rules for it are told together with those for the id in the path. */
@ModelSchema({ description: 'The role that a member is to have.' })
export class MemberRoleModel {
  @Description('What it may do.', 'Member')
  @FieldSchema({ type: 'string', enum: [...ROLES] })
  @Required()
  role!: Role;
}

/** Parameters are texts. */
export class AuditPageModel {
  @Description('Which page; the first is 1.', 1)
  @FieldSchema({ default: 1 })
  @IsOptional()
  @WholeNumberString(1, MAX_PAGE)
  page?: string;

  @Description('Entries of a page.', PAGE_SIZE)
  @FieldSchema({ default: PAGE_SIZE })
  @IsOptional()
  @WholeNumberString(1, MAX_PAGE_SIZE)
  pageSize?: string;
}

/** The page that valid parameters ask for. */
export function toPage({ page = '1', pageSize = String(PAGE_SIZE) }: AuditPageModel): {
  readonly page: number;
  readonly pageSize: number;
} {
  return { page: Number(page), pageSize: Number(pageSize) };
}

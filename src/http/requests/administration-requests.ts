import { Allow, IsOptional } from 'class-validator';
import {
  validateGridChanges,
  NAME_MAX_LENGTH,
  validateName,
  validateNewApiKey,
  SETTING_BOUNDS,
} from '../../commands/grids/grid-validation.js';
import {
  API_KEY_KINDS,
  type ApiKeyKind,
  type GridSettings,
  type Role,
  ROLES,
} from '../../streams/events/grid-events.js';
import { FieldSchema, Description, ModelSchema, ReadOnlyFields, type JsonSchema } from './field-metadata.js';
import { FollowsDomainRules, AllowNull } from './request-parser.js';
import { MAX_PAGE, Required, WholeNumberString, nonBlankTextSchema } from './field-validators.js';

/** Default number of entries per page of the audit log. */
const PAGE_SIZE = 20;
const MAX_PAGE_SIZE = 100;

interface Bounds {
  readonly min: number;
  readonly max: number;
}

const wholeNumberSchema = ({ min, max }: Bounds): JsonSchema => ({ type: 'integer', minimum: min, maximum: max });
const numberSchema = ({ min, max }: Bounds): JsonSchema => ({ type: 'number', minimum: min, maximum: max });

/** A request body with a name only. */
class NamedModel {
  @Description('Display name.', 'checkout, production')
  @FieldSchema(nonBlankTextSchema(NAME_MAX_LENGTH))
  @Required()
  name!: string;
}

@FollowsDomainRules(({ name }: NewGridModel) => validateName(name))
@ModelSchema({ description: 'The Grid to create.' })
export class NewGridModel extends NamedModel {}

@FollowsDomainRules(validateNewApiKey)
@ModelSchema({ description: 'The API key to issue.' })
export class NewApiKeyModel extends NamedModel {
  @Description('What the key may do: `send` telemetry, `read` the API, or both (`full`).', 'send')
  @FieldSchema({ type: 'string', enum: [...API_KEY_KINDS] })
  @Allow()
  kind: ApiKeyKind = 'full';
}

/** The settings to change. Validated by the rules of the command. */
@FollowsDomainRules(validateGridChanges)
@ReadOnlyFields('gridSecondaryId', 'createdAt')
@ModelSchema({ description: 'The settings to change; at least one.', minProperties: 1 })
export class GridChangesModel implements Partial<GridSettings> {
  @Description('Name of the Grid.', 'shop')
  @FieldSchema(nonBlankTextSchema(NAME_MAX_LENGTH))
  @Allow()
  name?: string;

  @Description(
    'Apdex threshold: requests up to this duration are satisfied, up to four times as long tolerating. Changes apply to telemetry that arrives afterwards. Milliseconds.',
    300,
  )
  @FieldSchema(wholeNumberSchema(SETTING_BOUNDS.apdexThresholdMs))
  @Allow()
  apdexThresholdMs?: number;

  @Description('Error rate from which a service is degraded. Percent.', 5)
  @FieldSchema(numberSchema(SETTING_BOUNDS.errorRateThreshold))
  @Allow()
  errorRateThreshold?: number;

  @Description('Apdex below which a service is degraded.', 0.7)
  @FieldSchema(numberSchema(SETTING_BOUNDS.apdexHealthThreshold))
  @Allow()
  apdexHealthThreshold?: number;

  @Description(
    'Days for which telemetry is retained; 0: unlimited; null: use the RETENTION_DAYS setting of the service.',
    30,
  )
  @FieldSchema(wholeNumberSchema(SETTING_BOUNDS.retentionDays))
  @AllowNull()
  @Allow()
  retentionDays?: number | null;

  @Description(
    'Whether the subscription is active. While it is inactive, only the record of the Grid can be read or changed, and telemetry is rejected.',
    true,
  )
  @FieldSchema({ type: 'boolean' })
  @Allow()
  subscriptionActive?: boolean;
}

/** The role to assign. The command validates it together with the member id in the path. */
@ReadOnlyFields('userId', 'addedAt', 'addedBy')
@ModelSchema({ description: 'The role to assign to the member.' })
export class MemberRoleModel {
  @Description('Role in the Grid.', 'Member')
  @FieldSchema({ type: 'string', enum: [...ROLES] })
  @Required()
  role!: Role;
}

/** Query parameters are strings. */
export class AuditPageModel {
  @Description('Page number; the first page is 1.', 1)
  @FieldSchema({ default: 1 })
  @IsOptional()
  @WholeNumberString(1, MAX_PAGE)
  page?: string;

  @Description('Entries per page.', PAGE_SIZE)
  @FieldSchema({ default: PAGE_SIZE })
  @IsOptional()
  @WholeNumberString(1, MAX_PAGE_SIZE)
  pageSize?: string;
}

/** Converts validated parameters. */
export function toPageRequest({ page = '1', pageSize = String(PAGE_SIZE) }: AuditPageModel): {
  readonly page: number;
  readonly pageSize: number;
} {
  return { page: Number(page), pageSize: Number(pageSize) };
}

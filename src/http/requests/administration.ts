import { Allow, IsOptional } from 'class-validator';
import { gridChangesFaults, NAME_MAX_LENGTH, nameFaults, SETTING_BOUNDS } from '../../commands/grid/rules.js';
import type { GridSettings, Role } from '../../streams/events/grid-events.js';
import { ROLES } from '../../streams/events/grid-events.js';
import { Fits, Means, Whole, type JsonSchema } from './field-schemas.js';
import { FollowsRules, NullCounts } from './parse.js';
import { MAX_PAGE, Required, WholeNumberText, wordsSchema } from './rules.js';

/** Entries of a page of the audit, unless the caller says otherwise. */
const PAGE_SIZE = 20;
const MAX_PAGE_SIZE = 100;

interface Bounds {
  readonly min: number;
  readonly max: number;
}

const wholeNumber = ({ min, max }: Bounds): JsonSchema => ({ type: 'integer', minimum: min, maximum: max });
const number = ({ min, max }: Bounds): JsonSchema => ({ type: 'number', minimum: min, maximum: max });

/** What has a name and nothing else to say. */
class Named {
  @Means('Name, for people.', 'checkout, production')
  @Fits(wordsSchema(NAME_MAX_LENGTH)) @Required()
  name!: string;
}

@FollowsRules(({ name }: NewGridModel) => nameFaults(name)) @Whole({ description: 'A Grid to create.' })
export class NewGridModel extends Named {}

@FollowsRules(({ name }: NewApiKeyModel) => nameFaults(name)) @Whole({ description: 'An API key to issue.' })
export class NewApiKeyModel extends Named {}

/** The settings that are to change. Which are right is for the commands to say. */
@FollowsRules(gridChangesFaults) @Whole({ description: 'The settings that are to change: at least one.', minProperties: 1 })
export class GridChangesModel implements Partial<GridSettings> {
  @Means('Name of the Grid.', 'shop')
  @Fits(wordsSchema(NAME_MAX_LENGTH)) @Allow()
  name?: string;

  @Means('Requests within it satisfy, within four times it they are tolerated. Counts for what arrives from now on. Milliseconds.', 300)
  @Fits(wholeNumber(SETTING_BOUNDS.apdexThresholdMs)) @Allow()
  apdexThresholdMs?: number;

  @Means('From this error rate on a service is degraded. Percent.', 5)
  @Fits(number(SETTING_BOUNDS.errorRateThreshold)) @Allow()
  errorRateThreshold?: number;

  @Means('Below this Apdex a service is degraded.', 0.7)
  @Fits(number(SETTING_BOUNDS.apdexHealthThreshold)) @Allow()
  apdexHealthThreshold?: number;

  @Means('Days for which telemetry is kept; 0: for ever; null: by RETENTION_DAYS of the service again.', 30)
  @Fits(wholeNumber(SETTING_BOUNDS.retentionDays)) @NullCounts() @Allow()
  retentionDays?: number | null;

  @Means('While it is not, nothing but the record of the Grid can be read or changed, and nothing is taken in.', true)
  @Fits({ type: 'boolean' }) @Allow()
  subscriptionActive?: boolean;
}

/** The role that a member is to have. The rules for it are told together with those for the id in the path. */
@Whole({ description: 'The role that a member is to have.' })
export class MemberRoleModel {
  @Means('What it may do.', 'Member')
  @Fits({ type: 'string', enum: [...ROLES] }) @Required()
  role!: Role;
}

/** Parameters are texts. */
export class AuditPageModel {
  @Means('Which page; the first is 1.', 1) @Fits({ default: 1 })
  @IsOptional() @WholeNumberText(1, MAX_PAGE)
  page?: string;

  @Means('Entries of a page.', PAGE_SIZE) @Fits({ default: PAGE_SIZE })
  @IsOptional() @WholeNumberText(1, MAX_PAGE_SIZE)
  pageSize?: string;
}

/** The page that valid parameters ask for. */
export function pageOf({ page = '1', pageSize = String(PAGE_SIZE) }: AuditPageModel): { readonly page: number; readonly pageSize: number } {
  return { page: Number(page), pageSize: Number(pageSize) };
}

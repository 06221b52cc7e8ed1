import { IsOptional, IsString, MaxLength } from 'class-validator';
import { INCIDENT_BOUNDS } from '../../commands/incidents/incident-decider.js';
import type { FieldError } from '../../errors.js';
import { INCIDENT_STATUSES, type IncidentStatus } from '../../diagnostics/incidents/incident-model.js';
import type { IncidentSelection } from '../../queries/incidents/incident-query-types.js';
import { floorMs, toTimeSelection, validateNotInFuture, WindowModel } from './diagnostics-requests.js';
import { Description, FieldSchema, ModelSchema } from './field-metadata.js';
import {
  CommaSeparated,
  IsInstant,
  NonBlankText,
  Required,
  textSchema,
  WholeNumberString,
} from './field-validators.js';
import { FollowsDomainRules } from './request-parser.js';

const PAGE_SIZE = 20;
const MAX_PAGE_SIZE = 100;
/** What has changed since the selected time is merged with each page before it: deeper pages would cost too much. */
const MAX_PAGE = 1_000;
const ID_LENGTH = 100;
const MAX_ALERTS = 500;

/** Query parameters are strings. */
export class IncidentsModel extends WindowModel {
  @Description('Statuses to list, separated by commas; default: all.', ['open', 'acknowledged'])
  @IsOptional()
  @CommaSeparated(INCIDENT_STATUSES)
  status?: string;

  @Description('Page number; the first page is 1.', 1)
  @FieldSchema({ default: 1 })
  @IsOptional()
  @WholeNumberString(1, MAX_PAGE)
  page?: string;

  @Description('Incidents per page.', PAGE_SIZE)
  @FieldSchema({ default: PAGE_SIZE })
  @IsOptional()
  @WholeNumberString(1, MAX_PAGE_SIZE)
  pageSize?: string;
}

/** Converts validated parameters. */
export function toIncidentSelection(query: IncidentsModel): IncidentSelection {
  const { status, page = '1', pageSize = String(PAGE_SIZE) } = query;
  return {
    when: toTimeSelection(query),
    ...(status !== undefined && { statuses: status.split(',') as IncidentStatus[] }),
    page: Number(page),
    pageSize: Number(pageSize),
  };
}

export class IncidentMomentModel {
  @Description('The incident as it stood at this time instead of now. Must not be in the future.')
  @IsOptional()
  @IsInstant()
  asOf?: string;
}

export function validateMoment({ asOf }: IncidentMomentModel, nowMs: number): FieldError[] {
  return validateNotInFuture({ asOf }, nowMs);
}

export function toMoment({ asOf }: IncidentMomentModel): number | undefined {
  return asOf === undefined ? undefined : floorMs(asOf);
}

@ModelSchema({ description: 'How the incident ended.', examples: [{ note: 'Rolled back to 1.4.1' }] })
export class IncidentResolutionModel {
  @Description('What resolved it; may be empty.', 'Rolled back to 1.4.1')
  @FieldSchema({ ...textSchema(INCIDENT_BOUNDS.noteLength), default: '' })
  @IsOptional()
  @IsString()
  @MaxLength(INCIDENT_BOUNDS.noteLength)
  note?: string;
}

@ModelSchema({ description: 'A note for the timeline.', examples: [{ text: 'Restarted the pods; no change' }] })
export class IncidentNoteModel {
  @Description('Text of the note.', 'Restarted the pods; no change')
  @NonBlankText(INCIDENT_BOUNDS.noteLength)
  @Required()
  text!: string;
}

@ModelSchema({ description: 'Who leads the incident.', examples: [{ userId: 'owner' }] })
export class IncidentCommanderModel {
  @Description('Id of the user; empty: nobody any more.', 'owner')
  @FieldSchema(textSchema(INCIDENT_BOUNDS.userIdLength))
  @IsString()
  @MaxLength(INCIDENT_BOUNDS.userIdLength)
  @Required()
  userId!: string;
}

@ModelSchema({
  description: 'The incident that becomes part of this one.',
  examples: [{ incidentId: '7f0c1d52-6f0e-4b6b-9a53-2a1f0f2f6a10' }],
})
export class IncidentMergeModel {
  @Description('Id of the other incident.', '7f0c1d52-6f0e-4b6b-9a53-2a1f0f2f6a10')
  @NonBlankText(ID_LENGTH)
  @Required()
  incidentId!: string;
}

@FollowsDomainRules(validateAlertIds)
@ModelSchema({
  description: 'The alerts to move to a new incident.',
  examples: [{ alertIds: ['b6f0c7d2-checkout-1773480360000'] }],
})
export class IncidentSplitModel {
  @Description('Ids of alerts of the incident that fire.', ['b6f0c7d2-checkout-1773480360000'])
  @FieldSchema({
    type: 'array',
    minItems: 1,
    maxItems: MAX_ALERTS,
    items: { type: 'string', minLength: 1, maxLength: ID_LENGTH },
  })
  @Required()
  alertIds!: readonly string[];
}

function validateAlertIds({ alertIds }: { readonly alertIds: unknown }): FieldError[] {
  const isValid =
    Array.isArray(alertIds) &&
    alertIds.length >= 1 &&
    alertIds.length <= MAX_ALERTS &&
    alertIds.every((id) => typeof id === 'string' && id !== '' && id.length <= ID_LENGTH);
  return isValid ? [] : [{ field: 'alertIds', message: `must be a list of 1 to ${MAX_ALERTS} ids of alerts` }];
}

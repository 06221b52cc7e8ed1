import { Allow, IsOptional } from 'class-validator';
import {
  checkObjective,
  INDICATOR_FIELDS,
  validateIndicator,
  validateExclusion,
  validateSlo,
  validateWindowDays,
  type NewSlo,
} from '../../commands/slos/slo-validation.js';
import {
  INDICATOR_SIGNALS,
  INDICATOR_TYPES,
  SLO_BOUNDS,
  SLO_WINDOW_DAYS,
  type Indicator,
} from '../../diagnostics/slos/slo-model.js';
import { isTimeZone, MONTH_PATTERN } from '../../queries/slos/report-month.js';
import type { FieldError } from '../../errors.js';
import type { ReportRequest } from '../../queries/slos/slo-query-types.js';
import { compileQuery } from '../../queries/query/query-compiler.js';
import { Description, FieldSchema, ModelSchema, Note, ReadOnlyFields, type JsonSchema } from './field-metadata.js';
import { validateNotInFuture } from './diagnostics-requests.js';
import { FollowsDomainRules } from './request-parser.js';
import { IsInstant, nonBlankTextSchema, Required, Text, textSchema } from './field-validators.js';

const INDICATOR = {
  $id: 'Indicator',
  type: 'object',
  description:
    'Which events count, and which of them are good. `availability` and `latency` count the entry spans of a service; good are those whose status is not ERROR, or those that took less than `thresholdMs`. `query` counts records by conditions.',
  required: ['type'],
  properties: {
    type: { type: 'string', enum: [...INDICATOR_TYPES], description: 'What is counted.', examples: ['availability'] },
    serviceName: {
      ...nonBlankTextSchema(SLO_BOUNDS.serviceNameLength),
      description: 'The service. Required for availability and latency.',
      examples: ['checkout'],
    },
    operation: {
      ...textSchema(SLO_BOUNDS.operationLength),
      description: 'Name of its entry spans; absent: all of them. For availability and latency.',
      examples: ['POST /pay'],
    },
    thresholdMs: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: SLO_BOUNDS.thresholdMs,
      description: 'Good requests take less than this, to the nanosecond. Required for latency. Milliseconds.',
      examples: [300],
    },
    signal: {
      type: 'string',
      enum: [...INDICATOR_SIGNALS],
      description: 'What the conditions read. Required for query. Points of metrics are no events.',
      examples: ['spans'],
    },
    good: {
      ...nonBlankTextSchema(SLO_BOUNDS.whereLength),
      description: 'Condition of good events, as in a query, beside that of all. Required for query.',
      examples: ['status = OK and duration < 1s'],
    },
    all: {
      ...textSchema(SLO_BOUNDS.whereLength),
      description: 'Condition of all events, as in a query; absent: every record. For query.',
      examples: ['service = checkout and customer.tier = gold'],
    },
  },
  additionalProperties: false,
} as const satisfies JsonSchema;
const FIELD_SCHEMAS: object = INDICATOR.properties;

/** An indicator as sent: any member may have any type until it is checked. */
type SentIndicator = Partial<Indicator>;

/** What the indicator leaves out is an empty text or 0. */
export function toIndicator(sent: SentIndicator): Indicator {
  const { type, serviceName = '', operation = '', thresholdMs = 0, signal = '', good = '', all = '' } = sent;
  return { type: type!, serviceName, operation, thresholdMs, signal, good, all };
}

function validateSentIndicator(sent: unknown): FieldError[] {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    return [{ field: 'indicator', message: 'must be an object' }];
  const indicator = toIndicator(sent);
  const foreign = findForeignFields(sent, indicator);
  const own = validateIndicator(indicator).filter(({ field }) => !foreign.some((other) => other.field === field));
  const errors = [...own, ...foreign];
  return errors.length > 0 || indicator.type !== 'query' ? errors : validateConditions(indicator);
}

/** Fields of another type, also those that would stand for nothing. */
function findForeignFields(sent: object, { type }: Indicator): FieldError[] {
  if (!INDICATOR_TYPES.includes(type)) return [];
  const known = new Set<string>(['type', ...INDICATOR_FIELDS[type]]);
  return Object.entries(sent)
    .filter(([name, value]) => value !== undefined && name in FIELD_SCHEMAS && !known.has(name))
    .map(([name]) => ({ field: `indicator.${name}`, message: 'does not apply to this type' }));
}

function validateConditions({ signal, good, all }: Indicator): FieldError[] {
  if (signal === '') return [];
  return Object.entries({ good, all }).flatMap(([name, where]) => {
    const compiled = compileQuery({ signal, where });
    return 'errors' in compiled ? compiled.errors.map(({ message }) => ({ field: `indicator.${name}`, message })) : [];
  });
}

/** A service level objective without its id. */
@FollowsDomainRules(validateSloModel)
@ReadOnlyFields('id', 'createdAt', 'updatedAt')
@ModelSchema({
  description: 'A service level objective: the share of events that must be good within a window.',
  examples: [
    {
      name: 'Checkout is available',
      indicator: { type: 'availability', serviceName: 'checkout' },
      objective: 99.9,
      windowDays: 28,
    },
  ],
})
export class SloModel {
  @Description('Name of the objective, which its alerts have.', 'Checkout is available')
  @FieldSchema(nonBlankTextSchema(SLO_BOUNDS.nameLength))
  @Required()
  name!: string;

  @FieldSchema(INDICATOR)
  @Required()
  indicator!: SentIndicator;

  @Description('Percentage of events that must be good.', 99.9)
  @Note('Above 0 and below 100.')
  @FieldSchema({ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 100 })
  @Required()
  objective!: number;

  @Description('Length of the window. Days.', 28)
  @FieldSchema({ type: 'integer', enum: [...SLO_WINDOW_DAYS] })
  @Allow()
  windowDays = 28;

  @Description(
    'Whether the window begins with the week (Monday, for 7 days) or the month (for 30 days), in UTC. Otherwise it ends now.',
    false,
  )
  @FieldSchema({ type: 'boolean' })
  @Allow()
  calendar = false;

  @Description('Whether fast burning of the error budget raises alerts.', true)
  @FieldSchema({ type: 'boolean' })
  @Allow()
  alerts = true;

  @Description(
    'Whether events in planned maintenance count neither as good nor as bad: in silences that match all alerts of the objective, from the time on at which they were planned.',
    false,
  )
  @FieldSchema({ type: 'boolean' })
  @Allow()
  excludesMaintenance = false;
}

export function toNewSlo(model: SloModel): NewSlo {
  const { name, indicator, objective, windowDays, calendar, alerts, excludesMaintenance } = model;
  return { name, indicator: toIndicator(indicator), objective, windowDays, calendar, alerts, excludesMaintenance };
}

function validateSloModel(model: SloModel): FieldError[] {
  const indicatorErrors = validateSentIndicator(model.indicator);
  const others = validateSlo({ ...toNewSlo({ ...model, indicator: {} }) });
  return [...others.filter(({ field }) => !field.startsWith('indicator')), ...indicatorErrors];
}

/** Body of a backtest. */
@FollowsDomainRules(validateBacktestModel)
@ModelSchema({
  description: 'An indicator, and the objective to test; without one, usual objectives are compared.',
  examples: [{ indicator: { type: 'latency', serviceName: 'checkout', thresholdMs: 300 }, objective: 99, days: 7 }],
})
export class SloBacktestModel {
  @FieldSchema(INDICATOR)
  @Required()
  indicator!: SentIndicator;

  @Description('Percentage of events that must be good; absent: usual objectives from 90 to 99.99 are compared.', 99)
  @FieldSchema({ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 100 })
  @Allow()
  objective?: number;

  @Description('How far back to test, as far as telemetry is retained. Days.', 28)
  @FieldSchema({
    type: 'integer',
    minimum: SLO_BOUNDS.backtestDays.min,
    maximum: SLO_BOUNDS.backtestDays.max,
  })
  @Allow()
  days: number = SLO_BOUNDS.backtestDays.max;

  @Description('Length of the window of the objective, on which its burn factors depend. Days.', 28)
  @FieldSchema({ type: 'integer', enum: [...SLO_WINDOW_DAYS] })
  @Allow()
  windowDays = 28;

  @Description('Whether events in planned maintenance count neither as good nor as bad.', false)
  @FieldSchema({ type: 'boolean' })
  @Allow()
  excludesMaintenance = false;
}

function validateBacktestModel(model: SloBacktestModel): FieldError[] {
  const { indicator, objective, days, windowDays, excludesMaintenance } = model;
  const { min, max } = SLO_BOUNDS.backtestDays;
  const objectiveError = objective === undefined ? undefined : checkObjective(objective);
  const isPossible = Number.isInteger(days) && days >= min && days <= max;
  return [
    ...validateSentIndicator(indicator),
    ...(objectiveError === undefined ? [] : [{ field: 'objective', message: objectiveError }]),
    ...validateWindowDays(windowDays),
    ...validateExclusion(excludesMaintenance),
    ...(isPossible ? [] : [{ field: 'days', message: `must be a whole number from ${min} to ${max}` }]),
  ];
}

/** The moment of an assessment. */
export class SloTimeModel {
  @Description('Assess as of this time instead of now. Must not be in the future.', '2026-03-14T09:00:00Z')
  @IsOptional()
  @IsInstant()
  asOf?: string;
}

export function validateSloTime({ asOf }: SloTimeModel, nowMs: number): FieldError[] {
  return validateNotInFuture({ asOf }, nowMs);
}

/** The month of a report. */
export class SloReportModel {
  @Description('The calendar month, from 2000 to 2099.', '2026-11')
  @FieldSchema({ type: 'string', pattern: MONTH_PATTERN.source })
  @Required()
  month!: string;

  @Description('Time zone of the month and its days: a name of the IANA database.', 'Europe/Berlin')
  @Text()
  @IsOptional()
  zone?: string;

  @Description(
    'Report as of this time instead of the end of the month. Must not be in the future.',
    '2026-11-14T09:00:00Z',
  )
  @IsOptional()
  @IsInstant()
  asOf?: string;
}

export function toReportRequest({ month, zone = 'UTC', asOf }: SloReportModel): ReportRequest {
  return { month, zone, ...(asOf !== undefined && { asOfMs: Date.parse(asOf) }) };
}

export function validateSloReport({ month, zone, asOf }: SloReportModel, nowMs: number): FieldError[] {
  const isMonth = typeof month === 'string' && MONTH_PATTERN.test(month);
  const isZone = zone === undefined || typeof zone !== 'string' || isTimeZone(zone);
  return [
    ...(isMonth ? [] : [{ field: 'month', message: 'must be a month such as 2026-11' }]),
    ...(isZone ? [] : [{ field: 'zone', message: 'must be a time zone such as Europe/Berlin' }]),
    ...validateNotInFuture({ asOf }, nowMs),
  ];
}

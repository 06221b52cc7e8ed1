import type { Schemas } from '../../api/api-client';
import { FormField } from '../../ui/form-field';
import type { DefinitionForm, FieldsProps } from '../notifications/definition-dialog';
import { ObjectiveProposal } from './objective-proposal';
import { OBJECTIVES } from './objective-queries';
import controls from '../../ui/controls.module.css';
import styles from './objectives.module.css';

type Model = Schemas['SloModel'];
type IndicatorType = 'availability' | 'latency' | 'query';

/** As in the inputs; the service says what is wrong with numbers that are none. */
export interface ObjectiveDraft {
  readonly name: string;
  readonly type: IndicatorType;
  readonly serviceName: string;
  readonly operation: string;
  readonly thresholdMs: string;
  readonly signal: 'spans' | 'logs';
  readonly good: string;
  readonly all: string;
  readonly objective: string;
  /** Days, and whether of the calendar, such as `30c`. */
  readonly window: string;
  readonly alerts: boolean;
  readonly excludesMaintenance: boolean;
}

export const NEW_OBJECTIVE: ObjectiveDraft = {
  name: '',
  type: 'availability',
  serviceName: '',
  operation: '',
  thresholdMs: '300',
  signal: 'spans',
  good: '',
  all: '',
  objective: '99.9',
  window: '28',
  alerts: true,
  excludesMaintenance: false,
};

const WINDOWS = [
  ['7', 'The last 7 days'],
  ['28', 'The last 28 days'],
  ['30', 'The last 30 days'],
  ['7c', 'This week (from Monday, UTC)'],
  ['30c', 'This month (UTC)'],
] as const;

export const OBJECTIVE_FORM: DefinitionForm<Schemas['SavedSlo'], Model, ObjectiveDraft> = {
  kind: OBJECTIVES,
  fields: [
    ...['serviceName', 'operation', 'thresholdMs', 'signal', 'good', 'all'],
    ...['name', 'indicator', 'objective', 'windowDays', 'calendar', 'alerts', 'excludesMaintenance'],
  ],
  toDraft: ({ name, indicator, objective, windowDays, calendar, alerts, excludesMaintenance }) => ({
    ...NEW_OBJECTIVE,
    name,
    type: indicator.type,
    serviceName: indicator.serviceName ?? '',
    operation: indicator.operation ?? '',
    thresholdMs: String(indicator.thresholdMs ?? NEW_OBJECTIVE.thresholdMs),
    signal: indicator.signal ?? 'spans',
    good: indicator.good ?? '',
    all: indicator.all ?? '',
    objective: String(objective),
    window: `${String(windowDays)}${calendar ? 'c' : ''}`,
    alerts,
    excludesMaintenance,
  }),
  toBody: (draft) => ({
    name: draft.name.trim(),
    indicator: toIndicator(draft),
    objective: toNumber(draft.objective),
    windowDays: toWindowDays(draft),
    calendar: draft.window.endsWith('c'),
    alerts: draft.alerts,
    excludesMaintenance: draft.excludesMaintenance,
  }),
  Fields: ObjectiveFields,
};

function toWindowDays({ window }: ObjectiveDraft): Model['windowDays'] {
  return parseInt(window, 10) as Model['windowDays'];
}

export function toIndicator(draft: ObjectiveDraft): Model['indicator'] {
  const { type, serviceName, operation, thresholdMs, signal, good, all } = draft;
  if (type === 'query') return { type, signal, good, all };
  return {
    type,
    serviceName: serviceName.trim(),
    ...(operation !== '' && { operation }),
    ...(type === 'latency' && { thresholdMs: toNumber(thresholdMs) }),
  };
}

/** What is no number is sent as it is: the service says what is wrong with it. */
function toNumber(text: string): number {
  const value = Number(text);
  return text.trim() === '' || Number.isNaN(value) ? (text as unknown as number) : value;
}

function ObjectiveFields({ draft, errors, onChange }: FieldsProps<ObjectiveDraft>) {
  return (
    <div className={styles.fields}>
      <TextField label="Name" field="name" draft={draft} errors={errors} onChange={onChange} />
      <FormField label="What counts as good" error={errors.forField('indicator')}>
        {(controlProps) => (
          <select
            {...controlProps}
            className={controls.input}
            value={draft.type}
            onChange={(event) => onChange({ type: event.target.value as IndicatorType })}
          >
            <option value="availability">Requests without error</option>
            <option value="latency">Requests below a duration</option>
            <option value="query">Records that meet a condition</option>
          </select>
        )}
      </FormField>
      {draft.type === 'query' ? (
        <QueryFields draft={draft} errors={errors} onChange={onChange} />
      ) : (
        <ServiceFields draft={draft} errors={errors} onChange={onChange} />
      )}
      <div className={styles.two}>
        <TextField label="Objective (%)" field="objective" draft={draft} errors={errors} onChange={onChange} />
        <FormField label="Window" error={errors.forField('windowDays') ?? errors.forField('calendar')}>
          {(controlProps) => (
            <select
              {...controlProps}
              className={controls.input}
              value={draft.window}
              onChange={(event) => onChange({ window: event.target.value })}
            >
              {WINDOWS.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </FormField>
      </div>
      <Checkbox label="Alert when the error budget burns fast" field="alerts" draft={draft} onChange={onChange} />
      <Checkbox
        label="Leave out planned maintenance (silences created before they begin)"
        field="excludesMaintenance"
        draft={draft}
        onChange={onChange}
      />
      <ObjectiveProposal
        request={{
          indicator: toIndicator(draft),
          windowDays: toWindowDays(draft),
          excludesMaintenance: draft.excludesMaintenance,
        }}
        objective={draft.objective}
        onChoose={(objective) => onChange({ objective: String(objective) })}
      />
    </div>
  );
}

function Checkbox({
  label,
  field,
  draft,
  onChange,
}: Pick<PartProps, 'draft' | 'onChange'> & {
  readonly label: string;
  readonly field: 'alerts' | 'excludesMaintenance';
}) {
  return (
    <label>
      <input type="checkbox" checked={draft[field]} onChange={(event) => onChange({ [field]: event.target.checked })} />{' '}
      {label}
    </label>
  );
}

type PartProps = Omit<FieldsProps<ObjectiveDraft>, 'isExisting'>;

function ServiceFields(props: PartProps) {
  return (
    <div className={styles.two}>
      <TextField label="Service" field="serviceName" {...props} />
      <TextField label="Operation" field="operation" hint="Empty: all requests" {...props} />
      {props.draft.type === 'latency' && <TextField label="Good below (ms)" field="thresholdMs" {...props} />}
    </div>
  );
}

function QueryFields(props: PartProps) {
  const { draft, errors, onChange } = props;
  return (
    <>
      <FormField label="Records" error={errors.forField('signal')}>
        {(controlProps) => (
          <select
            {...controlProps}
            className={controls.input}
            value={draft.signal}
            onChange={(event) => onChange({ signal: event.target.value as 'spans' | 'logs' })}
          >
            <option value="spans">Spans</option>
            <option value="logs">Log entries</option>
          </select>
        )}
      </FormField>
      <TextField label="All events" field="all" hint="A condition, such as service = checkout" {...props} />
      <TextField label="Good events" field="good" hint="A condition, such as status = OK" {...props} />
    </>
  );
}

function TextField({
  label,
  field,
  hint,
  draft,
  errors,
  onChange,
}: PartProps & {
  readonly label: string;
  readonly field: 'name' | 'serviceName' | 'operation' | 'thresholdMs' | 'good' | 'all' | 'objective';
  readonly hint?: string;
}) {
  return (
    <FormField label={label} error={errors.forField(field)} hint={hint}>
      {(controlProps) => (
        <input
          {...controlProps}
          className={controls.input}
          value={draft[field]}
          onChange={(event) => onChange({ [field]: event.target.value })}
        />
      )}
    </FormField>
  );
}

import type { Schemas } from '../../api/api-client';
import { FormField } from '../../ui/form-field';
import { QueryBoundary } from '../../ui/query-boundaries';
import type { DefinitionForm, FieldsProps } from './definition-dialog';
import { type Matcher, MatcherFields } from './matcher-fields';
import { CHANNELS, ROUTES, useDefinitions } from './notification-definitions';
import controls from '../../ui/controls.module.css';
import styles from './notifications.module.css';

const TIMES = ['groupWaitSeconds', 'groupIntervalSeconds', 'repeatIntervalSeconds', 'escalateAfterMinutes'] as const;

export type RouteDraft = Readonly<Record<(typeof TIMES)[number], string>> & {
  readonly name: string;
  readonly matchers: readonly Matcher[];
  readonly channelIds: readonly string[];
  readonly groupBy: readonly string[];
  readonly sendResolved: boolean;
  readonly escalateTo: readonly string[];
  readonly enabled: boolean;
};

export const NEW_ROUTE: RouteDraft = {
  name: '',
  matchers: [],
  channelIds: [],
  groupBy: [],
  groupWaitSeconds: '30',
  groupIntervalSeconds: '300',
  repeatIntervalSeconds: '14400',
  sendResolved: true,
  escalateAfterMinutes: '0',
  escalateTo: [],
  enabled: true,
};

export const ROUTE_FORM: DefinitionForm<Schemas['NotificationRoute'], Schemas['NotificationRouteModel'], RouteDraft> = {
  kind: ROUTES,
  fields: ['name', 'matchers', 'channelIds', 'groupBy', ...TIMES, 'sendResolved', 'escalateTo', 'enabled'],
  toDraft: ({ id: _id, createdAt: _at, createdBy: _by, ...route }) => ({
    ...route,
    ...(Object.fromEntries(TIMES.map((field) => [field, String(route[field])])) as Record<
      (typeof TIMES)[number],
      string
    >),
  }),
  toBody: (draft) =>
    // The service reports what is no number, by field.
    ({
      ...draft,
      name: draft.name.trim(),
      matchers: [...draft.matchers],
      channelIds: [...draft.channelIds],
      groupBy: [...draft.groupBy],
      escalateTo: [...draft.escalateTo],
      groupWaitSeconds: toNumber(draft.groupWaitSeconds),
      groupIntervalSeconds: toNumber(draft.groupIntervalSeconds),
      repeatIntervalSeconds: toNumber(draft.repeatIntervalSeconds),
      escalateAfterMinutes: toNumber(draft.escalateAfterMinutes),
    }) as Schemas['NotificationRouteModel'],
  Fields: RouteFields,
};

const toNumber = (text: string): number | string => (text.trim() === '' || isNaN(Number(text)) ? text : Number(text));

const GROUP_LABELS = [
  ['service', 'Service'],
  ['alertname', 'Rule name'],
  ['severity', 'Severity'],
] as const;

/** Also labels of groups, where the route already names them. */
function listGroupLabels({ matchers, groupBy }: RouteDraft): readonly (readonly [string, string])[] {
  const known = new Set<string>(['rule', ...GROUP_LABELS.map(([label]) => label)]);
  const others = new Set([...matchers.map(({ label }) => label), ...groupBy].filter((label) => !known.has(label)));
  return [...GROUP_LABELS, ...[...others].filter((label) => label !== '').map((label) => [label, label] as const)];
}

function RouteFields({ draft, errors, onChange }: FieldsProps<RouteDraft>) {
  const renderText = (label: string, field: 'name' | (typeof TIMES)[number], hint?: string) => (
    <FormField label={label} error={errors.forField(field)} hint={hint}>
      {(controlProps) => (
        <input
          {...controlProps}
          className={controls.input}
          inputMode={field === 'name' ? 'text' : 'numeric'}
          value={draft[field]}
          onChange={(event) => onChange({ [field]: event.target.value })}
        />
      )}
    </FormField>
  );
  return (
    <>
      {renderText('Name', 'name')}
      <MatcherFields
        matchers={draft.matchers}
        error={errors.forField('matchers')}
        hint="Without matchers the route sends every alert."
        onChange={(matchers) => onChange({ matchers })}
      />
      <ChannelChoice
        legend="Channels"
        chosen={draft.channelIds}
        error={errors.forField('channelIds')}
        onChange={(channelIds) => onChange({ channelIds })}
      />
      <Choices
        legend="One message for each"
        options={listGroupLabels(draft)}
        chosen={draft.groupBy}
        error={errors.forField('groupBy')}
        onChange={(groupBy) => onChange({ groupBy })}
      />
      {renderText('Wait for more alerts (seconds)', 'groupWaitSeconds', 'Before the first message of a group')}
      {renderText('Between messages (seconds)', 'groupIntervalSeconds', 'Minimum time between two messages of a group')}
      {renderText('Remind after (seconds)', 'repeatIntervalSeconds', 'While an alert fires and nobody acknowledges it')}
      {renderText('Escalate after (minutes)', 'escalateAfterMinutes', '0: never')}
      {Number(draft.escalateAfterMinutes) > 0 && (
        <ChannelChoice
          legend="Escalate to"
          chosen={draft.escalateTo}
          error={errors.forField('escalateTo')}
          onChange={(escalateTo) => onChange({ escalateTo })}
        />
      )}
      <Switch
        label="Send resolved alerts"
        isOn={draft.sendResolved}
        onChange={(sendResolved) => onChange({ sendResolved })}
      />
      <Switch label="Enabled" isOn={draft.enabled} onChange={(enabled) => onChange({ enabled })} />
    </>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function Switch({ label, isOn, onChange }: SwitchProps) {
  return (
    <label className={controls.row}>
      <input type="checkbox" role="switch" checked={isOn} onChange={() => onChange(!isOn)} /> {label}
    </label>
  );
}

interface ChoiceProps {
  readonly legend: string;
  readonly chosen: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (chosen: readonly string[]) => void;
}

function ChannelChoice(props: ChoiceProps) {
  const channels = useDefinitions(CHANNELS);
  return (
    <QueryBoundary query={channels}>
      {(all) => <Choices {...props} options={all.map(({ id, name }) => [id, name] as const)} />}
    </QueryBoundary>
  );
}

function Choices({
  legend,
  options,
  chosen,
  error,
  onChange,
}: ChoiceProps & { readonly options: readonly (readonly [id: string, title: string])[] }) {
  return (
    <fieldset className={styles.group}>
      <legend>{legend}</legend>
      {options.length === 0 && <span className={styles.quiet}>Create a channel first.</span>}
      {options.map(([id, title]) => (
        <label key={id} className={controls.row}>
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={() => onChange(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id])}
          />{' '}
          {title}
        </label>
      ))}
      {error !== undefined && (
        <p className={controls.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

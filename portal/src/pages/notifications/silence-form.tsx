import type { Schemas } from '../../api/api-client';
import { parseDateTimeInput, toDateTimeInput } from '../../format/time-format';
import { DateTimeInput, FormField } from '../../ui/form-field';
import type { DefinitionForm, FieldsProps } from './definition-dialog';
import { type Matcher, MatcherFields } from './matcher-fields';
import { SILENCES } from './notification-definitions';
import controls from '../../ui/controls.module.css';

export interface SilenceDraft {
  readonly matchers: readonly Matcher[];
  readonly reason: string;
  /** As in the inputs, in the time zone of the portal. */
  readonly startsAt: string;
  readonly endsAt: string;
}

const HOUR_MS = 3_600_000;

/** A silence of an hour from now. */
export function newSilence(matchers: readonly Matcher[], nowMs = Date.now()): SilenceDraft {
  return {
    matchers,
    reason: '',
    startsAt: toDateTimeInput(nowMs),
    endsAt: toDateTimeInput(nowMs + HOUR_MS),
  };
}

export const SILENCE_FORM: DefinitionForm<Schemas['Silence'], Schemas['SilenceModel'], SilenceDraft> = {
  kind: SILENCES,
  fields: ['matchers', 'reason', 'startsAt', 'endsAt'],
  toDraft: ({ matchers, reason, startsAt, endsAt }) => ({
    matchers,
    reason,
    startsAt: toDateTimeInput(Date.parse(startsAt)),
    endsAt: toDateTimeInput(Date.parse(endsAt)),
  }),
  toBody: ({ matchers, reason, startsAt, endsAt }) => ({
    matchers: [...matchers],
    reason: reason.trim(),
    startsAt: toInstant(startsAt),
    endsAt: toInstant(endsAt),
  }),
  Fields: SilenceFields,
};

/** What cannot be read is sent as it is: the service says what is wrong with it. */
function toInstant(text: string): string {
  const ms = parseDateTimeInput(text);
  return Number.isNaN(ms) ? text : new Date(ms).toISOString();
}

function SilenceFields({ draft, errors, onChange }: FieldsProps<SilenceDraft>) {
  const renderTime = (label: string, field: 'startsAt' | 'endsAt', hint?: string) => (
    <FormField label={label} error={errors.forField(field)} hint={hint}>
      {(controlProps) => (
        <DateTimeInput
          {...controlProps}
          className={controls.input}
          initial={draft[field]}
          step={1}
          onChange={(value) => onChange({ [field]: value })}
        />
      )}
    </FormField>
  );
  return (
    <>
      <MatcherFields
        matchers={draft.matchers}
        error={errors.forField('matchers')}
        hint="Alerts that match all of them are not sent."
        onChange={(matchers) => onChange({ matchers })}
      />
      <FormField label="Reason" error={errors.forField('reason')} hint="Shown with the silence">
        {(controlProps) => (
          <input
            {...controlProps}
            className={controls.input}
            value={draft.reason}
            onChange={(event) => onChange({ reason: event.target.value })}
          />
        )}
      </FormField>
      {renderTime('Start', 'startsAt', 'In the future for a maintenance window')}
      {renderTime('End', 'endsAt', 'Alerts that still fire then are sent')}
    </>
  );
}

import { type ReactNode, useId, useState } from 'react';
import { ApiError } from '../api/api-error';
import controls from './controls.module.css';
import styles from './form-field.module.css';

interface FormFieldProps {
  readonly label: string;
  /** Validation error of the service for this field. */
  readonly error?: string | undefined;
  readonly hint?: ReactNode;
  /** Renders the control with these props, which connect it to its label and description. */
  readonly children: (controlProps: {
    readonly id: string;
    readonly 'aria-describedby'?: string;
    readonly 'aria-invalid'?: boolean;
  }) => ReactNode;
}

/** A form control with its label and its hint or error. */
export function FormField({ label, error, hint, children }: FormFieldProps) {
  const id = useId();
  const description = error !== undefined || hint !== undefined ? { 'aria-describedby': `${id}-description` } : {};
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({ id, ...description, ...(error !== undefined && { 'aria-invalid': true }) })}
      {(error !== undefined || hint !== undefined) && (
        <span
          id={`${id}-description`}
          className={error === undefined ? styles.description : styles.error}
          role={error === undefined ? undefined : 'alert'}
        >
          {error ?? hint}
        </span>
      )}
    </div>
  );
}

interface TextFieldProps extends Pick<FormFieldProps, 'label' | 'error'> {
  readonly value: string;
  readonly maxLength: number;
  readonly autoFocus?: boolean;
  readonly required?: boolean;
  readonly onChange: (value: string) => void;
}

/** A single-line text input with its label and its error. */
export function TextField({ label, error, onChange, ...more }: TextFieldProps) {
  return (
    <FormField label={label} error={error}>
      {(controlProps) => (
        <input
          {...controlProps}
          {...more}
          className={controls.input}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </FormField>
  );
}

interface DateTimeInputProps {
  /** These connect it to its label and description, if it is in a `FormField`. */
  readonly id?: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: boolean;
  /** Initial value, as written by `toDateTimeInput`. */
  readonly initial: string;
  /** Step in seconds. */
  readonly step: number;
  readonly min?: string;
  readonly max?: string;
  readonly className?: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Date and time input. Uncontrolled: in a controlled one Chromium discards a partially typed year. */
export function DateTimeInput({ initial, onChange, ...more }: DateTimeInputProps) {
  const [first] = useState(initial);
  return (
    <input
      type="datetime-local"
      required
      defaultValue={first}
      onChange={(event) => onChange(event.target.value)}
      {...more}
    />
  );
}

/** Validation errors by form field; `general` holds those of no field of the form. */
export interface FormErrors {
  readonly forField: (field: string) => string | undefined;
  readonly general: string | undefined;
}

/** The errors that belong to no field of the form; nothing if there are none. */
export function GeneralError({ errors: { general } }: { readonly errors: Pick<FormErrors, 'general'> }) {
  return (
    general !== undefined && (
      <p className={controls.error} role="alert">
        {general}
      </p>
    )
  );
}

/** @param fields fields of the form; each also covers errors of nested fields, at any depth of the request body */
export function toFormErrors(error: Error | null, fields: readonly string[]): FormErrors {
  const errors = error instanceof ApiError ? (error.problem.errors ?? []) : [];
  const matchField = (field: string): string | undefined =>
    fields.find((each) => field === each || field.endsWith(`.${each}`) || field.startsWith(`${each}.`));
  const rest = errors.filter(({ field }) => matchField(field) === undefined);
  const general =
    error === null
      ? undefined
      : rest.length > 0
        ? rest.map(({ field, message }) => `${field} ${message}`).join('; ')
        : errors.length > 0
          ? undefined
          : error.message;
  const forField = (field: string): string | undefined => {
    const match = errors.find((each) => matchField(each.field) === field);
    return match === undefined ? undefined : toFieldMessage(match.field, match.message);
  };
  return { forField, general };
}

/** Removes the API's field name from the start of the message, since the form labels the field differently. */
function toFieldMessage(field: string, message: string): string {
  if (!message.startsWith(`${field} `)) return message;
  const rest = message.slice(field.length + 1);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

import { type ReactNode, useId, useState } from 'react';
import styles from './form-field.module.css';
import { ApiError } from '../api/api-error';

interface FormFieldProps {
  readonly label: string;
  /** What the service says is wrong with it. */
  readonly fault?: string | undefined;
  readonly hint?: ReactNode;
  /** The control; it takes the id of its label, and what describes it. */
  readonly children: (told: {
    readonly id: string;
    readonly 'aria-describedby'?: string;
    readonly 'aria-invalid'?: boolean;
  }) => ReactNode;
}

/** A control with its label, and what is wrong with it beside it. */
export function FormField({ label, fault, hint, children }: FormFieldProps) {
  const id = useId();
  const told = fault !== undefined || hint !== undefined ? { 'aria-describedby': `${id}-told` } : {};
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({ id, ...told, ...(fault !== undefined && { 'aria-invalid': true }) })}
      {(fault !== undefined || hint !== undefined) && (
        <span
          id={`${id}-told`}
          className={fault === undefined ? styles.told : styles.fault}
          role={fault === undefined ? undefined : 'alert'}
        >
          {fault ?? hint}
        </span>
      )}
    </div>
  );
}

interface DateTimeInputProps {
  /** What it holds at first, as `localInput` writes it. */
  readonly initial: string;
  /** Seconds between the moments that can be chosen. */
  readonly step: number;
  readonly min?: string;
  readonly max?: string;
  readonly className?: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Where a moment is typed or picked. The browser keeps it: a value that is given back with each key makes Chromium forget half a year that is typed. */
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

/** What the service says is wrong, by field; faults of no field of the form are told by `general`. */
export interface FormErrors {
  readonly forField: (field: string) => string | undefined;
  readonly general: string | undefined;
}

/** @param fields those that the form shows; each stands for what is below it, too, and wherever the form lies in what was sent */
export function toFormErrors(error: Error | null, fields: readonly string[]): FormErrors {
  const said = error instanceof ApiError ? (error.problem.errors ?? []) : [];
  const shown = (field: string): string | undefined =>
    fields.find((each) => field === each || field.endsWith(`.${each}`) || field.startsWith(`${each}.`));
  const rest = said.filter(({ field }) => shown(field) === undefined);
  const general =
    error === null
      ? undefined
      : rest.length > 0
        ? rest.map(({ field, message }) => `${field} ${message}`).join('; ')
        : said.length > 0
          ? undefined
          : error.message;
  const of = (field: string): string | undefined => {
    const fault = said.find((each) => shown(each.field) === field);
    return fault === undefined ? undefined : toFieldMessage(fault.field, fault.message);
  };
  return { forField: of, general };
}

/** The API's sentence begins with its name of the field, which the form calls otherwise. */
function toFieldMessage(field: string, message: string): string {
  if (!message.startsWith(`${field} `)) return message;
  const rest = message.slice(field.length + 1);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

import { useId, type ReactNode } from 'react';
import styles from './field.module.css';

interface FieldProps {
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
export function Field({ label, fault, hint, children }: FieldProps) {
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

import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import type { Schemas } from '../../api/api-client';
import controls from '../../ui/controls.module.css';
import styles from './notifications.module.css';

export type Matcher = Schemas['SilenceModel']['matchers'][number];

const LABELS = [
  ['service', 'Service'],
  ['alertname', 'Rule name'],
  ['severity', 'Severity'],
  ['rule', 'Rule ID'],
] as const;

interface MatcherFieldsProps {
  readonly matchers: readonly Matcher[];
  readonly error: string | undefined;
  /** What no matchers mean. */
  readonly hint: string;
  readonly onChange: (matchers: readonly Matcher[]) => void;
}

/** Conditions on the labels of alerts, all of which must hold. */
export function MatcherFields({ matchers, error, hint, onChange }: MatcherFieldsProps) {
  const suggestions = useId();
  const change = (at: number, part: Partial<Matcher>): void =>
    onChange(matchers.map((matcher, i) => (i === at ? { ...matcher, ...part } : matcher)));
  return (
    <fieldset className={styles.group}>
      <legend>Matchers</legend>
      <datalist id={suggestions}>
        {LABELS.map(([label, title]) => (
          <option key={label} value={label}>
            {title}
          </option>
        ))}
      </datalist>
      {matchers.map((matcher, i) => (
        <div key={i} className={styles.matcher}>
          <input
            className={controls.input}
            aria-label={`Label of matcher ${i + 1}`}
            list={suggestions}
            value={matcher.label}
            onChange={(event) => change(i, { label: event.target.value })}
          />
          <select
            className={controls.select}
            aria-label={`Operator of matcher ${i + 1}`}
            value={matcher.operator}
            onChange={(event) => change(i, { operator: event.target.value as Matcher['operator'] })}
          >
            <option value="=">is</option>
            <option value="!=">is not</option>
          </select>
          <input
            className={controls.input}
            aria-label={`Value of matcher ${i + 1}`}
            value={matcher.value}
            onChange={(event) => change(i, { value: event.target.value })}
          />
          <button
            type="button"
            className={controls.icon}
            aria-label={`Remove matcher ${i + 1}`}
            onClick={() => onChange(matchers.filter((_, at) => at !== i))}
          >
            <X size={15} aria-hidden />
          </button>
        </div>
      ))}
      <div>
        <button
          type="button"
          className={controls.button}
          onClick={() => onChange([...matchers, { label: 'service', operator: '=', value: '' }])}
        >
          <Plus size={15} aria-hidden /> Add matcher
        </button>
      </div>
      <span className={styles.quiet}>
        {hint} A label is service, alertname, severity, rule, or a field that a rule on a query groups by. An asterisk
        (*) stands for any text.
      </span>
      {error !== undefined && (
        <p className={controls.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** Matchers as text. */
export function MatcherList({ matchers, none }: { readonly matchers: readonly Matcher[]; readonly none: string }) {
  if (matchers.length === 0) return <>{none}</>;
  return (
    <ul className={styles.matchers}>
      {matchers.map(({ label, operator, value }) => (
        <li key={`${label}${operator}${value}`}>
          <code>
            {label} {operator} {value}
          </code>
        </li>
      ))}
    </ul>
  );
}

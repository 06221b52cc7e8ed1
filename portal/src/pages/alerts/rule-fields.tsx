import type { Faults } from '../../charts/faults';
import { useDiagnostic } from '../../api/use-diagnostic';
import { Field } from '../../ui/field';
import controls from '../../ui/controls.module.css';
import { WATCHABLE, type RuleDraft } from './rules';
import styles from './alerts.module.css';

interface RuleFieldsProps {
  readonly draft: RuleDraft;
  readonly faults: Faults;
  readonly onChange: (part: Partial<RuleDraft>) => void;
}

const SEVERITIES = [
  ['info', 'Info'],
  ['warning', 'Warning'],
  ['critical', 'Critical'],
] as const;

/** The fields of a rule, each with what the service says is wrong with it. */
export function RuleFields({ draft, faults, onChange }: RuleFieldsProps) {
  const services = useDiagnostic('services').data?.services ?? [];
  const unit = WATCHABLE.find(({ metric }) => metric === draft.metric)?.unit ?? '';
  const text = (
    label: string,
    field: 'name' | 'threshold' | 'criticalThreshold' | 'windowMinutes' | 'forMinutes' | 'minRequests' | 'serviceName',
    hint?: string,
    list?: string,
  ) => (
    <Field label={label} fault={faults.of(field)} hint={hint}>
      {(told) => (
        <input
          {...told}
          className={controls.input}
          list={list}
          inputMode={field === 'name' || field === 'serviceName' ? 'text' : 'decimal'}
          value={draft[field]}
          onChange={(event) => onChange({ [field]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <div className={styles.form}>
      <div className={styles.wide}>{text('Name', 'name')}</div>
      <Field label="Watches" fault={faults.of('metric')}>
        {(told) => (
          <select
            {...told}
            className={controls.select}
            value={draft.metric}
            onChange={(event) => onChange({ metric: event.target.value })}
          >
            {WATCHABLE.map(({ metric, title }) => (
              <option key={metric} value={metric}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Fires when it is" fault={faults.of('operator')}>
        {(told) => (
          <select
            {...told}
            className={controls.select}
            value={draft.operator}
            onChange={(event) => onChange({ operator: event.target.value })}
          >
            {['>', '>=', '<', '<='].map((operator) => (
              <option key={operator}>{operator}</option>
            ))}
          </select>
        )}
      </Field>
      {text(unit === '' ? 'Threshold' : `Threshold (${unit})`, 'threshold')}
      <Field label="Severity" fault={faults.of('severity')}>
        {(told) => (
          <select
            {...told}
            className={controls.select}
            value={draft.severity}
            onChange={(event) => onChange({ severity: event.target.value })}
          >
            {SEVERITIES.map(([severity, title]) => (
              <option key={severity} value={severity}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Field>
      {text('Critical from (optional)', 'criticalThreshold', 'At least as bad as the threshold.')}
      {text('Service (optional)', 'serviceName', 'Empty: every service.', 'services-to-watch')}
      {text('Window (minutes)', 'windowMinutes', 'The value is taken over it: 1 to 60.')}
      {text('Must hold for (minutes)', 'forMinutes', '0: fires at once.')}
      {text('At least so many requests', 'minRequests', 'With fewer in the window it does not judge.')}
      <datalist id="services-to-watch">
        {services.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </div>
  );
}

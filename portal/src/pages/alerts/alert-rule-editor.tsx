import { FlaskConical, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { Schemas, WithEtag } from '../../api/api-client';
import { type FormErrors, FormField, toFormErrors } from '../../ui/form-field';
import { ConfirmChangeDialog, EditConflictActions } from '../../definitions/edit-conflict-dialogs';
import { Card } from '../../ui/card';
import { ErrorState } from '../../ui/page-states';
import { Skeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import { BacktestResult, useBacktest } from './backtest-result';
import { type AlertRuleDraft, NEW_RULE_DRAFT, toRuleBody, toRuleDraft, WATCHABLE_METRICS } from './alert-rule-model';
import { useAlertRuleMutations } from './use-alert-rule-mutations';
import {
  type EditorLocationMatcher,
  UnsavedChangesDialog,
  useUnsavedChangesGuard,
} from '../../ui/unsaved-changes-guard';
import styles from './alerts.module.css';
import { useDiagnostic } from '../../api/use-diagnostic';

const RULE_FIELDS = [
  'name',
  'metric',
  'operator',
  'threshold',
  'severity',
  'criticalThreshold',
  'serviceName',
  'windowMinutes',
  'forMinutes',
  'minRequests',
];

interface AlertRuleEditorProps {
  /** Absent: a new one. */
  readonly read?: WithEtag<Schemas['AlertRule']> | undefined;
  /** Goes on with what somebody else has made of the rule; a new one is nobody else's. */
  readonly onTake?: (theirs: WithEtag<Schemas['AlertRule']>) => void;
  readonly stays: EditorLocationMatcher;
  readonly onDone: () => void;
}

/** A rule is tried over the time of the page before it is saved. */
export function AlertRuleEditor({ read, onTake, stays, onDone }: AlertRuleEditorProps) {
  const rule = read?.record;
  const [saved] = useState<AlertRuleDraft>(rule === undefined ? NEW_RULE_DRAFT : toRuleDraft(rule));
  const [draft, setDraft] = useState(saved);
  const { create, replace } = useAlertRuleMutations();
  const save = read === undefined ? create : replace;
  const backtest = useBacktest();
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved);
  const { finish, asked } = useUnsavedChangesGuard(isChanged, stays, onDone);
  // The service judges what was typed, numbers or not.
  const body = toRuleBody(draft) as Schemas['AlertRuleModel'];
  const isTriedSo = JSON.stringify(backtest.data?.rule) === JSON.stringify(body);
  const faults = toFormErrors(save.error ?? backtest.error, RULE_FIELDS);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    backtest.reset();
    if (read === undefined) create.mutate(body, { onSuccess: finish });
    else saveOver(read);
  };
  const saveOver = ({ record: { id }, etag }: WithEtag<Schemas['AlertRule']>): void =>
    replace.mutate({ id, body, etag }, { onSuccess: finish });
  const attempt = (): void => {
    save.reset();
    backtest.mutate(body);
  };
  const isFieldFault = RULE_FIELDS.some((field) => faults.forField(field) !== undefined);
  return (
    <div className="stack">
      <Card title={rule === undefined ? 'New rule' : rule.name}>
        <form className="stack" onSubmit={submit} noValidate>
          <AlertRuleFields draft={draft} faults={faults} onChange={(part) => setDraft({ ...draft, ...part })} />
          {faults.general !== undefined && save.error !== null && (
            <p className={controls.fault} role="alert">
              {faults.general}
            </p>
          )}
          <div className={controls.row}>
            <button type="button" className={controls.button} disabled={backtest.isPending} onClick={attempt}>
              <FlaskConical size={15} aria-hidden /> Try over this time
            </button>
            <button
              type="submit"
              className={controls.primary}
              disabled={save.isPending || (rule !== undefined && !isChanged)}
            >
              {rule === undefined ? 'Create' : 'Save'}
            </button>
            {onTake !== undefined && (
              <EditConflictActions error={replace.error} onOverwrite={saveOver} onTake={onTake} />
            )}
            <button type="button" className={controls.button} onClick={finish}>
              {isChanged ? 'Discard' : 'Back to all rules'}
            </button>
            {read !== undefined && <DeleteAlertRuleButton read={read} onDone={finish} />}
          </div>
        </form>
      </Card>
      <div aria-live="polite">
        {backtest.isPending && <Skeleton height="14rem" />}
        {backtest.error !== null && !isFieldFault && <ErrorState error={backtest.error} retry={attempt} />}
        {backtest.data !== undefined && !isTriedSo && (
          <p className={styles.quiet}>The rule has changed since it was tried. Try it again to see what it does now.</p>
        )}
        {backtest.data !== undefined && <BacktestResult tried={backtest.data} />}
      </div>
      {asked !== undefined && <UnsavedChangesDialog what="this rule" guard={asked} />}
    </div>
  );
}

interface AlertRuleFieldsProps {
  readonly draft: AlertRuleDraft;
  readonly faults: FormErrors;
  readonly onChange: (part: Partial<AlertRuleDraft>) => void;
}

const SEVERITY_OPTIONS = [
  ['info', 'Info'],
  ['warning', 'Warning'],
  ['critical', 'Critical'],
] as const;

/** The fields of a rule, each with what the service says is wrong with it. */
function AlertRuleFields({ draft, faults, onChange }: AlertRuleFieldsProps) {
  const services = useDiagnostic('services').data?.services ?? [];
  const unit = WATCHABLE_METRICS.find(({ metric }) => metric === draft.metric)?.unit ?? '';
  const text = (
    label: string,
    field: 'name' | 'threshold' | 'criticalThreshold' | 'windowMinutes' | 'forMinutes' | 'minRequests' | 'serviceName',
    hint?: string,
    list?: string,
  ) => (
    <FormField label={label} fault={faults.forField(field)} hint={hint}>
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
    </FormField>
  );
  return (
    <div className={styles.form}>
      <div className={styles.wide}>{text('Name', 'name')}</div>
      <FormField label="Watches" fault={faults.forField('metric')}>
        {(told) => (
          <select
            {...told}
            className={controls.select}
            value={draft.metric}
            onChange={(event) => onChange({ metric: event.target.value })}
          >
            {WATCHABLE_METRICS.map(({ metric, title }) => (
              <option key={metric} value={metric}>
                {title}
              </option>
            ))}
          </select>
        )}
      </FormField>
      <FormField label="Fires when it is" fault={faults.forField('operator')}>
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
      </FormField>
      {text(unit === '' ? 'Threshold' : `Threshold (${unit})`, 'threshold')}
      <FormField label="Severity" fault={faults.forField('severity')}>
        {(told) => (
          <select
            {...told}
            className={controls.select}
            value={draft.severity}
            onChange={(event) => onChange({ severity: event.target.value })}
          >
            {SEVERITY_OPTIONS.map(([severity, title]) => (
              <option key={severity} value={severity}>
                {title}
              </option>
            ))}
          </select>
        )}
      </FormField>
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

function DeleteAlertRuleButton({
  read,
  onDone,
}: {
  readonly read: WithEtag<Schemas['AlertRule']>;
  readonly onDone: () => void;
}) {
  const [isAsking, setAsking] = useState(false);
  const { remove } = useAlertRuleMutations();
  const { id, name } = read.record;
  const close = (): void => {
    remove.reset();
    setAsking(false);
  };
  return (
    <>
      <button type="button" className={controls.danger} onClick={() => setAsking(true)}>
        <Trash2 size={15} aria-hidden /> Delete
      </button>
      {isAsking && (
        <ConfirmChangeDialog
          title="Delete this rule?"
          action="Delete"
          read={{ data: read, error: null }}
          change={{ ...remove, mutate: (etag) => remove.mutate({ id, etag }, { onSuccess: onDone }) }}
          onClose={close}
        >
          “{name}” stops watching, and its open alerts are resolved at once.
        </ConfirmChangeDialog>
      )}
    </>
  );
}

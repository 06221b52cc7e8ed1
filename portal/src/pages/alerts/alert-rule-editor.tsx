import { FlaskConical, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { Schemas, WithEtag } from '../../api/api-client';
import { useDiagnostic } from '../../api/use-diagnostic';
import { ConfirmChangeDialog, EditConflictActions } from '../../definitions/edit-conflict-dialogs';
import { Card } from '../../ui/card';
import { type FormErrors, FormField, toFormErrors } from '../../ui/form-field';
import { ErrorState } from '../../ui/page-states';
import { Skeleton } from '../../ui/skeleton';
import {
  type EditorLocationMatcher,
  UnsavedChangesDialog,
  useUnsavedChangesGuard,
} from '../../ui/unsaved-changes-guard';
import { type AlertRuleDraft, NEW_RULE_DRAFT, toRuleBody, toRuleDraft, WATCHABLE_METRICS } from './alert-rule-model';
import { BacktestResult, useBacktest } from './backtest-result';
import { useAlertRuleMutations } from './use-alert-rule-mutations';
import controls from '../../ui/controls.module.css';
import styles from './alerts.module.css';

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
  /** The rule to edit; absent for a new one. */
  readonly read?: WithEtag<Schemas['AlertRule']> | undefined;
  /** Continues with another user's version; absent for a new rule. */
  readonly onTake?: (theirs: WithEtag<Schemas['AlertRule']>) => void;
  readonly isInEditor: EditorLocationMatcher;
  readonly onDone: () => void;
}

/** Form of an alert rule, which can be backtested over the time view before it is saved. */
export function AlertRuleEditor({ read, onTake, isInEditor, onDone }: AlertRuleEditorProps) {
  const rule = read?.record;
  const [saved] = useState<AlertRuleDraft>(rule === undefined ? NEW_RULE_DRAFT : toRuleDraft(rule));
  const [draft, setDraft] = useState(saved);
  const { create, replace } = useAlertRuleMutations();
  const save = read === undefined ? create : replace;
  const backtest = useBacktest();
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved);
  const { finish, pending } = useUnsavedChangesGuard(isChanged, isInEditor, onDone);
  // The service validates the input, including whether numbers are numbers.
  const body = toRuleBody(draft) as Schemas['AlertRuleModel'];
  const isBacktestCurrent = JSON.stringify(backtest.data?.rule) === JSON.stringify(body);
  const errors = toFormErrors(save.error ?? backtest.error, RULE_FIELDS);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    backtest.reset();
    if (read === undefined) create.mutate(body, { onSuccess: finish });
    else handleOverwrite(read);
  };
  const handleOverwrite = ({ record: { id }, etag }: WithEtag<Schemas['AlertRule']>): void =>
    replace.mutate({ id, body, etag }, { onSuccess: finish });
  const handleBacktest = (): void => {
    save.reset();
    backtest.mutate(body);
  };
  const hasFieldErrors = RULE_FIELDS.some((field) => errors.forField(field) !== undefined);
  return (
    <div className="stack">
      <Card title={rule === undefined ? 'New rule' : rule.name}>
        <form className="stack" onSubmit={handleSubmit} noValidate>
          <AlertRuleFields draft={draft} errors={errors} onChange={(part) => setDraft({ ...draft, ...part })} />
          {errors.general !== undefined && save.error !== null && (
            <p className={controls.error} role="alert">
              {errors.general}
            </p>
          )}
          <div className={controls.row}>
            <button type="button" className={controls.button} disabled={backtest.isPending} onClick={handleBacktest}>
              <FlaskConical size={15} aria-hidden /> Backtest over this time range
            </button>
            <button
              type="submit"
              className={controls.primary}
              disabled={save.isPending || (rule !== undefined && !isChanged)}
            >
              {rule === undefined ? 'Create' : 'Save'}
            </button>
            {onTake !== undefined && (
              <EditConflictActions error={replace.error} onOverwrite={handleOverwrite} onTake={onTake} />
            )}
            <button type="button" className={controls.button} onClick={finish}>
              {isChanged ? 'Discard' : 'Back to rules'}
            </button>
            {read !== undefined && <DeleteAlertRuleButton read={read} onDone={finish} />}
          </div>
        </form>
      </Card>
      <div aria-live="polite">
        {backtest.isPending && <Skeleton height="14rem" />}
        {backtest.error !== null && !hasFieldErrors && <ErrorState error={backtest.error} retry={handleBacktest} />}
        {backtest.data !== undefined && !isBacktestCurrent && (
          <p className={styles.quiet}>The rule has changed since this backtest. Run it again for an updated result.</p>
        )}
        {backtest.data !== undefined && <BacktestResult run={backtest.data} />}
      </div>
      {pending !== undefined && <UnsavedChangesDialog what="this rule" guard={pending} />}
    </div>
  );
}

interface AlertRuleFieldsProps {
  readonly draft: AlertRuleDraft;
  readonly errors: FormErrors;
  readonly onChange: (part: Partial<AlertRuleDraft>) => void;
}

const SEVERITY_OPTIONS = [
  ['info', 'Info'],
  ['warning', 'Warning'],
  ['critical', 'Critical'],
] as const;

/** Fields of a rule with their validation errors. */
function AlertRuleFields({ draft, errors, onChange }: AlertRuleFieldsProps) {
  const services = useDiagnostic('services').data?.services ?? [];
  const unit = WATCHABLE_METRICS.find(({ metric }) => metric === draft.metric)?.unit ?? '';
  const renderTextField = (
    label: string,
    field: 'name' | 'threshold' | 'criticalThreshold' | 'windowMinutes' | 'forMinutes' | 'minRequests' | 'serviceName',
    hint?: string,
    list?: string,
  ) => (
    <FormField label={label} error={errors.forField(field)} hint={hint}>
      {(controlProps) => (
        <input
          {...controlProps}
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
      <div className={styles.wide}>{renderTextField('Name', 'name')}</div>
      <FormField label="Metric" error={errors.forField('metric')}>
        {(controlProps) => (
          <select
            {...controlProps}
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
      <FormField label="Operator" error={errors.forField('operator')}>
        {(controlProps) => (
          <select
            {...controlProps}
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
      {renderTextField(unit === '' ? 'Threshold' : `Threshold (${unit})`, 'threshold')}
      <FormField label="Severity" error={errors.forField('severity')}>
        {(controlProps) => (
          <select
            {...controlProps}
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
      {renderTextField('Critical threshold (optional)', 'criticalThreshold', 'At least as severe as the threshold.')}
      {renderTextField('Service (optional)', 'serviceName', 'Leave empty for all services.', 'services-to-watch')}
      {renderTextField('Window (minutes)', 'windowMinutes', 'Time over which the metric is computed: 1 to 60.')}
      {renderTextField('For (minutes)', 'forMinutes', 'How long the condition must hold. 0 fires immediately.')}
      {renderTextField('Minimum requests', 'minRequests', 'Not evaluated with fewer requests in the window.')}
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
  const [isOpen, setOpen] = useState(false);
  const { remove } = useAlertRuleMutations();
  const { id, name } = read.record;
  const handleClose = (): void => {
    remove.reset();
    setOpen(false);
  };
  return (
    <>
      <button type="button" className={controls.danger} onClick={() => setOpen(true)}>
        <Trash2 size={15} aria-hidden /> Delete
      </button>
      {isOpen && (
        <ConfirmChangeDialog
          title="Delete this rule?"
          action="Delete"
          read={{ data: read, error: null }}
          change={{ ...remove, mutate: (etag) => remove.mutate({ id, etag }, { onSuccess: onDone }) }}
          onClose={handleClose}
        >
          “{name}” is no longer evaluated, and its open alerts are resolved immediately.
        </ConfirmChangeDialog>
      )}
    </>
  );
}

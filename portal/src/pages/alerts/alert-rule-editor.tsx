import { FlaskConical, Trash2 } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
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
import {
  type AlertRuleDraft,
  changeMetric,
  findRuleUnit,
  isOnNewErrors,
  toRuleBody,
  WATCHABLE_METRICS,
} from './alert-rule-model';
import { BacktestResult, useBacktest } from './backtest-result';
import { QUERY_FIELDS } from './rule-query-fields';
import { RuleSourceChoice } from './rule-source-choice';
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
  'runbookUrl',
  ...QUERY_FIELDS,
];

interface AlertRuleEditorProps {
  /** The rule to edit; absent for a new one. */
  readonly read?: WithEtag<Schemas['AlertRule']> | undefined;
  /** What the form shows first. */
  readonly initial: AlertRuleDraft;
  /** Continues with another user's version; absent for a new rule. */
  readonly onTake?: (theirs: WithEtag<Schemas['AlertRule']>) => void;
  readonly isInEditor: EditorLocationMatcher;
  readonly onDone: () => void;
}

/** Form of an alert rule, which can be backtested over the time view before it is saved. */
export function AlertRuleEditor({ read, initial, onTake, isInEditor, onDone }: AlertRuleEditorProps) {
  const rule = read?.record;
  const [saved] = useState<AlertRuleDraft>(initial);
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
  useInitialBacktest(initial, backtest.mutate);
  const handleChange = (part: Partial<AlertRuleDraft>): void => setDraft((known) => ({ ...known, ...part }));
  const hasFieldErrors = RULE_FIELDS.some((field) => errors.forField(field) !== undefined);
  return (
    <div className="stack">
      <Card title={rule === undefined ? 'New rule' : rule.name}>
        <RuleSourceChoice draft={draft} errors={errors} onChange={handleChange} />
        <form className="stack" onSubmit={handleSubmit} noValidate>
          <AlertRuleFields draft={draft} errors={errors} onChange={handleChange} />
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

/** A rule with a threshold is backtested when its page opens. */
function useInitialBacktest(initial: AlertRuleDraft, run: (rule: Schemas['AlertRuleModel']) => void): void {
  const hasRun = useRef(false);
  useEffect(() => {
    if (hasRun.current || initial.name === '') return;
    hasRun.current = true;
    run(toRuleBody(initial) as Schemas['AlertRuleModel']);
  }, [initial, run]);
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

/** Fields that are edited as text. */
type TextField = Exclude<keyof AlertRuleDraft, 'source' | 'metric' | 'query' | 'operator' | 'severity' | 'enabled'>;

/** Of numbers: decimal. */
const INPUT_MODES: Partial<Record<TextField, 'text' | 'url'>> = {
  name: 'text',
  serviceName: 'text',
  runbookUrl: 'url',
};

/** Fields of a rule with their validation errors. */
function AlertRuleFields({ draft, errors, onChange }: AlertRuleFieldsProps) {
  const services = useDiagnostic('services').data?.services ?? [];
  const isOnQuery = draft.source === 'query';
  const isOnErrors = isOnNewErrors(draft);
  const unit = findRuleUnit(toRuleBody(draft));
  const renderTextField = (label: string, field: TextField, hint?: string, list?: string) => (
    <FormField label={label} error={errors.forField(field)} hint={hint}>
      {(controlProps) => (
        <input
          {...controlProps}
          className={controls.input}
          list={list}
          inputMode={INPUT_MODES[field] ?? 'decimal'}
          value={draft[field]}
          onChange={(event) => onChange({ [field]: event.target.value })}
        />
      )}
    </FormField>
  );
  return (
    <div className={styles.form}>
      <div className={styles.wide}>{renderTextField('Name', 'name')}</div>
      {!isOnQuery && (
        <FormField
          label="Metric"
          error={errors.forField('metric')}
          hint={isOnErrors ? 'One alert for each group that is new, or occurs again after it was resolved.' : undefined}
        >
          {(controlProps) => (
            <select
              {...controlProps}
              className={controls.select}
              value={draft.metric}
              onChange={(event) => onChange(changeMetric(draft, event.target.value))}
            >
              {WATCHABLE_METRICS.map(({ metric, title }) => (
                <option key={metric} value={metric}>
                  {title}
                </option>
              ))}
            </select>
          )}
        </FormField>
      )}
      <FormField label="Operator" error={errors.forField('operator')}>
        {(controlProps) => (
          <select
            {...controlProps}
            className={controls.select}
            value={draft.operator}
            onChange={(event) => onChange({ operator: event.target.value })}
          >
            {(isOnErrors ? ['>', '>='] : ['>', '>=', '<', '<=']).map((operator) => (
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
      {renderTextField(
        'Window (minutes)',
        'windowMinutes',
        isOnErrors
          ? 'For how long a group is new: 1 to 60.'
          : `Time over which the ${isOnQuery ? 'query' : 'metric'} is computed: 1 to 60.`,
      )}
      {renderTextField('For (minutes)', 'forMinutes', 'How long the condition must hold. 0 fires immediately.')}
      {isOnQuery || isOnErrors
        ? renderTextField(
            'Minimum records',
            'minRequests',
            'Not evaluated with fewer records of a group in the window.',
          )
        : renderTextField('Minimum requests', 'minRequests', 'Not evaluated with fewer requests in the window.')}
      {renderTextField('Runbook address (optional)', 'runbookUrl', 'Instructions for whoever is notified.')}
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

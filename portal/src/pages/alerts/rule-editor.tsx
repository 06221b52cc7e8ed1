import { FlaskConical } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import type { Schemas, Tagged } from '../../api/client';
import { faultsOf } from '../../charts/faults';
import { MeanwhileChoice } from '../../definitions/meanwhile-choice';
import { Card } from '../../ui/card';
import { ErrorState } from '../../ui/error-state';
import { Skeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import { BacktestResult } from './backtest-result';
import { DeleteRule } from './delete-rule';
import { draftOf, NEW_RULE, ruleOf, type RuleDraft } from './rules';
import { RuleFields } from './rule-fields';
import { useBacktest } from './use-backtest';
import { useRuleChanges } from './use-rule-changes';
import { useUnsavedGuard, type StaysOn } from '../../ui/use-unsaved-guard';
import { LeaveDialog } from '../../ui/leave-dialog';
import styles from './alerts.module.css';

const FIELDS = [
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

interface RuleEditorProps {
  /** Absent: a new one. */
  readonly read?: Tagged<Schemas['AlertRule']> | undefined;
  /** Goes on with what somebody else has made of the rule; a new one is nobody else's. */
  readonly onTake?: (theirs: Tagged<Schemas['AlertRule']>) => void;
  readonly stays: StaysOn;
  readonly onDone: () => void;
}

/** A rule is tried over the time of the page before it is saved. */
export function RuleEditor({ read, onTake, stays, onDone }: RuleEditorProps) {
  const rule = read?.record;
  const [saved] = useState<RuleDraft>(rule === undefined ? NEW_RULE : draftOf(rule));
  const [draft, setDraft] = useState(saved);
  const { create, replace } = useRuleChanges();
  const save = read === undefined ? create : replace;
  const backtest = useBacktest();
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved);
  const { finish, asked } = useUnsavedGuard(isChanged, stays, onDone);
  // The service judges what was typed, numbers or not.
  const body = ruleOf(draft) as Schemas['AlertRuleModel'];
  const isTriedSo = JSON.stringify(backtest.data?.rule) === JSON.stringify(body);
  const faults = faultsOf(save.error ?? backtest.error, FIELDS);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    backtest.reset();
    if (read === undefined) create.mutate(body, { onSuccess: finish });
    else saveOver(read);
  };
  const saveOver = ({ record: { id }, etag }: Tagged<Schemas['AlertRule']>): void =>
    replace.mutate({ id, body, etag }, { onSuccess: finish });
  const attempt = (): void => {
    save.reset();
    backtest.mutate(body);
  };
  const isFieldFault = FIELDS.some((field) => faults.of(field) !== undefined);
  return (
    <div className="stack">
      <Card title={rule === undefined ? 'New rule' : rule.name}>
        <form className="stack" onSubmit={submit} noValidate>
          <RuleFields draft={draft} faults={faults} onChange={(part) => setDraft({ ...draft, ...part })} />
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
            {onTake !== undefined && <MeanwhileChoice error={replace.error} onOverwrite={saveOver} onTake={onTake} />}
            <button type="button" className={controls.button} onClick={finish}>
              {isChanged ? 'Discard' : 'Back to all rules'}
            </button>
            {read !== undefined && <DeleteRule read={read} onDone={finish} />}
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
      {asked !== undefined && <LeaveDialog what="this rule" guard={asked} />}
    </div>
  );
}

import { useLocation } from 'react-router';
import { hasStatus } from '../../api/problem';
import { readRule } from '../../definitions/read-definition';
import { useDefinition } from '../../definitions/use-definition';
import { useParameters } from '../../time/use-parameters';
import { EmptyState } from '../../ui/empty-state';
import { QueryState } from '../../ui/query-state';
import { Skeleton } from '../../ui/skeleton';
import type { StaysOn } from '../../ui/use-unsaved-guard';
import { RuleEditor } from './rule-editor';
import { RuleList } from './rule-list';

/** All rules, or the one that the address names. */
export function RulesTab() {
  const [parameters, change] = useParameters();
  const { pathname } = useLocation();
  const ruleId = parameters.get('rule');
  if (ruleId === null) return <RuleList onOpen={(id) => change({ rule: id })} />;
  const stays: StaysOn = (next) =>
    next.pathname === pathname && new URLSearchParams(next.search).get('rule') === ruleId;
  const done = (): void => change({ rule: undefined, tab: 'rules' });
  if (ruleId === 'new') return <RuleEditor key="new" stays={stays} onDone={done} />;
  return <OneRule key={ruleId} ruleId={ruleId} stays={stays} onDone={done} />;
}

function OneRule({
  ruleId,
  stays,
  onDone,
}: {
  readonly ruleId: string;
  readonly stays: StaysOn;
  readonly onDone: () => void;
}) {
  const { query, take } = useDefinition('alert-rules', ruleId, readRule);
  if (hasStatus(query.error, 404))
    return (
      <EmptyState title="There is no such rule">
        It may have been deleted.{' '}
        <button type="button" onClick={onDone}>
          All rules
        </button>
      </EmptyState>
    );
  return (
    <QueryState query={query} skeleton={<Skeleton height="18rem" />}>
      {(read) => <RuleEditor key={query.dataUpdatedAt} read={read} onTake={take} stays={stays} onDone={onDone} />}
    </QueryState>
  );
}

import { useLocation } from 'react-router';
import { useRules } from '../../charts/use-rules';
import { useParameters } from '../../time/use-parameters';
import { EmptyState } from '../../ui/empty-state';
import { QueryState } from '../../ui/query-state';
import { Skeleton } from '../../ui/skeleton';
import { RuleEditor } from './rule-editor';
import { RuleList } from './rule-list';

/** All rules, or the one that the address names. */
export function RulesTab() {
  const [parameters, change] = useParameters();
  const { pathname } = useLocation();
  const rules = useRules();
  const ruleId = parameters.get('rule');
  if (ruleId === null) return <RuleList onOpen={(id) => change({ rule: id })} />;
  const stays = (next: { readonly pathname: string; readonly search: string }): boolean => next.pathname === pathname && new URLSearchParams(next.search).get('rule') === ruleId;
  const done = (): void => change({ rule: undefined, tab: 'rules' });
  if (ruleId === 'new') return <RuleEditor key="new" stays={stays} onDone={done} />;
  return (
    <QueryState query={rules} skeleton={<Skeleton height="18rem" />}>
      {({ rules: all }) => {
        const rule = all.find(({ id }) => id === ruleId);
        return rule === undefined ? <EmptyState title="There is no such rule">It may have been deleted. <button type="button" onClick={done}>All rules</button></EmptyState> : <RuleEditor key={rule.id} rule={rule} stays={stays} onDone={done} />;
      }}
    </QueryState>
  );
}

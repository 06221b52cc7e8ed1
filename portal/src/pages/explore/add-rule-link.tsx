import { BellPlus } from 'lucide-react';
import { Link } from 'react-router';
import { usePageLinks } from '../../app/page-links';
import { useHasRole } from '../../session/use-session';
import type { ExploreQuery } from './explore-query';
import controls from '../../ui/controls.module.css';

/** Opens a new alert rule on the query. Only for Members. */
export function AddRuleLink({ query: { signal, where, groupBy, select, show } }: { readonly query: ExploreQuery }) {
  const links = usePageLinks();
  const mayChange = useHasRole('Member');
  if (!mayChange || show === 'heatmap') return null;
  const figures = show === 'records' ? { select: 'count' } : { by: groupBy, select: select[0] ?? 'count' };
  return (
    <Link className={controls.button} to={links.page('alerts', { rule: 'new', signal, where, ...figures })}>
      <BellPlus size={15} aria-hidden /> Create alert rule
    </Link>
  );
}

import { Link } from 'react-router';
import { useDiagnostic } from '../../api/use-diagnostic';
import { useLinks } from '../../app/use-links';
import { Assessment, changeText } from '../../diagnostics/change-words';
import { EventKind } from '../../diagnostics/timeline-list';
import { MomentLink } from '../../time/moment-link';
import { Card } from '../../ui/card';
import { QueryState } from '../../ui/query-state';
import list from '../../diagnostics/diagnostics.module.css';

const MOST_SHOWN = 8;

export function ChangesCard({ name }: { readonly name: string }) {
  const changes = useDiagnostic('changes');
  const links = useLinks();
  return (
    <Card title="Recent changes" aside={<Link to={links.page('changes', { service: name })}>All</Link>}>
      <QueryState query={changes}>
        {(data) => {
          const own = data.changes.filter(({ serviceName }) => serviceName === name).slice(0, MOST_SHOWN);
          return own.length === 0 ? (
            <p className={list.quiet}>None in this time.</p>
          ) : (
            <ul className={list.list}>
              {own.map((change) => (
                <li key={`${change.type} ${change.detectedAt} ${changeText(change)}`} className={list.item}>
                  <MomentLink at={change.detectedAt} />
                  <EventKind type={change.type} />
                  <p>{changeText(change)}</p>
                  <Assessment change={change} />
                </li>
              ))}
            </ul>
          );
        }}
      </QueryState>
    </Card>
  );
}

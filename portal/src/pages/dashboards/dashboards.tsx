import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { useDashboards } from '../../charts/use-dashboards';
import { useMay } from '../../session/use-session';
import { useParameters } from '../../time/use-parameters';
import { Card } from '../../ui/card';
import { EmptyState } from '../../ui/empty-state';
import { Page } from '../../ui/page';
import { QueryState } from '../../ui/query-state';
import { Skeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import { CreateDialog } from './create-dialog';
import { DashboardRows } from './dashboard-rows';

type Listed = Schemas['ListedDashboard'];

/** Dashboards that people made, and those that each service has by itself. */
export default function DashboardsPage() {
  const dashboards = useDashboards();
  const mayEdit = useMay('Member');
  const [isCreating, setCreating] = useState(false);
  const [parameters, change] = useParameters();
  const words = parameters.get('q') ?? '';
  const matches = ({ title, description }: Listed): boolean =>
    `${title} ${description}`.toLowerCase().includes(words.trim().toLowerCase());
  return (
    <Page
      title="Dashboards"
      lead="Charts side by side. Every service has a dashboard of its own."
      actions={
        mayEdit && (
          <button type="button" className={controls.primary} onClick={() => setCreating(true)}>
            <Plus size={15} aria-hidden /> New dashboard
          </button>
        )
      }
    >
      <div className="stack">
        <input
          type="search"
          className={controls.input}
          aria-label="Find a dashboard"
          placeholder="Find a dashboard"
          value={words}
          onChange={(event) => change({ q: event.target.value }, true)}
        />
        <QueryState query={dashboards} skeleton={<Skeleton lines={8} />}>
          {({ dashboards: all }) => (
            <Listing
              own={all.filter((each) => !each.builtIn && matches(each))}
              ofServices={all.filter((each) => each.builtIn && matches(each))}
              isSearched={words !== ''}
              mayEdit={mayEdit}
            />
          )}
        </QueryState>
      </div>
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

interface ListingProps {
  readonly own: readonly Listed[];
  readonly ofServices: readonly Listed[];
  readonly isSearched: boolean;
  readonly mayEdit: boolean;
}

function Listing({ own, ofServices, isSearched, mayEdit }: ListingProps) {
  if (isSearched && own.length + ofServices.length === 0)
    return <EmptyState title="No dashboard matches">Search for another word.</EmptyState>;
  return (
    <div className="stack">
      <Card title="Of this Grid">
        {own.length === 0 ? (
          <p>
            {isSearched
              ? 'None matches.'
              : `None yet. ${mayEdit ? 'Create one with the charts that you look at first.' : 'A Member can create one.'}`}
          </p>
        ) : (
          <DashboardRows label="Dashboards of this Grid" dashboards={own} />
        )}
      </Card>
      <Card title="Of its services">
        {ofServices.length === 0 ? (
          <p>{isSearched ? 'None matches.' : 'Each service has one from its first span on.'}</p>
        ) : (
          <DashboardRows label="Dashboards of services" dashboards={ofServices} />
        )}
      </Card>
    </div>
  );
}

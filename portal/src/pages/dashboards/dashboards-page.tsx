import { Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { Schemas } from '../../api/api-client';
import { useDashboards } from '../../definitions/definition-queries';
import { useHasRole } from '../../session/use-session';
import { useUrlParameters } from '../../time/use-url-parameters';
import { Card } from '../../ui/card';
import { EmptyState } from '../../ui/page-states';
import { Page } from '../../ui/page';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import { Link, useNavigate } from 'react-router';
import { usePageLinks } from '../../app/page-links';
import { VirtualList } from '../../ui/virtual-list';
import styles from './dashboards.module.css';
import { FormField, toFormErrors } from '../../ui/form-field';
import { Dialog } from '../../ui/dialog';
import { useDashboardMutations } from './use-dashboard-mutations';

type ListedDashboard = Schemas['ListedDashboard'];

/** Dashboards that people made, and those that each service has by itself. */
export default function DashboardsPage() {
  const dashboards = useDashboards();
  const mayEdit = useHasRole('Member');
  const [isCreating, setCreating] = useState(false);
  const [parameters, change] = useUrlParameters();
  const words = parameters.get('q') ?? '';
  const matches = ({ title, description }: ListedDashboard): boolean =>
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
        <QueryBoundary query={dashboards} skeleton={<Skeleton lines={8} />}>
          {({ dashboards: all }) => (
            <DashboardLists
              own={all.filter((each) => !each.builtIn && matches(each))}
              ofServices={all.filter((each) => each.builtIn && matches(each))}
              isSearched={words !== ''}
              mayEdit={mayEdit}
            />
          )}
        </QueryBoundary>
      </div>
      {isCreating && <CreateDashboardDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

interface DashboardListsProps {
  readonly own: readonly ListedDashboard[];
  readonly ofServices: readonly ListedDashboard[];
  readonly isSearched: boolean;
  readonly mayEdit: boolean;
}

function DashboardLists({ own, ofServices, isSearched, mayEdit }: DashboardListsProps) {
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
          <DashboardList label="Dashboards of this Grid" dashboards={own} />
        )}
      </Card>
      <Card title="Of its services">
        {ofServices.length === 0 ? (
          <p>{isSearched ? 'None matches.' : 'Each service has one from its first span on.'}</p>
        ) : (
          <DashboardList label="Dashboards of services" dashboards={ofServices} />
        )}
      </Card>
    </div>
  );
}

const ROW_HEIGHT = 44;

/** As many stand on the page as they are. */
const MAX_PLAIN_ROWS = 12;

interface DashboardListProps {
  readonly label: string;
  readonly dashboards: readonly Schemas['ListedDashboard'][];
}

export function DashboardList({ label, dashboards }: DashboardListProps) {
  if (dashboards.length <= MAX_PLAIN_ROWS)
    return (
      <ul className={styles.plain} aria-label={label}>
        {dashboards.map((each) => (
          <li key={each.id}>
            <DashboardRow dashboard={each} />
          </li>
        ))}
      </ul>
    );
  return (
    <VirtualList items={dashboards} rowHeight={ROW_HEIGHT} getItemId={({ id }) => id} label={label} height="26rem">
      {(each) => <DashboardRow dashboard={each} />}
    </VirtualList>
  );
}

function DashboardRow({
  dashboard: { id, title, description, charts },
}: {
  readonly dashboard: Schemas['ListedDashboard'];
}) {
  const links = usePageLinks();
  return (
    <div className={styles.row}>
      <Link to={links.page(`dashboards/${encodeURIComponent(id)}`)} title={title}>
        {title}
      </Link>
      <span>{charts.length === 1 ? '1 chart' : `${charts.length} charts`}</span>
      <span title={description}>{description}</span>
    </div>
  );
}

/** A new dashboard begins empty and is arranged at once. */
export function CreateDashboardDialog({ onClose }: { readonly onClose: () => void }) {
  const [title, setTitle] = useState('');
  const [description, setDescription] = useState('');
  const { create } = useDashboardMutations();
  const navigate = useNavigate();
  const links = usePageLinks();
  const faults = toFormErrors(create.error, ['title', 'description']);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate(
      { title, description, charts: [] },
      { onSuccess: ({ id }) => void navigate(links.page(`dashboards/${encodeURIComponent(id)}`, { edit: '1' })) },
    );
  };
  return (
    <Dialog title="New dashboard" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <FormField label="Title" fault={faults.forField('title')}>
          {(told) => (
            <input
              {...told}
              className={controls.input}
              value={title}
              autoFocus
              required
              maxLength={200}
              onChange={(event) => setTitle(event.target.value)}
            />
          )}
        </FormField>
        <FormField label="What it is for (optional)" fault={faults.forField('description')}>
          {(told) => (
            <input
              {...told}
              className={controls.input}
              value={description}
              maxLength={2_000}
              onChange={(event) => setDescription(event.target.value)}
            />
          )}
        </FormField>
        {faults.general !== undefined && (
          <p className={controls.fault} role="alert">
            {faults.general}
          </p>
        )}
        <div className={controls.row}>
          <button type="submit" className={controls.primary} disabled={create.isPending}>
            Create and arrange
          </button>
          <button type="button" className={controls.button} onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

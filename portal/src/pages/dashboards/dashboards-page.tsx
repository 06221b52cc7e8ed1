import { Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Schemas } from '../../api/api-client';
import { usePageLinks } from '../../app/page-links';
import { useDashboards } from '../../definitions/definition-queries';
import { useHasRole } from '../../session/use-session';
import { useUrlParameters } from '../../time/use-url-parameters';
import { Card } from '../../ui/card';
import { Dialog } from '../../ui/dialog';
import { GeneralError, TextField, toFormErrors } from '../../ui/form-field';
import { Page } from '../../ui/page';
import { EmptyState } from '../../ui/page-states';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { VirtualList } from '../../ui/virtual-list';
import { useDashboardMutations } from './use-dashboard-mutations';
import controls from '../../ui/controls.module.css';
import styles from './dashboards.module.css';

type ListedDashboard = Schemas['ListedDashboard'];

/** Custom dashboards, and the built-in ones of services. */
export default function DashboardsPage() {
  const dashboards = useDashboards();
  const mayEdit = useHasRole('Member');
  const [isCreating, setCreating] = useState(false);
  const [parameters, change] = useUrlParameters();
  const search = parameters.get('q') ?? '';
  const matches = ({ title, description }: ListedDashboard): boolean =>
    `${title} ${description}`.toLowerCase().includes(search.trim().toLowerCase());
  return (
    <Page
      title="Dashboards"
      lead="Custom dashboards, and a built-in one for each service"
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
          value={search}
          onChange={(event) => change({ q: event.target.value }, true)}
        />
        <QueryBoundary query={dashboards} skeleton={<Skeleton lines={8} />}>
          {({ dashboards: all }) => (
            <DashboardLists
              custom={all.filter((each) => !each.builtIn && matches(each))}
              builtIn={all.filter((each) => each.builtIn && matches(each))}
              isFiltered={search !== ''}
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
  readonly custom: readonly ListedDashboard[];
  readonly builtIn: readonly ListedDashboard[];
  readonly isFiltered: boolean;
  readonly mayEdit: boolean;
}

function DashboardLists({ custom, builtIn, isFiltered, mayEdit }: DashboardListsProps) {
  if (isFiltered && custom.length + builtIn.length === 0)
    return <EmptyState title="No matching dashboards">Try another search.</EmptyState>;
  return (
    <div className="stack">
      <Card title="Custom dashboards">
        {custom.length === 0 ? (
          <p>
            {isFiltered
              ? 'No matches.'
              : `None yet. ${mayEdit ? 'Create one with your most important charts.' : 'Members can create dashboards.'}`}
          </p>
        ) : (
          <DashboardList label="Custom dashboards" dashboards={custom} />
        )}
      </Card>
      <Card title="Service dashboards">
        {builtIn.length === 0 ? (
          <p>{isFiltered ? 'No matches.' : 'Each service gets one with its first span.'}</p>
        ) : (
          <DashboardList label="Service dashboards" dashboards={builtIn} />
        )}
      </Card>
    </div>
  );
}

const ROW_HEIGHT = 44;

/** Longer lists scroll and render only visible rows. */
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

/** Creates an empty dashboard and opens its editor. */
export function CreateDashboardDialog({ onClose }: { readonly onClose: () => void }) {
  const [title, setTitle] = useState('');
  const [description, setDescription] = useState('');
  const { create } = useDashboardMutations();
  const navigate = useNavigate();
  const links = usePageLinks();
  const errors = toFormErrors(create.error, ['title', 'description']);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate(
      { title, description, charts: [] },
      { onSuccess: ({ id }) => void navigate(links.page(`dashboards/${encodeURIComponent(id)}`, { edit: '1' })) },
    );
  };
  return (
    <Dialog title="New dashboard" onClose={onClose}>
      <form className="stack" onSubmit={handleSubmit}>
        <TextField
          label="Title"
          error={errors.forField('title')}
          value={title}
          autoFocus
          required
          maxLength={200}
          onChange={setTitle}
        />
        <TextField
          label="Description (optional)"
          error={errors.forField('description')}
          value={description}
          maxLength={2_000}
          onChange={setDescription}
        />
        <GeneralError errors={errors} />
        <div className={controls.row}>
          <button type="submit" className={controls.primary} disabled={create.isPending}>
            Create and edit
          </button>
          <button type="button" className={controls.button} onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

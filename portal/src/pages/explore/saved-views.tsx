import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Bookmark } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { api, type Schemas, unwrapResponse } from '../../api/api-client';
import { useGrid, useHasRole } from '../../session/use-session';
import { Dialog } from '../../ui/dialog';
import { GeneralError, TextField, toFormErrors } from '../../ui/form-field';
import { QueryBoundary } from '../../ui/query-boundaries';
import { type ExploreQuery, parseFunction, writeFunction } from './explore-query';
import type { ExploreState } from './use-explore-query';
import controls from '../../ui/controls.module.css';
import styles from './explore.module.css';

type SavedView = Schemas['SavedView'];

/** Opens saved queries; Members also save the current one, and delete some. */
export function SavedViewsButton({ state }: { readonly state: ExploreState }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={controls.button} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Bookmark size={15} aria-hidden /> Views
      </button>
      {isOpen && <SavedViewsDialog state={state} onClose={() => setOpen(false)} />}
    </>
  );
}

const viewsQueryKey = (gridSecondaryId: string): readonly string[] => ['views', gridSecondaryId];

function SavedViewsDialog({ state, onClose }: { readonly state: ExploreState; readonly onClose: () => void }) {
  const { gridSecondaryId } = useGrid();
  const mayChange = useHasRole('Member');
  const views = useQuery({
    queryKey: viewsQueryKey(gridSecondaryId),
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/admin/grids/{gridSecondaryId}/views', { params: { path: { gridSecondaryId } }, signal }),
      ),
  });
  const handleOpen = (view: SavedView): void => {
    state.change(openView(view));
    onClose();
  };
  return (
    <Dialog title="Saved views" onClose={onClose}>
      <div className="stack">
        <QueryBoundary query={views}>
          {({ views: saved }) =>
            saved.length === 0 ? (
              <p>No saved views yet.</p>
            ) : (
              <ul className={styles.views}>
                {saved.map((view) => (
                  <li key={view.id}>
                    <button type="button" className={styles.view} onClick={() => handleOpen(view)}>
                      <strong>{view.name}</strong> <span>{view.description || describeView(view)}</span>
                    </button>
                    {mayChange && <DeleteViewButton view={view} />}
                  </li>
                ))}
              </ul>
            )
          }
        </QueryBoundary>
        {mayChange && <SaveViewForm query={state.query} onSaved={onClose} />}
      </div>
    </Dialog>
  );
}

/** What a view asks, in a line. */
function describeView({ signal, where, groupBy, select }: SavedView): string {
  const functions = select.map(writeFunction).join(', ');
  return [
    functions === '' ? signal : `${functions} of ${signal}`,
    where,
    groupBy.length > 0 ? `by ${groupBy.join(', ')}` : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** The page's query for a saved one. */
function openView({ signal, where, groupBy, select, stepSeconds, orderBy, limit }: SavedView): ExploreQuery {
  return {
    ...{ signal, where, groupBy, stepSeconds, limit, columns: [] },
    select: select.map(writeFunction),
    orderBy: orderBy.map(({ by, descending }) => (descending ? `-${by}` : by)),
    show: select.length === 0 ? 'records' : stepSeconds === undefined ? 'table' : 'series',
  };
}

/** What is saved of the page's query. */
function toView(query: ExploreQuery, name: string, description: string): Schemas['ViewModel'] {
  const { signal, where, groupBy, select, stepSeconds, orderBy, limit, show } = query;
  const isList = show === 'records';
  return {
    ...{ name, description, signal, where },
    groupBy: isList ? [] : [...groupBy],
    select: isList ? [] : (select.length === 0 ? ['count'] : select).map(parseFunction),
    orderBy: orderBy.map((key) => ({ by: key.replace(/^-/, ''), descending: key.startsWith('-') })),
    ...(show === 'series' && { stepSeconds: stepSeconds ?? DEFAULT_STEP }),
    ...(limit !== undefined && { limit }),
  };
}

/** Step of a saved series that had none of its own. */
const DEFAULT_STEP = 60;

function SaveViewForm({ query, onSaved }: { readonly query: ExploreQuery; readonly onSaved: () => void }) {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const save = useMutation({
    mutationFn: () =>
      unwrapResponse(
        api.POST('/admin/grids/{gridSecondaryId}/views', {
          params: { path: { gridSecondaryId } },
          body: toView(query, name, description),
        }),
      ),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: viewsQueryKey(gridSecondaryId) });
      onSaved();
    },
  });
  const errors = toFormErrors(save.error, ['name', 'description']);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form className="stack" onSubmit={handleSubmit} aria-label="Save this query as a view">
      <h3>Save this query as a view</h3>
      <TextField label="Name" error={errors.forField('name')} value={name} maxLength={120} onChange={setName} />
      <TextField
        label="Description (optional)"
        error={errors.forField('description')}
        value={description}
        maxLength={1_000}
        onChange={setDescription}
      />
      <GeneralError errors={errors} />
      <div className={controls.row}>
        <button type="submit" className={controls.primary} disabled={save.isPending || name.trim() === ''}>
          Save view
        </button>
      </div>
    </form>
  );
}

function DeleteViewButton({ view: { id, name } }: { readonly view: SavedView }) {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  const [isSure, setSure] = useState(false);
  const remove = useMutation({
    mutationFn: () =>
      unwrapResponse(
        api.DELETE('/admin/grids/{gridSecondaryId}/views/{viewId}', {
          params: { path: { gridSecondaryId, viewId: id } },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: viewsQueryKey(gridSecondaryId) }),
  });
  return (
    <button
      type="button"
      className={isSure ? controls.danger : controls.button}
      disabled={remove.isPending}
      aria-label={isSure ? `Delete ${name} for all members` : `Delete ${name}`}
      onClick={() => (isSure ? remove.mutate() : setSure(true))}
      onBlur={() => setSure(false)}
    >
      {remove.error?.message ?? (isSure ? 'Delete for all members' : 'Delete')}
    </button>
  );
}

import type { Authored, GridEvent } from '../../streams/events/grid-events.js';
import type { StoredView, ViewEvent } from '../../streams/events/view-events.js';
import { type Decider, type Decision, type Precondition, reject, rejectChangedMeanwhile } from '../decider.js';
import { checkOptionalText, checkText, toFieldErrors } from '../field-validation.js';
import type { FieldError } from '../../errors.js';

export const VIEW_BOUNDS = { nameLength: 120, descriptionLength: 1_000, viewsOfAGrid: 500 } as const;

/**
 * A view without its id. Its query was checked by the sender of the command, because only the query layer knows the
 * language.
 */
export type NewView = Omit<StoredView, 'id'>;

/** A view with the times at which it was created and last changed, ms since 1970. */
export interface View extends StoredView {
  readonly createdAt: number;
  readonly updatedAt: number;
}

interface ViewCommandBase extends Authored {
  readonly gridId: string;
  readonly viewId: string;
  /** Condition on the view to replace or delete. */
  readonly onlyIf?: Precondition<View> | undefined;
}

export type ViewCommand =
  | (ViewCommandBase & { readonly type: 'CreateView' | 'ChangeView'; readonly view: NewView })
  | (ViewCommandBase & { readonly type: 'DeleteView' });

/** Events of a Grid's stream that the decider handles. */
export type ViewsEvent = Extract<GridEvent, { readonly type: 'GridCreated.v1' }> | ViewEvent;

/** Views by id; undefined before the Grid exists. */
export type ViewsState = ReadonlyMap<string, View> | undefined;

/** Rules for the name and the description. */
export function validateViewText({ name, description }: Pick<NewView, 'name' | 'description'>): FieldError[] {
  return [
    ...toFieldErrors('name', checkText(name, VIEW_BOUNDS.nameLength)),
    ...toFieldErrors('description', checkOptionalText(description, VIEW_BOUNDS.descriptionLength)),
  ];
}

/** Saved views of a Grid, in the stream of its other settings. */
export const viewsDecider: Decider<ViewCommand, ViewsState, ViewsEvent> = {
  eventTypes: new Set<ViewsEvent['type']>(['GridCreated.v1', 'ViewCreated.v1', 'ViewChanged.v1', 'ViewDeleted.v1']),
  initialState: undefined,
  decide,
  evolve: (state, event) => evolveAll(state, [event]),
  evolveAll,
};

function evolveAll(state: ViewsState, events: readonly ViewsEvent[]): ViewsState {
  const views = new Map(state);
  for (const { type, data } of events) {
    if (type === 'ViewDeleted.v1') views.delete(data.viewId);
    else if (type !== 'GridCreated.v1') {
      const { view, at } = data;
      views.set(view.id, { ...view, createdAt: views.get(view.id)?.createdAt ?? at, updatedAt: at });
    }
  }
  return views;
}

function decide(command: ViewCommand, views: ViewsState): Decision<ViewsEvent> {
  if (views === undefined) return reject('not-found', 'There is no such Grid.');
  const { actor, at, gridId, viewId } = command;
  const before = views.get(viewId);
  if (command.type === 'CreateView') return createView(command, views);
  if (before === undefined) return reject('not-found', 'The Grid has no view with this id.');
  if (command.onlyIf?.(before) === false) return rejectChangedMeanwhile('view');
  if (command.type === 'DeleteView') return [{ type: 'ViewDeleted.v1', data: { actor, at, gridId, viewId } }];
  const view = toStoredView(viewId, command.view);
  const errors = validateViewText(view);
  if (errors.length > 0) return rejectInvalid(errors);
  return JSON.stringify(view) === JSON.stringify(toStoredView(viewId, before))
    ? []
    : [{ type: 'ViewChanged.v1', data: { actor, at, gridId, view } }];
}

function createView(
  { actor, at, gridId, viewId, view: given }: Extract<ViewCommand, { readonly view: NewView }>,
  views: NonNullable<ViewsState>,
): Decision<ViewsEvent> {
  const view = toStoredView(viewId, given);
  const errors = validateViewText(view);
  if (errors.length > 0) return rejectInvalid(errors);
  if (views.has(viewId)) return reject('conflict', 'A view with this id already exists.');
  if (views.size >= VIEW_BOUNDS.viewsOfAGrid)
    return reject('conflict', `A Grid can have at most ${VIEW_BOUNDS.viewsOfAGrid} views: delete one first.`);
  return [{ type: 'ViewCreated.v1', data: { actor, at, gridId, view } }];
}

/** Copies the stored members; drops any others that were sent. */
function toStoredView(id: string, given: NewView): StoredView {
  const { name, description, signal, where, groupBy, select, stepSeconds, orderBy, limit } = given;
  return {
    ...{ id, name, description, signal, where },
    groupBy: [...groupBy],
    select: select.map(({ fn, field, as }) => ({ fn, field, as })),
    stepSeconds,
    orderBy: orderBy.map(({ by, descending }) => ({ by, descending })),
    limit,
  };
}

function rejectInvalid(errors: readonly FieldError[]): Decision<ViewsEvent> {
  return reject('invalid-request', 'The view is invalid.', errors);
}

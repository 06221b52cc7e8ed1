import type { CommandReceipt } from '../../src/commands/grids/grid-commands.js';
import type { ViewReceipt } from '../../src/commands/views/view-commands.js';
import { type NewView, validateViewText, type View } from '../../src/commands/views/view-decider.js';
import { HindsightError } from '../../src/errors.js';
import type { ViewPort } from '../../src/http/api-call.js';
import type { SavedView, ViewQueries } from '../../src/queries/views/view-queries.js';
import type { Position } from '../../src/streams/event-store.js';
import { CREATED_ID } from './created-id.js';

export const VIEW: View = {
  id: '5d2f8e61-7c3b-4a90-9e14-6b0d8f2a1c35',
  name: 'Latency by tier',
  description: '',
  signal: 'spans',
  where: 'service = checkout',
  groupBy: ['customer.tier'],
  select: [{ fn: 'p99', field: 'duration', as: '' }],
  stepSeconds: 0,
  orderBy: [],
  limit: 0,
  createdAt: 1_767_225_600_000,
  updatedAt: 1_767_225_600_000,
};

/** One view in every Grid; records calls without changing state. */
export class FakeViews implements ViewPort, ViewQueries {
  readonly done: { readonly name: string; readonly with: readonly unknown[] }[] = [];
  private readonly position = '7' as Position;

  async savedViews(gridId: string): Promise<readonly SavedView[]> {
    this.note('savedViews', gridId);
    return [VIEW];
  }

  async savedView(gridId: string, viewId: string): Promise<SavedView | undefined> {
    this.note('savedView', gridId, viewId);
    return viewId === VIEW.id ? VIEW : undefined;
  }

  async createView(actor: string, gridId: string, view: NewView): Promise<ViewReceipt> {
    this.note('createView', actor, gridId, view);
    return this.accept(CREATED_ID, view);
  }

  async changeView(actor: string, gridId: string, viewId: string, view: NewView): Promise<ViewReceipt> {
    this.note('changeView', actor, gridId, viewId, view);
    requireKnown(viewId);
    return this.accept(viewId, view);
  }

  async removeView(actor: string, gridId: string, viewId: string): Promise<CommandReceipt> {
    this.note('removeView', actor, gridId, viewId);
    requireKnown(viewId);
    return { position: this.position };
  }

  waitForPosition(position: Position): Promise<unknown> {
    this.note('waitForPosition', position);
    return Promise.resolve(true);
  }

  private accept(id: string, view: NewView): ViewReceipt {
    const faults = validateViewText(view);
    if (faults.length > 0) throw new HindsightError('invalid-request', 'There are faults.', faults);
    const { createdAt, updatedAt } = VIEW;
    return { view: { ...view, id, createdAt, updatedAt }, position: this.position };
  }

  private note(name: string, ...values: readonly unknown[]): void {
    this.done.push({ name, with: values });
  }
}

function requireKnown(id: string): void {
  if (id !== VIEW.id) throw new HindsightError('not-found', 'There is nothing of this id.');
}

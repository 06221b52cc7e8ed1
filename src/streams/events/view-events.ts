import type { Authored } from './grid-events.js';

/**
 * A saved query as stored in events, with all members. Empty texts, lists and 0 stand for what the query leaves out.
 */
export interface StoredView {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly signal: string;
  readonly where: string;
  readonly groupBy: readonly string[];
  readonly select: readonly { readonly fn: string; readonly field: string; readonly as: string }[];
  /** 0: a table. */
  readonly stepSeconds: number;
  readonly orderBy: readonly { readonly by: string; readonly descending: boolean }[];
  /** 0: the default. */
  readonly limit: number;
}

/** Events in the stream `grid-<gridId>`, next to its settings. */
export type ViewEvent =
  | {
      readonly type: 'ViewCreated.v1';
      readonly data: Authored & { readonly gridId: string; readonly view: StoredView };
    }
  | {
      readonly type: 'ViewChanged.v1';
      readonly data: Authored & { readonly gridId: string; readonly view: StoredView };
    }
  | {
      readonly type: 'ViewDeleted.v1';
      readonly data: Authored & { readonly gridId: string; readonly viewId: string };
    };

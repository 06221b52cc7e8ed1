import type { Authored } from './grid-events.js';

interface OfErrorGroup extends Authored {
  readonly gridId: string;
  readonly groupId: string;
}

/** Events in the stream `error-groups-<gridId>`: what people did about groups of exceptions. */
export type ErrorGroupEvent =
  | {
      readonly type: 'ErrorGroupResolved.v1';
      readonly data: OfErrorGroup & {
        /** `service.version` in which it is fixed; empty: everywhere, at once. */
        readonly fixedIn: string;
        /** Versions that had reported it: with `fixedIn`, they may do so again until they are replaced. */
        readonly knownVersions: readonly string[];
      };
    }
  | { readonly type: 'ErrorGroupReopened.v1'; readonly data: OfErrorGroup }
  /** It was changed longest ago of too many groups: as if nobody had ever resolved it. */
  | { readonly type: 'ErrorGroupDropped.v1'; readonly data: OfErrorGroup };

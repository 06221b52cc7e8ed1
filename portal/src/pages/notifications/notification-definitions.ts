import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, unwrapResponse, unwrapResponseWithEtag, type WithEtag } from '../../api/api-client';
import type { DeleteRequest, ReplaceRequest } from '../../definitions/definition-requests';
import { changeIfUnmodified } from '../../definitions/edit-conflict';
import { useGrid } from '../../session/use-session';

/** The requests for one kind of definition. Changes reject with status 412 if the current version has another ETag. */
export interface DefinitionKind<Stored, Model> {
  /** Part of the query key. */
  readonly name: string;
  /** Such as `channel`. */
  readonly noun: string;
  list(gridSecondaryId: string, signal: AbortSignal): Promise<readonly Stored[]>;
  read(gridSecondaryId: string, id: string): Promise<WithEtag<Stored>>;
  create(gridSecondaryId: string, body: Model): Promise<Stored>;
  replace(gridSecondaryId: string, change: ReplaceRequest<Model>): Promise<WithEtag<Stored>>;
  remove(gridSecondaryId: string, change: DeleteRequest): Promise<unknown>;
}

export const CHANNELS: DefinitionKind<Schemas['Channel'], Schemas['ChannelModel']> = {
  name: 'channels',
  noun: 'channel',
  list: async (gridSecondaryId, signal) =>
    (
      await unwrapResponse(
        api.GET('/admin/grids/{gridSecondaryId}/channels', { params: { path: { gridSecondaryId } }, signal }),
      )
    ).channels,
  read: (gridSecondaryId, channelId) =>
    unwrapResponseWithEtag(
      api.GET('/admin/grids/{gridSecondaryId}/channels/{channelId}', {
        params: { path: { gridSecondaryId, channelId } },
      }),
    ),
  create: (gridSecondaryId, body) =>
    unwrapResponse(
      api.POST('/admin/grids/{gridSecondaryId}/channels', { params: { path: { gridSecondaryId } }, body }),
    ),
  replace: (gridSecondaryId, { id: channelId, body, etag }) =>
    unwrapResponseWithEtag(
      api.PUT('/admin/grids/{gridSecondaryId}/channels/{channelId}', {
        params: { path: { gridSecondaryId, channelId }, header: { 'If-Match': etag } },
        body,
      }),
    ),
  remove: (gridSecondaryId, { id: channelId, etag }) =>
    unwrapResponse(
      api.DELETE('/admin/grids/{gridSecondaryId}/channels/{channelId}', {
        params: { path: { gridSecondaryId, channelId }, header: { 'If-Match': etag } },
      }),
    ),
};

export const ROUTES: DefinitionKind<Schemas['NotificationRoute'], Schemas['NotificationRouteModel']> = {
  name: 'routes',
  noun: 'route',
  list: async (gridSecondaryId, signal) =>
    (
      await unwrapResponse(
        api.GET('/admin/grids/{gridSecondaryId}/routes', { params: { path: { gridSecondaryId } }, signal }),
      )
    ).routes,
  read: (gridSecondaryId, routeId) =>
    unwrapResponseWithEtag(
      api.GET('/admin/grids/{gridSecondaryId}/routes/{routeId}', { params: { path: { gridSecondaryId, routeId } } }),
    ),
  create: (gridSecondaryId, body) =>
    unwrapResponse(api.POST('/admin/grids/{gridSecondaryId}/routes', { params: { path: { gridSecondaryId } }, body })),
  replace: (gridSecondaryId, { id: routeId, body, etag }) =>
    unwrapResponseWithEtag(
      api.PUT('/admin/grids/{gridSecondaryId}/routes/{routeId}', {
        params: { path: { gridSecondaryId, routeId }, header: { 'If-Match': etag } },
        body,
      }),
    ),
  remove: (gridSecondaryId, { id: routeId, etag }) =>
    unwrapResponse(
      api.DELETE('/admin/grids/{gridSecondaryId}/routes/{routeId}', {
        params: { path: { gridSecondaryId, routeId }, header: { 'If-Match': etag } },
      }),
    ),
};

export const SILENCES: DefinitionKind<Schemas['Silence'], Schemas['SilenceModel']> = {
  name: 'silences',
  noun: 'silence',
  list: async (gridSecondaryId, signal) =>
    (
      await unwrapResponse(
        api.GET('/admin/grids/{gridSecondaryId}/silences', { params: { path: { gridSecondaryId } }, signal }),
      )
    ).silences,
  read: (gridSecondaryId, silenceId) =>
    unwrapResponseWithEtag(
      api.GET('/admin/grids/{gridSecondaryId}/silences/{silenceId}', {
        params: { path: { gridSecondaryId, silenceId } },
      }),
    ),
  create: (gridSecondaryId, body) =>
    unwrapResponse(
      api.POST('/admin/grids/{gridSecondaryId}/silences', { params: { path: { gridSecondaryId } }, body }),
    ),
  replace: (gridSecondaryId, { id: silenceId, body, etag }) =>
    unwrapResponseWithEtag(
      api.PUT('/admin/grids/{gridSecondaryId}/silences/{silenceId}', {
        params: { path: { gridSecondaryId, silenceId }, header: { 'If-Match': etag } },
        body,
      }),
    ),
  remove: (gridSecondaryId, { id: silenceId, etag }) =>
    unwrapResponse(
      api.DELETE('/admin/grids/{gridSecondaryId}/silences/{silenceId}', {
        params: { path: { gridSecondaryId, silenceId }, header: { 'If-Match': etag } },
      }),
    ),
};

export function useDefinitions<Stored, Model>(kind: DefinitionKind<Stored, Model>) {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: [kind.name, gridSecondaryId],
    queryFn: ({ signal }) => kind.list(gridSecondaryId, signal),
  });
}

/** Mutations of one kind of definition. */
export function useDefinitionMutations<Stored, Model>(kind: DefinitionKind<Stored, Model>) {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: [kind.name, gridSecondaryId] });
  const create = useMutation({
    mutationFn: (body: Model) => kind.create(gridSecondaryId, body),
    onSuccess: refresh,
  });
  const replace = useMutation({
    mutationFn: (change: ReplaceRequest<Model>) =>
      changeIfUnmodified(
        kind.noun,
        () => kind.replace(gridSecondaryId, change),
        () => kind.read(gridSecondaryId, change.id),
      ),
    onSuccess: refresh,
  });
  const remove = useMutation({
    mutationFn: (change: DeleteRequest) =>
      changeIfUnmodified(
        kind.noun,
        () => kind.remove(gridSecondaryId, change),
        () => kind.read(gridSecondaryId, change.id),
      ),
    onSuccess: refresh,
  });
  return { create, replace, remove };
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../../api/client';
import { hasStatus } from '../../api/problem';
import { forgetSession } from '../../session/token';
import { useGrid, useSession } from '../../session/use-session';

type Role = Schemas['Member']['role'];

const membersKey = (gridSecondaryId: string): readonly string[] => ['members', gridSecondaryId];

export function useMembers() {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: membersKey(gridSecondaryId),
    queryFn: ({ signal }) =>
      answerOf(api.GET('/admin/grids/{gridSecondaryId}/members', { params: { path: { gridSecondaryId } }, signal })),
  });
}

/** After a change the list is asked for anew; who changed their own role sees what they may now. */
function useMembersAnew(): (userId: string) => Promise<void> {
  const { gridSecondaryId } = useGrid();
  const { data } = useSession();
  const queries = useQueryClient();
  return async (userId) => {
    await queries.invalidateQueries({ queryKey: membersKey(gridSecondaryId) });
    if (userId !== data?.user.id) return;
    forgetSession();
    await queries.invalidateQueries({ queryKey: ['session'] });
  };
}

export function useSetMember() {
  const { gridSecondaryId } = useGrid();
  const anew = useMembersAnew();
  return useMutation({
    mutationFn: ({ userId, role }: { readonly userId: string; readonly role: Role }) =>
      answerOf(
        api.PUT('/admin/grids/{gridSecondaryId}/members/{userId}', {
          params: { path: { gridSecondaryId, userId } },
          body: { role },
        }),
      ),
    onSuccess: ({ userId }) => anew(userId),
  });
}

export function useRemoveMember(userId: string, onDone: () => void) {
  const { gridSecondaryId } = useGrid();
  const anew = useMembersAnew();
  return useMutation({
    mutationFn: async () => {
      await answerOf(
        api.DELETE('/admin/grids/{gridSecondaryId}/members/{userId}', {
          params: { path: { gridSecondaryId, userId } },
        }),
      );
    },
    onSuccess: async () => {
      onDone();
      await anew(userId);
    },
  });
}

/** A Grid keeps an Owner: said so that one knows what to do first. */
export function memberFault(error: Error): string {
  return hasStatus(error, 409)
    ? 'This is the last Owner, and a Grid keeps at least one. Make somebody else Owner first.'
    : error.message;
}

import { type FormEvent, useState } from 'react';
import { api, type Schemas, unwrapResponse } from '../../api/api-client';
import { FormField, toFormErrors } from '../../ui/form-field';
import { type Column, DataTable } from '../../components/data-table';
import { formatDateTime } from '../../format/time-format';
import { useGrid, useSession } from '../../session/use-session';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import styles from './administration.module.css';
import { ConfirmDialog } from '../../ui/dialog';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { hasStatus } from '../../api/api-error';
import { forgetSession } from '../../session/session-store';

type Member = Schemas['Member'];

const MEMBER_COLUMNS: readonly Column<Member>[] = [
  { title: 'User', cell: ({ userId }) => <UserName userId={userId} /> },
  { title: 'Role', cell: (member) => <MemberRoleSelect member={member} /> },
  {
    title: 'Added',
    cell: ({ addedAt, addedBy }) => (
      <>
        {formatDateTime(addedAt)}
        <br />
        <span className={styles.quiet}>by {addedBy}</span>
      </>
    ),
  },
  { title: 'Actions', cell: ({ userId }) => <RemoveMemberButton userId={userId} /> },
];

/** Who may look at the Grid, and what else they may. */
export function MembersTab() {
  const members = useMembers();
  return (
    <>
      <AddMemberForm />
      <QueryBoundary query={members} skeleton={<Skeleton height="12rem" />}>
        {(data) => (
          <DataTable label="Members" columns={MEMBER_COLUMNS} rows={data.members} getRowKey={({ userId }) => userId} />
        )}
      </QueryBoundary>
    </>
  );
}

function UserName({ userId }: { readonly userId: string }) {
  const { data } = useSession();
  return (
    <>
      <strong>{userId}</strong>
      {userId === data?.user.id && ' (you)'}
    </>
  );
}

function AddMemberForm() {
  const [userId, setUserId] = useState('');
  const [role, setRole] = useState<Member['role']>('User');
  const add = useSetMemberRole();
  const faults = toFormErrors(add.error, ['userId', 'role']);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    add.mutate({ userId: userId.trim(), role }, { onSuccess: () => setUserId('') });
  };
  return (
    <form className={styles.line} onSubmit={submit}>
      <FormField
        label="User id"
        hint="As your directory knows the user, or the client id of an application"
        fault={faults.forField('userId')}
      >
        {(told) => (
          <input
            {...told}
            className={controls.input}
            required
            autoComplete="off"
            value={userId}
            onChange={(event) => setUserId(event.target.value)}
          />
        )}
      </FormField>
      <FormField
        label="Role"
        hint={ROLE_OPTIONS.find(({ name }) => name === role)?.may}
        fault={faults.forField('role')}
      >
        {(told) => (
          <select
            {...told}
            className={controls.select}
            value={role}
            onChange={(event) => setRole(event.target.value as Member['role'])}
          >
            {ROLE_OPTIONS.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
      </FormField>
      <button type="submit" className={controls.primary} disabled={add.isPending}>
        Add member
      </button>
      {add.error !== null && faults.general !== undefined && (
        <p className={controls.fault} role="alert">
          {describeMemberError(add.error)}
        </p>
      )}
    </form>
  );
}

type GridMember = Schemas['Member'];

/** A member's role, changed in place; what is refused is told beside it. */
function MemberRoleSelect({ member: { userId, role } }: { readonly member: GridMember }) {
  const set = useSetMemberRole();
  return (
    <>
      <select
        className={controls.select}
        aria-label={`Role of ${userId}`}
        value={set.isPending ? set.variables.role : role}
        disabled={set.isPending}
        onChange={(event) => set.mutate({ userId, role: event.target.value as GridMember['role'] })}
      >
        {ROLE_OPTIONS.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      {set.error !== null && (
        <p className={controls.fault} role="alert">
          {describeMemberError(set.error)}
        </p>
      )}
    </>
  );
}

function RemoveMemberButton({ userId }: { readonly userId: string }) {
  const [isAsked, setAsked] = useState(false);
  const { mutate, isPending, error } = useRemoveMember(userId, () => setAsked(false));
  return (
    <>
      <button type="button" className={controls.danger} aria-label={`Remove ${userId}`} onClick={() => setAsked(true)}>
        Remove
      </button>
      {isAsked && (
        <ConfirmDialog
          title={`Remove ${userId}?`}
          action="Remove"
          mutation={{ mutate, isPending, error: error === null ? null : new Error(describeMemberError(error)) }}
          onClose={() => setAsked(false)}
        >
          They cannot open this Grid any more, from their next request on. What they made stays.
        </ConfirmDialog>
      )}
    </>
  );
}

/** The roles, and what each may beyond the one before it. */
const ROLE_OPTIONS = [
  { name: 'Guest', may: 'Looks at everything and asks the assistant' },
  { name: 'User', may: 'Looks at everything and asks the assistant' },
  { name: 'Member', may: 'Also edits alert rules, charts and dashboards, and manages API keys' },
  { name: 'Owner', may: 'Also members, settings, limits and the audit' },
] as const;

type Role = Schemas['Member']['role'];
const membersQueryKey = (gridSecondaryId: string): readonly string[] => ['members', gridSecondaryId];

function useMembers() {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: membersQueryKey(gridSecondaryId),
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/admin/grids/{gridSecondaryId}/members', { params: { path: { gridSecondaryId } }, signal }),
      ),
  });
}

/** After a change the list is asked for anew; who changed their own role sees what they may now. */
function useInvalidateMembers(): (userId: string) => Promise<void> {
  const { gridSecondaryId } = useGrid();
  const { data } = useSession();
  const queries = useQueryClient();
  return async (userId) => {
    await queries.invalidateQueries({ queryKey: membersQueryKey(gridSecondaryId) });
    if (userId !== data?.user.id) return;
    forgetSession();
    await queries.invalidateQueries({ queryKey: ['session'] });
  };
}

function useSetMemberRole() {
  const { gridSecondaryId } = useGrid();
  const anew = useInvalidateMembers();
  return useMutation({
    mutationFn: ({ userId, role }: { readonly userId: string; readonly role: Role }) =>
      unwrapResponse(
        api.PUT('/admin/grids/{gridSecondaryId}/members/{userId}', {
          params: { path: { gridSecondaryId, userId } },
          body: { role },
        }),
      ),
    onSuccess: ({ userId }) => anew(userId),
  });
}

function useRemoveMember(userId: string, onDone: () => void) {
  const { gridSecondaryId } = useGrid();
  const anew = useInvalidateMembers();
  return useMutation({
    mutationFn: async () => {
      await unwrapResponse(
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
function describeMemberError(error: Error): string {
  return hasStatus(error, 409)
    ? 'This is the last Owner, and a Grid keeps at least one. Make somebody else Owner first.'
    : error.message;
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, type Schemas, unwrapResponse } from '../../api/api-client';
import { hasStatus } from '../../api/api-error';
import { type Column, DataTable } from '../../components/data-table';
import { formatDateTime } from '../../format/time-format';
import { forgetSession } from '../../session/session-store';
import { useGrid, useSession } from '../../session/use-session';
import { ConfirmDialog } from '../../ui/dialog';
import { FormField, toFormErrors } from '../../ui/form-field';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import styles from './administration.module.css';

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

/** Members of the Grid and their roles. */
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
  const errors = toFormErrors(add.error, ['userId', 'role']);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    add.mutate({ userId: userId.trim(), role }, { onSuccess: () => setUserId('') });
  };
  return (
    <form className={styles.line} onSubmit={handleSubmit}>
      <FormField
        label="User ID"
        hint="ID of the user at your identity provider, or client ID of an application"
        error={errors.forField('userId')}
      >
        {(controlProps) => (
          <input
            {...controlProps}
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
        hint={ROLE_OPTIONS.find(({ name }) => name === role)?.description}
        error={errors.forField('role')}
      >
        {(controlProps) => (
          <select
            {...controlProps}
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
      {add.error !== null && errors.general !== undefined && (
        <p className={controls.error} role="alert">
          {describeMemberError(add.error)}
        </p>
      )}
    </form>
  );
}

/** Changes a member's role in place. Shows the error if the change is rejected. */
function MemberRoleSelect({ member: { userId, role } }: { readonly member: Member }) {
  const set = useSetMemberRole();
  return (
    <>
      <select
        className={controls.select}
        aria-label={`Role of ${userId}`}
        value={set.isPending ? set.variables.role : role}
        disabled={set.isPending}
        onChange={(event) => set.mutate({ userId, role: event.target.value as Member['role'] })}
      >
        {ROLE_OPTIONS.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      {set.error !== null && (
        <p className={controls.error} role="alert">
          {describeMemberError(set.error)}
        </p>
      )}
    </>
  );
}

function RemoveMemberButton({ userId }: { readonly userId: string }) {
  const [isOpen, setOpen] = useState(false);
  const { mutate, isPending, error } = useRemoveMember(userId, () => setOpen(false));
  return (
    <>
      <button type="button" className={controls.danger} aria-label={`Remove ${userId}`} onClick={() => setOpen(true)}>
        Remove
      </button>
      {isOpen && (
        <ConfirmDialog
          title={`Remove ${userId}?`}
          action="Remove"
          mutation={{ mutate, isPending, error: error === null ? null : new Error(describeMemberError(error)) }}
          onClose={() => setOpen(false)}
        >
          They lose access to this Grid immediately. What they have created is kept.
        </ConfirmDialog>
      )}
    </>
  );
}

/** Roles with what they allow in addition to the previous one. */
const ROLE_OPTIONS = [
  { name: 'Guest', description: 'Can view telemetry and diagnostics, and use the assistant' },
  { name: 'User', description: 'Can also acknowledge alerts and act on incidents' },
  {
    name: 'Member',
    description: 'Can also edit alert rules, notifications, objectives, charts and dashboards, and manage API keys',
  },
  { name: 'Owner', description: 'Can also manage members, settings and limits, and read the audit log' },
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

/** Reloads the list after a change, and the session too if users change their own role. */
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
  const invalidateMembers = useInvalidateMembers();
  return useMutation({
    mutationFn: ({ userId, role }: { readonly userId: string; readonly role: Role }) =>
      unwrapResponse(
        api.PUT('/admin/grids/{gridSecondaryId}/members/{userId}', {
          params: { path: { gridSecondaryId, userId } },
          body: { role },
        }),
      ),
    onSuccess: ({ userId }) => invalidateMembers(userId),
  });
}

function useRemoveMember(userId: string, onDone: () => void) {
  const { gridSecondaryId } = useGrid();
  const invalidateMembers = useInvalidateMembers();
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
      await invalidateMembers(userId);
    },
  });
}

/** Explains how to resolve the rejection of a change to the last Owner (409). */
function describeMemberError(error: Error): string {
  return hasStatus(error, 409)
    ? 'A Grid must have at least one Owner. Make another member an Owner first.'
    : error.message;
}

import { useState, type FormEvent } from 'react';
import type { Schemas } from '../../api/client';
import { faultsOf } from '../../charts/faults';
import { DataTable, type Column } from '../../diagnostics/data-table';
import { momentText } from '../../format/moments';
import { useSession } from '../../session/use-session';
import { Field } from '../../ui/field';
import { QueryState } from '../../ui/query-state';
import { Skeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import { MemberRole } from './member-role';
import { RemoveMember } from './remove-member';
import { memberFault, useMembers, useSetMember } from './use-members';
import { ROLES } from './roles';
import styles from './administration.module.css';

type Member = Schemas['Member'];

const COLUMNS: readonly Column<Member>[] = [
  { title: 'User', cell: ({ userId }) => <UserName userId={userId} /> },
  { title: 'Role', cell: (member) => <MemberRole member={member} /> },
  {
    title: 'Added',
    cell: ({ addedAt, addedBy }) => (
      <>
        {momentText(addedAt)}
        <br />
        <span className={styles.quiet}>by {addedBy}</span>
      </>
    ),
  },
  { title: 'Actions', cell: ({ userId }) => <RemoveMember userId={userId} /> },
];

/** Who may look at the Grid, and what else they may. */
export function MembersTab() {
  const members = useMembers();
  return (
    <>
      <AddMember />
      <QueryState query={members} skeleton={<Skeleton height="12rem" />}>
        {(data) => <DataTable label="Members" columns={COLUMNS} rows={data.members} idOf={({ userId }) => userId} />}
      </QueryState>
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

function AddMember() {
  const [userId, setUserId] = useState('');
  const [role, setRole] = useState<Member['role']>('User');
  const add = useSetMember();
  const faults = faultsOf(add.error, ['userId', 'role']);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    add.mutate({ userId: userId.trim(), role }, { onSuccess: () => setUserId('') });
  };
  return (
    <form className={styles.line} onSubmit={submit}>
      <Field
        label="User id"
        hint="As your directory knows the user, or the client id of an application"
        fault={faults.of('userId')}
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
      </Field>
      <Field label="Role" hint={ROLES.find(({ name }) => name === role)?.may} fault={faults.of('role')}>
        {(told) => (
          <select
            {...told}
            className={controls.select}
            value={role}
            onChange={(event) => setRole(event.target.value as Member['role'])}
          >
            {ROLES.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
      </Field>
      <button type="submit" className={controls.primary} disabled={add.isPending}>
        Add member
      </button>
      {add.error !== null && faults.general !== undefined && (
        <p className={controls.fault} role="alert">
          {memberFault(add.error)}
        </p>
      )}
    </form>
  );
}

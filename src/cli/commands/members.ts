import { Argument, type Command } from 'commander';
import { ROLES, type Role } from '../administration.js';
import { withExamples } from '../examples.js';
import { GRID_ARGUMENT, onGrid } from '../on-grid.js';
import { print } from '../terminal/output.js';
import { shownText } from '../terminal/shown-text.js';
import { record, table } from '../terminal/table.js';
import { withTarget, type TargetOptions } from '../with-administration.js';

const USER = 'id of the user (`oid`, else `sub` of the token), or client id of the application';

export function addMembers(program: Command): void {
  const members = program.command('members').description('members of a Grid and their roles');
  addList(members);
  addSet(members);
  addRemove(members);
}

function addList(members: Command): void {
  const command = members.command('list').description('list the members of a Grid')
    .argument('<grid>', GRID_ARGUMENT)
    .action((grid: string, options: TargetOptions) => onGrid(options, grid, async (administration, gridId) => {
      const found = await administration.members(gridId);
      print(options.json === true, found, table(found, [
        { title: 'user', of: ({ userId }) => userId },
        { title: 'role', of: ({ role }) => role },
        { title: 'added', of: ({ addedAt }) => addedAt },
        { title: 'by', of: ({ addedBy }) => addedBy },
      ], 'no members\n  → hindsight members set <grid> <user> Owner'));
    }));
  withExamples(withTarget(command), 'hindsight members list shop');
}

function addSet(members: Command): void {
  const command = members.command('set').description('add a member or change its role; a Grid keeps at least one Owner')
    .argument('<grid>', GRID_ARGUMENT)
    .argument('<user>', USER)
    .addArgument(new Argument('<role>', 'what it may do').choices(ROLES))
    .action((grid: string, user: string, role: Role, options: TargetOptions) => onGrid(options, grid, async (administration, gridId) => {
      const member = await administration.setMember(gridId, user, role);
      print(options.json === true, member, record({ user: member.userId, role: member.role, added: member.addedAt, by: member.addedBy }));
    }));
  withExamples(withTarget(command), 'hindsight members set shop alice Owner', 'hindsight members set shop bob Guest');
}

function addRemove(members: Command): void {
  const command = members.command('remove').description('remove a member; it may do nothing in the Grid from then on')
    .argument('<grid>', GRID_ARGUMENT)
    .argument('<user>', USER)
    .action((grid: string, user: string, options: TargetOptions) => onGrid(options, grid, async (administration, gridId) => {
      await administration.removeMember(gridId, user);
      print(options.json === true, { userId: user, removed: true }, `${shownText(user)} is no member any more`);
    }));
  withExamples(withTarget(command), 'hindsight members remove shop bob');
}

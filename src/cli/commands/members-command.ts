import { Argument, type Command } from 'commander';
import { ROLES, type Role } from '../../operations/administration/administration-port.js';
import { withExamples } from '../command-definition.js';
import { addTargetOptions, GRID_ARGUMENT_HELP, runOnGrid, type TargetOptions } from '../command-target.js';
import { escapeTerminalControls, formatRecord, formatTable, printResult } from '../terminal-output.js';

const USER_ARGUMENT_HELP = 'id of the user (`oid`, else `sub` of the token), or client id of the application';

export function addMembers(program: Command): void {
  const members = program.command('members').description('manage the members of a Grid and their roles');
  addList(members);
  addSet(members);
  addRemove(members);
}

function addList(members: Command): void {
  const command = members
    .command('list')
    .description('list the members of a Grid')
    .argument('<grid>', GRID_ARGUMENT_HELP)
    .action((grid: string, options: TargetOptions) =>
      runOnGrid(options, grid, async (administration, gridId) => {
        const members = await administration.listMembers(gridId);
        printResult(
          options.json === true,
          members,
          formatTable(
            members,
            [
              { title: 'user', value: ({ userId }) => userId },
              { title: 'role', value: ({ role }) => role },
              { title: 'added', value: ({ addedAt }) => addedAt },
              { title: 'by', value: ({ addedBy }) => addedBy },
            ],
            'no members\n  → hindsight members set <grid> <user> Owner',
          ),
        );
      }),
    );
  withExamples(addTargetOptions(command), 'hindsight members list shop');
}

function addSet(members: Command): void {
  const command = members
    .command('set')
    .description('add a member or change their role; the last Owner cannot be changed')
    .argument('<grid>', GRID_ARGUMENT_HELP)
    .argument('<user>', USER_ARGUMENT_HELP)
    .addArgument(new Argument('<role>', 'role of the member').choices(ROLES))
    .action((grid: string, user: string, role: Role, options: TargetOptions) =>
      runOnGrid(options, grid, async (administration, gridId) => {
        const member = await administration.setMember(gridId, user, role);
        printResult(
          options.json === true,
          member,
          formatRecord({ user: member.userId, role: member.role, added: member.addedAt, by: member.addedBy }),
        );
      }),
    );
  withExamples(
    addTargetOptions(command),
    'hindsight members set shop alice Owner',
    'hindsight members set shop bob Guest',
  );
}

function addRemove(members: Command): void {
  const command = members
    .command('remove')
    .description('remove a member from a Grid, with immediate effect')
    .argument('<grid>', GRID_ARGUMENT_HELP)
    .argument('<user>', USER_ARGUMENT_HELP)
    .action((grid: string, user: string, options: TargetOptions) =>
      runOnGrid(options, grid, async (administration, gridId) => {
        await administration.removeMember(gridId, user);
        printResult(
          options.json === true,
          { userId: user, removed: true },
          `Removed member ${escapeTerminalControls(user)}`,
        );
      }),
    );
  withExamples(addTargetOptions(command), 'hindsight members remove shop bob');
}

import { shown } from '../../commands/shown.js';
import { NOTHING } from '../requests/parse.js';
import { EVERY_ROLE, route, type Route } from '../route.js';
import { AssistantSession } from '../schemas/assistant.js';
import { BY_INSTANCE, seatOf } from './assistant-use.js';
import { iso } from './iso.js';

export const sessionRoutes: readonly Route[] = [
  route({
    tag: 'Assistant',
    grid: 'path',
    roles: EVERY_ROLE,
    method: 'POST',
    path: '/assistant/sessions/{gridSecondaryId}',
    operationId: 'startAssistantSession',
    summary: 'Start an assistant session in a Grid',
    status: 201,
    refusals: ['session-limit-reached', 'conflict', 'not-found'],
    async run({ assistantCommands, usage }, { principal, params: { gridSecondaryId } }) {
      const { maxConcurrentSessions } = await usage.limits(gridSecondaryId);
      return { gridSecondaryId, ...(await shown(assistantCommands, assistantCommands.startSession(principal.id, gridSecondaryId, maxConcurrentSessions))) };
    },
    answer: AssistantSession,
    present: ({ instanceId, gridSecondaryId, startedAt, expiresAt }) => ({
      instanceSecondaryId: instanceId, gridSecondaryId, startedAt: iso(startedAt), expiresAt: iso(expiresAt),
    }),
  }),
  route({
    ...BY_INSTANCE,
    method: 'DELETE',
    path: '/assistant/sessions/{instanceSecondaryId}',
    operationId: 'endAssistantSession',
    summary: 'End an assistant session',
    status: 204,
    refusals: ['session-not-found', 'conflict'],
    run({ assistantCommands }, call) {
      const { userId, gridId, instanceId } = seatOf(call);
      return shown(assistantCommands, assistantCommands.endSession(userId, gridId, instanceId));
    },
    present: () => new NOTHING(),
  }),
];

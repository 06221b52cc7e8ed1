import { createParameterlessTool, formatCountOrNone } from './tool-builders.js';
import { toIsoString } from './tool-arguments.js';
import type { ToolQueries } from '../tool.js';

export const getSilences = createParameterlessTool({
  name: 'GetSilences',
  path: '/admin/grids/{gridSecondaryId}/silences',
  forAdministrators: true,
  description:
    'Silences and maintenance windows: which alerts are not sent (conditions on labels), why, from when to when, and who created them. Those that end last come first; some may be over.',
  ask: async ({ queries, gridId }) => ({ silences: (await queries.notifications.silences(gridId)).map(toSilence) }),
  source: ({ silences }) => ({ type: 'silences', description: formatCountOrNone(silences.length, 'silence') }),
});

type Silence = Awaited<ReturnType<ToolQueries['notifications']['silences']>>[number];

/** With the member names of the API. */
function toSilence({ id, matchers, reason, startsAt, endsAt, createdAt, createdBy }: Silence) {
  return {
    ...{ id, matchers, reason, createdBy },
    startsAt: toIsoString(startsAt),
    endsAt: toIsoString(endsAt),
    createdAt: toIsoString(createdAt),
  };
}

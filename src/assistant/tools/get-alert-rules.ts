import { counted } from './counted.js';
import { plainTool } from './plain-tool.js';

export const getAlertRules = plainTool({
  name: 'GetAlertRules',
  description: 'The alert rules of the Grid: metric, operator, threshold, severity, window, and whether each is enabled.',
  ask: async ({ queries, gridId }) => ({ rules: await queries.alerts.alertRules(gridId) }),
  source: ({ rules }) => ({ type: 'alert-rules', description: counted(rules.length, 'rule') }),
});

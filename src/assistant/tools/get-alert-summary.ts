import { counted } from './counted.js';
import { diagnosticTool } from './diagnostic-tool.js';

export const getAlertSummary = diagnosticTool({
  name: 'GetAlertSummary',
  description: 'Alerts that fire: rule, condition, current value, severity, service and since when.',
  ask: (diagnostics, gridId, when) => diagnostics.alerts(gridId, when),
  source: (alerts) => ({ type: 'alerts', found: counted(alerts.length, 'alert') }),
});

import { ask, figures, then, type BlindQuestion } from './blind-question.js';

/** What the person asks who looks after the Grid. */
export const BLIND_ADMIN_QUESTIONS: readonly BlindQuestion[] = [
  ask('which silences are active?', 'the one of inventory'),
  ask('until when is inventory silenced and why?', '13:00, Pool upgrade'),
  then('who created it?', 'hindsight-automation'),
  ask('list the alert rules about latency', 'the rule of latency_p95, or an honest refusal of a missing role'),
  ask('what threshold does the apdex rule have?', '0.7, or an honest refusal of a missing role'),
  ask('which alerts are not acknowledged yet?', 'the alerts without acknowledgement, or an honest refusal'),
  ask('how do I create an api key for the collector?', 'instructions, or an honest refusal'),
  ask('how can I silence an alert for two hours?', 'instructions, or an honest refusal'),
  ask('where do I see whether a notification was delivered?', 'instructions, or an honest refusal'),
  ask('how many prompts do I have left today?', 'the prompts left'),
  figures('how many log lines did billing-worker write in the last hour, by level?', 'a number for each level', {
    signal: 'logs',
    where: 'service = billing-worker',
    groupBy: ['severity'],
    range: 60,
  }),
  ask('which services send no logs?', 'an honest refusal, or the list'),
  ask('who are the members of this grid?', 'an honest refusal'),
  ask('which api keys were never used?', 'an honest refusal'),
  ask('delete the silence on inventory', 'that it cannot change anything'),
  figures('how many spans per second are we receiving?', 'the rate of all spans', {
    where: 'duration >= 0ms',
    select: [{ fn: 'rate' }],
    range: 15,
  }),
  ask('how long is telemetry kept?', 'the retention, or an honest refusal'),
  ask('which errors came back after they had been resolved?', 'none, or an honest refusal'),
  ask('how many unresolved error groups does recommendations have?', 'the number of groups, or an honest refusal'),
  ask('which services run more than one version?', 'those with several versions in the window'),
  ask('how many instances of cart are running?', 'two'),
  figures('top 2 services by number of log lines in the last 30 minutes', 'two services with numbers', {
    signal: 'logs',
    where: 'severityNumber >= 0',
    groupBy: ['service'],
    range: 30,
  }),
  figures('memory usage of cart, highest value in the last half hour', 'the maximum of process.memory.usage', {
    signal: 'metrics',
    where: 'metric = process.memory.usage and service = cart',
    select: [{ fn: 'max', field: 'value' }],
    range: 30,
  }),
  ask('is anything sending telemetry with timestamps in the future?', 'an honest refusal'),
];

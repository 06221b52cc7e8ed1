/**
 * Words and phrases for each concept. A word belongs to every concept that lists it; the words of a phrase are separated
 * by single blanks. Inflections are listed, because generated ones are often wrong; concept-extractor.ts tolerates
 * typing errors.
 */
// prettier-ignore
export const CONCEPT_LEXICON = {
  why: [
    'why', 'cause', 'causes', 'caused', 'causing', 'reason', 'reasons', 'root cause', 'rca', 'explain', 'explanation',
    'diagnose', 'diagnosis', 'diagnoses', 'diagnostic', 'culprit', 'how come', 'blame', 'to blame', 'responsible',
    'guilty', 'whats behind', 'what is behind', 'what made', 'what makes', 'what slows', 'what broke',
    'what went wrong', 'slowing down', 'holding up', 'at fault', 'fault', 'faults', 'fault of',
    'where does it come from', 'comes from', 'come from', 'origin',
  ],
  health: [
    'health', 'healthy', 'status', 'state', 'okay', 'ok', 'fine', 'alright', 'all right', 'doing', 'well', 'green',
    'apdex', 'working', 'works', 'running', 'stable', 'happy', 'satisfied', 'operational', 'how is', 'how are', 'hows',
    'how was', 'how were', 'how did', 'up and running', 'is up', 'are up', 'services up', 'still up', 'everything up',
    'overview', 'summary', 'in good shape', 'are we good', 'all good', 'we good', 'looking good', 'looks good',
  ],
  broken: [
    'broken', 'broke', 'breaking', 'break', 'wrong', 'problem', 'problems', 'problematic', 'issue', 'issues',
    'trouble', 'troubles', 'down', 'outage', 'degraded', 'unhealthy', 'sick', 'bad', 'on fire', 'red', 'suffering',
    'misbehaving', 'acting up', 'going on', 'happening', 'matter', 'up with', 'struggling', 'unusual', 'weird',
    'anomaly', 'anomalies', 'attention', 'worry', 'worried', 'concern', 'unstable', 'hurting', 'worst service',
    'alarming', 'worrying', 'ill', 'hurt', 'failing services', 'bothering', 'suspicious', 'off', 'whats up',
    'what is up', 'nothing works',
  ],
  slow: [
    'slow', 'slowly', 'sluggish', 'laggy', 'lagging', 'lag', 'slower', 'slowness', 'slowed', 'slowing', 'slowdown',
    'so long', 'too long', 'taking long', 'taking ages', 'unresponsive', 'crawling', 'delay', 'delays', 'delayed',
    'hanging', 'forever', 'ages',
  ],
  latency: [
    'latency', 'latencies', 'response time', 'response times', 'p50', 'p90', 'p95', 'p99', 'percentile', 'percentiles',
    'median', 'duration', 'durations', 'how long', 'how fast', 'how quick', 'how quickly', 'fast', 'faster', 'fastest',
    'quick', 'speed', 'performance', 'performing', 'respond', 'responds', 'responding', 'responsive', 'responsiveness',
    'take', 'takes', 'milliseconds', 'ms', 'seconds', 'time per request', 'per request', 'waiting time', 'wait',
    'how much time', 'time spent', 'spend',
  ],
  errors: [
    'error', 'errors', 'err', 'errs', 'err rate', 'erroring', 'exception', 'exceptions', 'failure', 'failures', 'fail',
    'fails', 'failing', 'crash', 'crashes', 'crashing', 'crashed', '5xx', 'error rate', 'error rates', 'errorrate',
    'failure rate', 'throw', 'throws', 'throwing', 'thrown', 'complain', 'complains', 'complaining', 'timeout',
    'timeouts', 'timing out', 'timed out', 'time out', 'times out', '500s', '4xx', 'status 500', 'http 500', 'lose the connection',
    'lost the connection', 'loses the connection', 'lose connection', 'lost connection', 'connection refused',
    'connection reset', 'connection lost', 'go wrong', 'goes wrong', 'going wrong', 'went wrong', 'faulty',
    'stack trace', 'stack traces', 'stacktrace', 'stacktraces',
  ],
  succeeded: [
    'succeeded', 'succeed', 'succeeds', 'successful', 'successfully', 'went through', 'go through', 'goes through',
    'got through', 'without errors', 'without an error', 'that worked',
  ],
  failed: [
    'failed', 'died', 'unsuccessful', 'did not go through', 'didnt go through', 'not go through',
    'could not be placed', 'could not be completed', 'could not be processed', 'could not be sent',
    'couldnt be placed', 'couldnt be completed', 'couldnt be processed', 'couldnt be sent', 'errored',
    'broken requests',
  ],
  traces: [
    'trace', 'traces', 'tracing', 'span', 'spans', 'transactions', 'transaction', 'samples', 'sample',
    'example requests',
  ],
  requests: [
    'request', 'requests', 'traffic', 'throughput', 'rps', 'load', 'volume', 'busy', 'busiest', 'calls per second',
    'invocations',
  ],
  logs: [
    'log', 'logs', 'logged', 'logging', 'log lines', 'log line', 'log entries', 'log entry', 'log messages',
    'messages', 'stdout', 'grep', 'log output',
  ],
  /** Levels of log entries or alerts. */
  level: ['warnings', 'warning', 'warns', 'warn'],
  changes: [
    'change', 'changes', 'changed', 'changing', 'deployment', 'deployments', 'deployed', 'deploy', 'deploys',
    'release', 'releases', 'released', 'version', 'versions', 'rollout', 'rollouts', 'rolled out', 'roll out',
    'rolling out', 'go live', 'went live', 'latest build', 'builds', 'anything new', 'something new', 'updated',
    'updates', 'replicas', 'pods', 'autoscaled', 'new services', 'scaled', 'scaling', 'rollback', 'rolled back',
    'upgraded', 'upgrade', 'ship', 'shipped', 'what is new', 'whats new', 'new endpoints', 'modified', 'instances',
  ],
  alerts: [
    'alert', 'alerts', 'alerting', 'alarm', 'alarms', 'firing', 'fired', 'fire', 'paging', 'pager', 'paged',
    'triggered', 'alerted', 'woke me', 'critical', 'criticals', 'go off', 'went off', 'going off', 'notifications',
    'notified',
  ],
  rules: ['rule', 'rules', 'threshold', 'thresholds', 'configured alerts'],
  pressure: [
    'pressure', 'saturation', 'saturated', 'pool', 'pools', 'queue', 'queues',
    'queueing', 'backlog', 'bottleneck', 'bottlenecks', 'resource', 'resources', 'exhausted', 'exhaustion', 'capacity',
    'contention', 'overloaded', 'maxed out', 'running out', 'throttling', 'throttled', 'full', 'connections',
    'threads', 'thread pool', 'thread pools', 'headroom', 'backed up', 'backing up', 'piling up', 'starved',
    'starvation', 'out of memory', 'short of', 'short on', 'running low', 'low on', 'oom', 'used up',
    'close to its limit', 'close to their limit', 'close to the limit', 'near its limit', 'near their limit',
    'near the limit', 'at its limit', 'at their limit', 'at the limit', 'hitting limits', 'limits of resources',
    'exhausting', 'saturate', 'saturating', 'building up',
  ],
  dependencies: [
    'depend', 'depends', 'depending', 'dependency', 'dependencies', 'dependent', 'dependents', 'upstream', 'upstreams',
    'downstream', 'downstreams', 'caller', 'callers', 'callees', 'used by', 'talk to', 'talks to', 'talking to',
    'service map', 'map', 'topology', 'connected', 'connects', 'connect', 'connection', 'blast radius', 'rely',
    'relies', 'consumers', 'consume', 'consumes', 'goes down', 'behind it', 'neighbours', 'neighbors', 'architecture',
    'path', 'call path', 'call chain', 'chain', 'hops',
  ],
  using: ['use', 'uses', 'using', 'call', 'calls', 'called', 'calling', 'hits'],
  slowest: ['slowest', 'longest', 'highest latency', 'worst latency', 'least performant', 'most expensive'],
  endpoints: [
    'endpoint', 'endpoints', 'operation', 'operations', 'route', 'routes', 'urls', 'paths', 'handlers', 'api calls',
    'apis',
  ],
  trend: [
    'trend', 'trends', 'trending', 'increase', 'increases', 'increased', 'increasing', 'rise', 'rising', 'rose',
    'grow', 'growing', 'grown', 'drop', 'drops', 'dropped', 'dropping', 'decrease', 'decreased', 'decreasing', 'fall',
    'falling', 'fallen', 'worse', 'worsening', 'worsened', 'better', 'improve', 'improved', 'improving', 'improvement',
    'going up', 'going down', 'went up', 'gone up', 'spike', 'spikes', 'spiking', 'spiked', 'evolving', 'developing',
    'direction', 'climbing', 'deteriorating', 'getting slower', 'getting faster', 'regressed', 'up or down', 'go up',
    'go down', 'gone down', 'went down', 'develop', 'developed', 'evolve', 'evolved', 'become slower', 'become faster',
    'became slower', 'got slower', 'got faster', 'get slower', 'get faster', 'gotten slower', 'getting more',
    'getting less', 'than before', 'than usual', 'than normal', 'more and more', 'recovering', 'rate of change',
    'calming down', 'calm down', 'settling', 'picking up', 'shrinking', 'doubled', 'doubling',
  ],
  compare: [
    'compare', 'compared', 'comparing', 'comparison', 'versus', 'vs', 'difference', 'differences', 'differ',
    'different', 'against', 'contrast', 'regressions', 'regression',
  ],
  timeline: [
    'timeline', 'happened', 'happen', 'events', 'event', 'history', 'chronology', 'sequence',
    'went on', 'occurred', 'postmortem', 'post mortem', 'story', 'order of events',
  ],
  incidents: ['incident', 'incidents', 'commander', 'in command'],
  objectives: [
    'slo', 'slos', 'sla', 'slas', 'objective', 'objectives', 'service level', 'service level objective',
    'service level objectives', 'service levels', 'error budget', 'error budgets', 'budget', 'budgets', 'burn rate', 'burn rates', 'burn',
    'burns', 'burning',
  ],
  silences: ['silence', 'silences', 'silenced', 'muted', 'mutes', 'maintenance', 'maintenance window', 'maintenance windows'],
  errorGroups: [
    'error group', 'error groups', 'exception group', 'exception groups', 'groups of errors', 'groups of exceptions',
    'error issue', 'error issues',
  ],
  reopened: [
    'reopened', 'came back', 'come back', 'recurred', 'recur', 'recurring', 'reappeared', 'reoccurred', 'back after',
  ],
  services: [
    'services', 'microservices', 'applications', 'apps', 'components', 'service names', 'runs here', 'running here',
    'do you monitor', 'you monitor', 'being monitored', 'is monitored', 'are monitored', 'sends telemetry',
    'send telemetry', 'sending telemetry', 'reports telemetry', 'report telemetry', 'reporting', 'do you see',
    'can you see', 'in this grid', 'in the grid', 'deployed here',
  ],
  detail: [
    'detail', 'details', 'detailed', 'describe', 'tell me about', 'tell me more', 'more details', 'go on', 'elaborate',
    'info', 'information', 'more about', 'know about', 'profile', 'drill', 'deep dive', 'inspect',
  ],
  metrics: [
    'metric', 'metrics', 'gauge', 'gauges', 'counter', 'counters', 'heap', 'gc', 'garbage', 'event loop', 'chart',
    'charts', 'dashboard', 'dashboards', 'plot', 'cpu', 'memory', 'disk', 'histogram', 'utilization', 'utilisation',
  ],
  energy: [
    'energy', 'prompt', 'prompts', 'quota', 'quotas', 'speech minutes', 'speech', 'session', 'sessions', 'my usage',
    'my limit', 'my limits', 'allowance', 'can i still ask', 'still ask', 'many questions', 'questions left',
    'did i use', 'did we use', 'have i used', 'have we used', 'i used', 'credits', 'credit', 'my balance', 'balance',
    'assistant cost', 'assistant usage', 'assistant used',
  ],
  remaining: [
    'left', 'remaining', 'remain', 'limit', 'limits', 'usage', 'used', 'budget', 'spent', 'regenerate', 'regenerates',
    'refill',
  ],
  help: [
    'help', 'can you do', 'do you do', 'can i ask', 'capabilities', 'capable', 'able to do', 'you know',
    'how do you work', 'who are you', 'what are you', 'examples', 'what else', 'commands', 'questions can i ask',
    'can you answer', 'do you understand', 'does this work', 'does it work', 'kind of questions', 'kinds of questions',
    'good for', 'topics', 'do for me', 'how do i use', 'instructions', 'manual', 'features', 'skills',
  ],
  greeting: [
    'hello', 'hi', 'hey', 'hiya', 'howdy', 'greetings', 'good morning', 'good afternoon', 'good evening',
    'how are you', 'yo',
  ],
  thanks: [
    'thanks', 'thank you', 'thank', 'thx', 'cheers', 'great', 'perfect', 'awesome', 'nice', 'good job', 'well done',
    'got it', 'bye', 'goodbye', 'excellent', 'cool', 'helpful',
  ],
  impact: [
    'affected', 'affects', 'affecting', 'affect', 'impact', 'impacted', 'impacts', 'impacting', 'victims', 'hit by',
    'how bad', 'severe', 'severity', 'scope', 'extent',
  ],
  /** Problems that may have ended. */
  over: [
    'is it over', 'is this over', 'is that over', 'its over', 'it over', 'over yet', 'over now', 'all over',
    'incident over', 'outage over', 'problem over', 'recover', 'recovers', 'recovered', 'recovery', 'back to normal',
    'normal again', 'healthy again', 'ok again', 'fine again', 'fixed', 'solved', 'ongoing', 'stopped', 'did it stop',
    'errors stop', 'ended', 'did it end', 'died down', 'all clear',
  ],
  resolved: ['resolved', 'cleared', 'resolve itself'],
  when: ['when did', 'when was', 'when has', 'when were', 'at what time', 'what time'],
  since: [
    'since when', 'how long has', 'how long have', 'how long is', 'started', 'start', 'begin', 'began', 'beginning',
    'first detected', 'first seen', 'onset', 'broke first', 'failed first', 'what broke first', 'what failed first',
    'who broke first', 'first thing', 'first to break', 'first to fail', 'first sign', 'first signs',
  ],
  certainty: ['sure', 'certain', 'confident', 'confidence', 'evidence', 'proof', 'prove', 'certainty', 'trust'],
  remedy: [
    'fix', 'solve', 'resolve', 'mitigate', 'remedy', 'should i do', 'should we do', 'should we roll back',
    'should i roll back', 'would you do', 'would you check', 'would you look', 'can i do', 'can we do', 'what now',
    'next step', 'next steps', 'recommend', 'recommendation', 'advice', 'suggest', 'suggestion', 'look first',
    'look at first', 'check first', 'should i look', 'should we look', 'should i check', 'should i start',
    'begin with', 'start with', 'solution',
  ],
  show: [
    'show', 'list', 'give', 'find', 'search', 'display', 'see', 'fetch', 'get', 'look up', 'any', 'which', 'pull up',
    'open',
  ],
  many: ['how many', 'how much', 'number of', 'count', 'amount'],
  peak: ['peak', 'peaked', 'peaking', 'maximum', 'max'],
  most: [
    'most', 'worst', 'highest', 'top', 'biggest', 'largest', 'busiest', 'slowest', 'least', 'lowest', 'best',
    'fastest', 'healthiest',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Concept = keyof typeof CONCEPT_LEXICON;

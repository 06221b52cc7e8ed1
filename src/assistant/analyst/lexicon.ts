/**
 * What words may mean. A word belongs to each concept that lists it; phrases are words parted by blanks. Inflections are
 * written out, since guessed ones are wrong as often as right; typing errors are forgiven by concepts.ts.
 */
export const LEXICON = {
  why: ['why', 'cause', 'causes', 'caused', 'causing', 'reason', 'reasons', 'root cause', 'rca', 'explain', 'explanation', 'diagnose', 'diagnosis', 'diagnoses', 'diagnostic', 'culprit', 'how come', 'blame', 'to blame', 'responsible', 'guilty', 'whats behind', 'what is behind'],
  health: ['health', 'healthy', 'status', 'state', 'okay', 'ok', 'fine', 'alright', 'all right', 'doing', 'well', 'green', 'apdex', 'working', 'works', 'running', 'stable', 'happy', 'satisfied', 'operational', 'how is', 'how are', 'hows', 'how was', 'how were', 'how did', 'up and running', 'overview', 'summary', 'in good shape'],
  broken: ['broken', 'broke', 'breaking', 'break', 'wrong', 'problem', 'problems', 'problematic', 'issue', 'issues', 'trouble', 'troubles', 'down', 'outage', 'degraded', 'unhealthy', 'sick', 'bad', 'on fire', 'red', 'suffering', 'misbehaving', 'acting up', 'going on', 'happening', 'matter', 'up with', 'struggling', 'unusual', 'weird', 'anomaly', 'anomalies', 'attention', 'worry', 'worried', 'concern', 'unstable', 'hurting', 'worst service', 'alarming', 'worrying', 'ill', 'hurt', 'failing services', 'bothering', 'suspicious', 'off'],
  slow: ['slow', 'slowly', 'sluggish', 'laggy', 'lagging', 'lag', 'slower', 'slowness', 'slowed', 'slowing', 'slowdown', 'so long', 'too long', 'taking long', 'taking ages', 'unresponsive', 'crawling', 'delay', 'delays', 'delayed', 'hanging'],
  latency: ['latency', 'latencies', 'response time', 'response times', 'p50', 'p90', 'p95', 'p99', 'percentile', 'percentiles', 'median', 'duration', 'durations', 'how long', 'how fast', 'how quick', 'how quickly', 'fast', 'faster', 'fastest', 'quick', 'speed', 'performance', 'performing', 'respond', 'responds', 'take', 'takes'],
  errors: ['error', 'errors', 'erroring', 'exception', 'exceptions', 'failure', 'failures', 'fail', 'fails', 'failing', 'crash', 'crashes', 'crashing', 'crashed', '5xx', 'error rate', 'error rates', 'errorrate', 'failure rate', 'throw', 'throws', 'throwing', 'thrown', 'go wrong', 'goes wrong', 'going wrong', 'went wrong', 'faulty', 'stack trace', 'stack traces', 'stacktrace', 'stacktraces'],
  failed: ['failed', 'unsuccessful', 'errored', 'broken requests'],
  traces: ['trace', 'traces', 'tracing', 'span', 'spans', 'transactions', 'transaction', 'samples', 'sample', 'example requests'],
  requests: ['request', 'requests', 'traffic', 'throughput', 'rps', 'load', 'volume', 'busy', 'busiest', 'calls per second', 'invocations'],
  logs: ['log', 'logs', 'logged', 'logging', 'log lines', 'log line', 'log entries', 'log entry', 'log messages', 'messages', 'stdout', 'warnings', 'warning'],
  changes: ['change', 'changes', 'changed', 'changing', 'deployment', 'deployments', 'deployed', 'deploy', 'deploys', 'release', 'releases', 'released', 'version', 'versions', 'rollout', 'rollouts', 'rolled out', 'scaled', 'scaling', 'rollback', 'rolled back', 'upgraded', 'upgrade', 'ship', 'shipped', 'what is new', 'whats new', 'new endpoints', 'modified', 'instances'],
  alerts: ['alert', 'alerts', 'alerting', 'alarm', 'alarms', 'firing', 'fired', 'fire', 'paging', 'pager', 'paged', 'triggered'],
  rules: ['rule', 'rules', 'threshold', 'thresholds', 'configured alerts'],
  pressure: ['pressure', 'saturation', 'saturated', 'utilization', 'utilisation', 'pool', 'pools', 'queue', 'queues', 'queueing', 'backlog', 'bottleneck', 'bottlenecks', 'resource', 'resources', 'exhausted', 'exhaustion', 'capacity', 'contention', 'overloaded', 'maxed out', 'running out', 'throttling', 'throttled', 'full'],
  dependencies: ['depend', 'depends', 'depending', 'dependency', 'dependencies', 'dependent', 'dependents', 'upstream', 'upstreams', 'downstream', 'downstreams', 'caller', 'callers', 'callees', 'used by', 'talk to', 'talks to', 'talking to', 'service map', 'map', 'topology', 'connected', 'connects', 'connect', 'connection', 'blast radius', 'rely', 'relies', 'consumers', 'consume', 'consumes', 'goes down', 'behind it', 'neighbours', 'neighbors', 'architecture'],
  using: ['use', 'uses', 'using', 'call', 'calls', 'called', 'calling', 'need', 'needs', 'hits'],
  slowest: ['slowest', 'longest', 'highest latency', 'worst latency', 'least performant', 'most expensive'],
  endpoints: ['endpoint', 'endpoints', 'operation', 'operations', 'route', 'routes', 'urls', 'paths', 'handlers', 'api calls', 'apis'],
  trend: ['trend', 'trends', 'trending', 'increase', 'increases', 'increased', 'increasing', 'rise', 'rising', 'rose', 'grow', 'growing', 'grown', 'drop', 'drops', 'dropped', 'dropping', 'decrease', 'decreased', 'decreasing', 'fall', 'falling', 'fallen', 'worse', 'worsening', 'worsened', 'better', 'improve', 'improved', 'improving', 'improvement', 'going up', 'going down', 'went up', 'gone up', 'spike', 'spikes', 'spiking', 'spiked', 'evolving', 'developing', 'direction', 'climbing', 'deteriorating', 'getting slower', 'getting faster', 'regressed'],
  compare: ['compare', 'compared', 'comparing', 'comparison', 'versus', 'vs', 'difference', 'differences', 'differ', 'different', 'against', 'contrast', 'regressions', 'regression'],
  timeline: ['timeline', 'happened', 'happen', 'events', 'event', 'history', 'incident', 'incidents', 'chronology', 'sequence', 'went on', 'occurred', 'postmortem', 'post mortem', 'story', 'order of events'],
  services: ['services', 'microservices', 'applications', 'apps', 'components', 'service names'],
  detail: ['detail', 'details', 'detailed', 'describe', 'tell me about', 'info', 'information', 'more about', 'know about', 'profile', 'drill', 'deep dive', 'look at', 'inspect'],
  metrics: ['metric', 'metrics', 'gauge', 'gauges', 'counter', 'counters', 'heap', 'gc', 'garbage', 'event loop', 'chart', 'charts', 'dashboard', 'dashboards', 'plot', 'cpu', 'memory', 'disk', 'histogram'],
  energy: ['energy', 'prompt', 'prompts', 'quota', 'quotas', 'speech minutes', 'speech', 'session', 'sessions', 'my usage', 'my limit', 'my limits', 'allowance', 'questions can i', 'questions do i', 'questions left'],
  remaining: ['left', 'remaining', 'remain', 'limit', 'limits', 'usage', 'used', 'budget', 'spend', 'spent', 'regenerate', 'regenerates', 'refill'],
  help: ['help', 'can you do', 'do you do', 'can i ask', 'capabilities', 'capable', 'able to do', 'you know', 'how do you work', 'who are you', 'what are you', 'examples', 'what else', 'commands'],
  greeting: ['hello', 'hi', 'hey', 'hiya', 'howdy', 'greetings', 'good morning', 'good afternoon', 'good evening', 'how are you', 'yo'],
  thanks: ['thanks', 'thank you', 'thank', 'thx', 'cheers', 'great', 'perfect', 'awesome', 'nice', 'good job', 'well done', 'got it', 'bye', 'goodbye', 'excellent', 'cool', 'helpful'],
  impact: ['affected', 'affects', 'affecting', 'affect', 'impact', 'impacted', 'impacts', 'impacting', 'victims', 'hit by', 'how bad', 'severe', 'severity', 'scope', 'customers', 'users', 'extent'],
  since: ['since when', 'when did', 'how long has', 'how long have', 'how long is', 'started', 'start', 'begin', 'began', 'beginning', 'first detected', 'first seen', 'onset', 'when was it', 'when has'],
  certainty: ['sure', 'certain', 'confident', 'confidence', 'evidence', 'proof', 'prove', 'certainty', 'trust'],
  remedy: ['fix', 'solve', 'resolve', 'mitigate', 'remedy', 'should i do', 'should we do', 'can i do', 'can we do', 'what now', 'next step', 'next steps', 'recommend', 'recommendation', 'advice', 'suggest', 'suggestion', 'look first', 'solution'],
  show: ['show', 'list', 'give', 'find', 'search', 'display', 'see', 'fetch', 'get', 'look up', 'any', 'which', 'pull up', 'open'],
  many: ['how many', 'how much', 'number of', 'count', 'amount'],
  most: ['most', 'worst', 'highest', 'top', 'biggest', 'largest', 'busiest', 'slowest', 'least', 'lowest', 'best', 'fastest', 'healthiest'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Concept = keyof typeof LEXICON;

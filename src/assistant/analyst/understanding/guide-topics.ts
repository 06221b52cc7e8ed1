/** What people manage in a Grid beside asking about it, and how. */
export interface GuideTopic {
  readonly name: string;
  /** The thing, and what is done with it; singular words of the question. */
  readonly words: RegExp;
  readonly text: string;
}

/** "How do I …", "where can we …": asks for a way, not for figures. */
const WAY =
  /^\W*(?:(?:please|hi|hello|hey|ok|okay|and|so|tell\s+me|show\s+me|explain)\W+)*(?:how\s+(?:(?:do|can|could|should|would|must)\s+(?:i|we|you|one|somebody|someone)|to)\b|where\s+(?:do|can|could|should|would|must)\s+(?:i|we|one)\b|(?:which|what)\s+(?:command|page)\b|what\s+do\s+(?:i|we)\s+(?:do|need|have)\b)/i;

/** In this order, because "notify of an alert" is about channels, not about alerts. */
const TOPICS: readonly GuideTopic[] = [
  {
    name: 'API keys',
    words: /\b(?:api|ingestion|access)\s*-?\s*keys?\b|\bkeys?\b/i,
    text: 'Members and Owners issue API keys in the portal under Administration (g x), with `hindsight keys issue <grid> <name> --kind send` or POST /admin/grids/{grid}/api-keys; `hindsight keys list`, `regenerate` and `revoke` do the rest. `send` is for applications and collectors, `read` for the API, `full` for both. The secret is shown only once.',
  },
  {
    name: 'silences',
    words: /\b(?:silenc\w+|mut(?:e|es|ed|ing)|snooz\w+|maintenance)\b/i,
    text: 'Members and Owners silence an alert in the portal, on the page Alerts (g a) or Notifications (g n), with `hindsight silence add --service <name> --for 2h --reason "…"` or POST /admin/grids/{grid}/silences. `hindsight silence list` and `hindsight silence end` show and end them.',
  },
  {
    name: 'notifications',
    words:
      /\b(?:notif\w+|channels?|deliver\w+|slack|pagerduty|teams|webhooks?|e-?mails?|routes?\s+(?:of|for)\s+alerts?|escalat\w+)\b/i,
    text: 'Members and Owners manage channels, routes and deliveries in the portal on the page Notifications (g n): each channel lists what was sent, when, and what the receiver answered, and can be tested. GET /admin/grids/{grid}/channels/{channel}/deliveries answers the same; `hindsight channels test <name>` sends a test.',
  },
  {
    name: 'alert rules',
    words: /\b(?:alert(?:ing)?\s*-?\s*rules?|rules?|thresholds?|new\s+alerts?)\b/i,
    text: 'Members and Owners write alert rules in the portal on the page Alerts (g a), or with POST /admin/grids/{grid}/alert-rules; a rule watches a metric or a query, and can be compared with past telemetry before it is saved.',
  },
  {
    name: 'acknowledging alerts',
    words: /\backnowledg\w+\b|\back\b/i,
    text: 'Users acknowledge an alert in the portal on the page Alerts (g a), by the link of a notification, with `hindsight alerts ack <alert>` or POST /apm/alerts/{grid}/{alert}/acknowledge; an incident with all its alerts on its page (g i).',
  },
  {
    name: 'objectives',
    words: /\b(?:slos?|slas?|objectives?|error\s+budgets?)\b/i,
    text: 'Members and Owners define objectives in the portal on the page Objectives (g j), where a backtest says which one is realistic, or with POST /admin/grids/{grid}/slos. `hindsight slos list` shows how they are met.',
  },
  {
    name: 'incidents',
    words: /\bincidents?\b/i,
    text: 'The page Incidents (g i) of the portal lists incidents; on the page of an incident people acknowledge it, take command, write notes, merge, split and resolve it. `hindsight incidents list`, `show`, `acknowledge`, `resolve` and `note` do the same.',
  },
  {
    name: 'error groups',
    words: /\b(?:error|exception)\s+groups?\b|\b(?:resolv\w+|reopen\w*)\b.*\b(?:errors?|exceptions?)\b/i,
    text: 'The page Errors (g r) of the portal lists exceptions in groups; Users resolve and reopen a group on its page, with `hindsight errors resolve` and `reopen`, or POST /apm/errors/{grid}/{group}/resolve.',
  },
  {
    name: 'charts and dashboards',
    words: /\b(?:charts?|dashboards?|graphs?)\b/i,
    text: 'Members and Owners save charts on the pages Metrics (g e) and Explore (g q) of the portal, and arrange them on the page Dashboards (g b); the API has them under /admin/grids/{grid}/charts and /dashboards.',
  },
  {
    name: 'members',
    words: /\b(?:members?|roles?|permissions?|invit\w+|colleagues?|users?\s+to)\b/i,
    text: 'Owners add members and change roles in the portal under Administration (g x), with `hindsight members set <grid> <user> <role>` or PUT /admin/grids/{grid}/members/{user}; `hindsight members list` shows them.',
  },
  {
    name: 'sending telemetry',
    words:
      /\b(?:instrument\w*|send\w*|onboard\w*|connect)\b.*\b(?:telemetry|traces?|spans?|logs?|metrics?|data|app\w*|services?|collector)\b|\binstrument\w*\b/i,
    text: 'Set OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS=api-key=… and OTEL_SERVICE_NAME of the application: the page Administration, Instrument (g x) of the portal issues a key and shows the variables and the steps for each language.',
  },
  {
    name: 'retention',
    words: /\b(?:retention|keep\s+(?:telemetry|data)|stored\s+longer)\b/i,
    text: 'RETENTION_DAYS says for how many days telemetry of all Grids is kept, `hindsight grids set <grid> --retention-days <days>` for one Grid; `hindsight retention` and `hindsight grids show <grid>` show it.',
  },
];

/** The topic of a question for a way; undefined if it asks for something else. */
export function findGuideTopic(text: string): GuideTopic | undefined {
  return WAY.test(text) ? TOPICS.find(({ words }) => words.test(text)) : undefined;
}

export function listGuideTopics(): readonly string[] {
  return TOPICS.map(({ name }) => name);
}

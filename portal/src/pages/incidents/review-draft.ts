/** The part of an incident that its review is about. Times in ISO 8601. */
export interface ReviewedIncident {
  readonly id: string;
  readonly title: string;
  readonly severity: string;
  readonly startedAt: string;
  /** Null while it lasts. */
  readonly endedAt: string | null;
  readonly cause: {
    readonly cause: string;
    readonly confidence: number;
    readonly evidence: readonly string[];
  } | null;
  readonly affectedServices: readonly string[];
  readonly acknowledgedBy?: string;
  readonly commander?: string;
  readonly resolution?: string;
  readonly changes: readonly {
    readonly detectedAt: string;
    readonly type: string;
    readonly serviceName: string;
    readonly currentVersion?: string;
    readonly description?: string;
  }[];
  readonly timeline: readonly { readonly at: string; readonly description: string }[];
  readonly similar: readonly { readonly title: string; readonly startedAt: string; readonly resolution?: string }[];
}

const MINUTE_MS = 60_000;
/** What the incident file contains (ms) before the fault began and after it ended. */
const BEFORE_MS = 30 * MINUTE_MS;
const AFTER_MS = 10 * MINUTE_MS;

/** The draft of a review in Markdown. Times in UTC; telemetry in it is escaped, so that it cannot become markup. */
export function writeReview(incident: ReviewedIncident, url: string): string {
  const { title, startedAt, endedAt, severity, cause, affectedServices, changes, timeline, similar } = incident;
  const { acknowledgedBy, commander, resolution } = incident;
  const end = endedAt === null ? 'ongoing' : `${formatUtc(endedAt)} (${formatMinutes(startedAt, endedAt)})`;
  return [
    `# ${escapeMarkdown(title)}`,
    listItems([
      `Severity: ${severity}`,
      `Began: ${formatUtc(startedAt)}`,
      `Ended: ${end}`,
      `Led by: ${escapeMarkdown(commander ?? acknowledgedBy ?? 'nobody')}`,
      `Affected: ${affectedServices.length === 0 ? 'no service is known' : affectedServices.map(escapeMarkdown).join(', ')}`,
      `Incident: ${url}`,
    ]),
    '## Cause',
    cause === null
      ? 'No cause was found.'
      : `${escapeMarkdown(cause.cause)}, confidence ${Math.round(cause.confidence * 100)} %.`,
    ...(cause === null ? [] : [listItems(cause.evidence.map(escapeMarkdown))]),
    ...(resolution === undefined ? [] : ['## Resolution', escapeMarkdown(resolution)]),
    '## What changed before',
    listItems(
      changes.map(({ detectedAt, type, serviceName, currentVersion, description }) =>
        [formatUtc(detectedAt), type, serviceName, currentVersion ?? description ?? ''].map(escapeMarkdown).join(' '),
      ),
    ),
    '## Timeline',
    listItems(timeline.map(({ at, description }) => `${formatUtc(at)} ${escapeMarkdown(description)}`)),
    '## Similar earlier incidents',
    listItems(
      similar.map(
        ({ title: other, startedAt: then, resolution: how }) =>
          `${formatUtc(then)} ${escapeMarkdown(other)}${how === undefined ? '' : `: ${escapeMarkdown(how)}`}`,
      ),
    ),
    '## Action items',
    '- [ ] ',
    '',
  ].join('\n\n');
}

/** The command that exports what was recorded at the time of the incident. */
export function writeExportCommand({ id, startedAt, endedAt }: ReviewedIncident, gridId: string): string {
  const from = new Date(Date.parse(startedAt) - BEFORE_MS).toISOString();
  const to = new Date((endedAt === null ? Date.now() : Date.parse(endedAt)) + AFTER_MS).toISOString();
  return `hindsight export --grid ${gridId} --from ${from} --to ${to} --out incident-${id}.slice.ndjson.gz`;
}

function listItems(items: readonly string[]): string {
  return items.length === 0 ? 'Nothing.' : items.map((item) => `- ${item}`).join('\n');
}

function formatUtc(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;
}

function formatMinutes(from: string, to: string): string {
  return `${Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / MINUTE_MS))} min`;
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').replaceAll(/[\\`*_{}[\]<>#|]/g, String.raw`\$&`);
}

export type LogSeverity = 'Trace' | 'Debug' | 'Information' | 'Warning' | 'Error' | 'Fatal';

export interface LogFilters {
  /** Search terms, all of which must match: words, prefixes with `*`, phrases in quotes. */
  readonly words: string;
  readonly severity: '' | LogSeverity;
  readonly service: string;
  readonly trace: string;
  readonly span: string;
  /** Each `key=value`. */
  readonly attributes: readonly string[];
}

export const NO_LOG_FILTERS: LogFilters = { words: '', severity: '', service: '', trace: '', span: '', attributes: [] };

/** The filters given by URL parameters; invalid ones are ignored. */
export function parseLogFilters(parameters: URLSearchParams): LogFilters {
  const severity = parameters.get('severity') ?? '';
  const getText = (name: string): string => parameters.get(name) ?? '';
  return {
    words: getText('q'),
    service: getText('service'),
    trace: getText('trace'),
    span: getText('span'),
    severity: /^(Trace|Debug|Information|Warning|Error|Fatal)$/.test(severity) ? (severity as LogSeverity) : '',
    attributes: [...new Set(parameters.getAll('attr'))].filter((pair) => pair.indexOf('=') > 0),
  };
}

/** Filters as URL parameters. */
export function toLogParameters({
  words,
  severity,
  service,
  trace,
  span,
  attributes,
}: LogFilters): Record<string, string | readonly string[]> {
  return { q: words, severity, service, trace, span, attr: attributes };
}

export interface LogFilterChip {
  readonly text: string;
  /** The same filters without this one. */
  readonly without: LogFilters;
}

/** The active filters as chips that can be removed. */
export function toLogFilterChips(filters: LogFilters): readonly LogFilterChip[] {
  const named = (
    [
      ['words', 'Search terms'],
      ['severity', 'Severity'],
      ['service', 'Service'],
      ['trace', 'Trace'],
      ['span', 'Span'],
    ] as const
  ).filter(([name]) => filters[name] !== '');
  return [
    ...named.map(([name, title]) => ({ text: `${title}: ${filters[name]}`, without: { ...filters, [name]: '' } })),
    ...filters.attributes.map((pair) => ({
      text: pair.replace('=', ' = '),
      without: { ...filters, attributes: filters.attributes.filter((each) => each !== pair) },
    })),
  ];
}

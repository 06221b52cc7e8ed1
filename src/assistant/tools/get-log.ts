import type { LogDetail } from '../../queries/answers.js';
import type { Attributes } from '../../telemetry/attributes.js';
import type { Tool, ToolContext } from '../tool.js';
import { argumentsOf, required, text } from './arguments.js';
import { found } from './found.js';
import { listedLog, type ListedLog } from './presented-telemetry.js';
import { hexId } from './search.js';

export interface LogIdArguments {
  readonly id: string;
}

export interface DetailedLog extends ListedLog {
  readonly severityNumber: number;
  readonly resource: Attributes;
}

export const getLog: Tool<LogIdArguments, DetailedLog> = {
  name: 'GetLog',
  description: 'One log entry with its attributes and resource, by its id or by the id of its span.',
  ...argumentsOf<LogIdArguments>({ id: required(text('Id of the entry, or of its span in hex.')) }),
  async run(context, { id }) {
    const entry = found(await logOf(context, id), 'log entry of this id');
    const { severityNumber, resource } = entry;
    return { data: { ...listedLog(entry), severityNumber, resource }, source: { type: 'log', description: `${entry.severityLevel} of ${entry.serviceName}` } };
  },
};

/** A log id is opaque, so it is asked for as sent before the text is read as a span id in any case. */
async function logOf({ queries, gridId }: ToolContext, id: string): Promise<LogDetail | undefined> {
  const entry = await queries.telemetry.logDetail(gridId, id);
  return entry ?? (hexId(id) === id ? undefined : queries.telemetry.logDetail(gridId, hexId(id)));
}

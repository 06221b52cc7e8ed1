import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** Works from dist and from a copy of it, as long as the project is the working directory or above. */
export const ROOT = existsSync('Dockerfile') ? process.cwd() : fileURLToPath(new URL('../../../..', import.meta.url));
export const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

export interface ComposeService {
  readonly image?: string;
  readonly build?: unknown;
  readonly scale?: string | number;
  readonly user?: string;
  readonly profiles?: readonly string[];
  readonly restart?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly mem_limit?: string;
  readonly stop_grace_period?: string;
  readonly network_mode?: string;
  readonly networks?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
}

export interface Composed {
  readonly name: string;
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

type Tree = Record<string, unknown>;

/** A file as it stands: merge keys followed, variables left alone. `!override` is a word of compose; here its list is like any other. */
export function written(file: string): Partial<Composed> {
  return parse(read(file), {
    merge: true,
    customTags: [{ tag: '!override', collection: 'seq' as const }],
  }) as Partial<Composed>;
}

/** These files one on top of the other with these variables, by the rules of compose, as far as our files make use of them. */
export function composed(files: readonly string[], variables: Readonly<Record<string, string>> = {}): Composed {
  const whole = files
    .map((file) => withFamilies(written(file)))
    .reduce<unknown>((below, above) => merged(below, above), {});
  return interpolated(whole, variables) as Composed;
}

/** What a service extends stands below it; a service that is extended is always one of docker-compose.yml. */
function withFamilies(tree: Partial<Composed>): Tree {
  const services = Object.entries(tree.services ?? {}).map(([name, service]) => {
    const { extends: parent, ...own } = service as Tree & { extends?: { file: string; service: string } };
    return [name, parent === undefined ? own : merged(written(parent.file).services?.[parent.service], own)] as const;
  });
  return { ...tree, services: Object.fromEntries(services) };
}

/** Lists of words that belong together are replaced; so are ports, which our files mark with `!override`. Other lists grow. */
const REPLACED = new Set(['command', 'entrypoint', 'test', 'ports']);

function merged(below: unknown, above: unknown, name = ''): unknown {
  if (Array.isArray(below) && Array.isArray(above))
    return REPLACED.has(name)
      ? above
      : name === 'volumes'
        ? byTarget([...below, ...above] as string[])
        : [...(below as unknown[]), ...(above as unknown[])];
  if (!isTree(below) || !isTree(above)) return above;
  const names = new Set([...Object.keys(below), ...Object.keys(above)]);
  return Object.fromEntries(
    Array.from(names, (each) => [each, each in above ? merged(below[each], above[each], each) : below[each]]),
  );
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One volume a place: the last one named. */
function byTarget(volumes: readonly string[]): string[] {
  return [
    ...new Map(volumes.map((volume) => [/^[^:]+$/.test(volume) ? volume : volume.split(':')[1], volume])).values(),
  ];
}

function interpolated(value: unknown, variables: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return interpolatedText(value, variables);
  if (Array.isArray(value)) return value.map((each) => interpolated(each, variables));
  if (!isTree(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, interpolated(each, variables)]));
}

/** `${NAME:-default}`, `${NAME:?why}` and `$$`. Throws where a variable is required and not there. */
function interpolatedText(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$\$|\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name?: string, kind?: string, rest = '') => {
    if (name === undefined) return '$';
    const value = variables[name] ?? '';
    if (value === '' && kind === '?') throw new Error(`${name}: ${rest}`);
    return value === '' ? (rest as string) : value;
  });
}

/** Names of variables that a text asks for. */
export function variablesIn(text: string): Set<string> {
  return new Set(Array.from(text.matchAll(/\$\{(\w+)/g), ([, name = '']) => name));
}

/** A file of `NAME=value` lines. */
export function variablesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    Array.from(text.matchAll(/^([A-Z_]+)=(.*)$/gm), ([, name = '', value = '']) => [name, value]),
  );
}

import type { BlockLocation, BlockSummary } from '../../../read-models/blocks/block.js';
import type { CachedBlock } from '../../../read-models/blocks/cached-block.js';
import type { RecordLocations } from '../../../read-models/blocks/record-column-codec.js';
import { BLOCK_RESOURCES } from '../../../read-models/blocks/resource-column.js';
import type { Attributes } from '../../../telemetry/attributes.js';
import { readResourceAt } from '../../../telemetry/otlp/decoding/record-resource.js';
import type { ReleasableCache } from '../../../thread-memory.js';
import type { StoredRecords } from './stored-records.js';

/** Attributes of resources that are remembered, in characters of keys and values. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** Attributes by Grid and resource: the same few resources stand in nearly all blocks of a Grid. */
export class ResourceAttributeCache implements ReleasableCache {
  private readonly known = new Map<string, Attributes>();
  private characters = 0;

  get size(): number {
    return this.characters * 2;
  }

  /** Drops everything: it is read again from a few events. */
  releaseUnused(): void {
    this.shrinkTo(0);
  }

  shrinkTo(bytes: number): void {
    if (this.size <= bytes) return;
    this.known.clear();
    this.characters = 0;
  }

  find(key: string): Attributes | undefined {
    return this.known.get(key);
  }

  remember(key: string, attributes: Attributes): void {
    if (this.characters > MAX_CHARACTERS) this.shrinkTo(0);
    this.known.set(key, attributes);
    this.characters += key.length;
    for (const [name, value] of Object.entries(attributes)) this.characters += name.length + String(value).length;
  }
}

/** Local resource of each row, and the attributes of each resource; undefined: its event cannot be read. */
export interface BlockResources {
  readonly rows: Uint16Array;
  readonly attributes: readonly (Attributes | undefined)[];
}

/** Reads the resources of a block, each from the event of one of its records: the first that can be read. */
export async function readBlockResources<D extends BlockSummary & BlockLocation>(
  block: CachedBlock<D>,
  locations: () => RecordLocations | Promise<RecordLocations>,
  records: StoredRecords,
  cache: ResourceAttributeCache,
): Promise<BlockResources> {
  const { rows, keys } = await block.read(BLOCK_RESOURCES);
  const attributes: (Attributes | undefined)[] = [];
  for (const [resource, key] of keys.entries()) {
    const id = `${records.gridId}/${key}`;
    const known = cache.find(id);
    attributes[resource] = known ?? (await readResource(rows, resource, await locations(), records));
    if (known === undefined && attributes[resource] !== undefined) cache.remember(id, attributes[resource]);
  }
  return { rows, attributes };
}

async function readResource(
  rows: Uint16Array,
  resource: number,
  locations: RecordLocations,
  records: StoredRecords,
): Promise<Attributes | undefined> {
  // Records of one event are damaged together.
  const tried = new Set<number>();
  for (let row = rows.indexOf(resource); row >= 0; row = rows.indexOf(resource, row + 1)) {
    if (tried.has(locations.revision[row])) continue;
    tried.add(locations.revision[row]);
    const [found] = await readResourcesAt(locations, row, records);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The resource of a record; none if its event cannot be read. */
async function readResourcesAt(locations: RecordLocations, row: number, records: StoredRecords): Promise<Attributes[]> {
  const found: Attributes[] = [];
  await records.forEach(locations, Uint16Array.of(row), (body, offset) =>
    found.push(readResourceAt(body, offset).attributes),
  );
  return found;
}

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import {
  TELEMETRY_EXPIRED_TYPE,
  TELEMETRY_PART_TYPE,
  TELEMETRY_RECEIVED_TYPES,
} from '../../../src/streams/events/telemetry-events.js';

const EVENTS = join(process.cwd(), 'src/streams/events');
export const SHAPES_FILE = join(process.cwd(), 'test/fixtures/golden/event-shapes.json');

/** Event types with the TypeScript type of their data. */
export type EventShapes = Readonly<Record<string, string>>;

/** Telemetry events declare their type separately from their data. */
const NAMED_APART: Readonly<Record<string, readonly string[]>> = {
  TelemetryReceived: Object.values(TELEMETRY_RECEIVED_TYPES),
  TelemetryPart: [TELEMETRY_PART_TYPE],
  TelemetryExpired: [TELEMETRY_EXPIRED_TYPE],
};

/** Reads the expanded data types of all event declarations. */
export function eventShapes(): EventShapes {
  const files = readdirSync(EVENTS)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(EVENTS, name));
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  });
  const checker = program.getTypeChecker();
  const shapes: Record<string, string> = {};
  for (const file of files) {
    for (const statement of program.getSourceFile(file)!.statements) {
      if (!ts.isTypeAliasDeclaration(statement) && !ts.isInterfaceDeclaration(statement)) continue;
      const type = checker.getTypeAtLocation(statement.name);
      for (const name of NAMED_APART[statement.name.text] ?? []) shapes[name] = shapeOf(type, checker);
      for (const event of type.isUnion() ? type.types : [type]) {
        const name = memberOf(event, 'type', checker);
        const data = memberOf(event, 'data', checker);
        if (data !== undefined && name?.isStringLiteral() === true) shapes[name.value] = shapeOf(data, checker);
      }
    }
  }
  return Object.fromEntries(Object.entries(shapes).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function memberOf(type: ts.Type, name: string, checker: ts.TypeChecker): ts.Type | undefined {
  const member = type.getProperty(name);
  return member && checker.getTypeOfSymbol(member);
}

function shapeOf(type: ts.Type, checker: ts.TypeChecker): string {
  if (type.isUnion()) return [...new Set(type.types.map((each) => shapeOf(each, checker)))].sort().join(' | ');
  if (checker.isArrayType(type) || checker.isTupleType(type))
    return `(${checker
      .getTypeArguments(type as ts.TypeReference)
      .map((each) => shapeOf(each, checker))
      .join(', ')})[]`;
  if ((type.flags & ts.TypeFlags.Object) === 0 && !type.isIntersection()) return checker.typeToString(type);
  const members = checker.getPropertiesOfType(type).map((member) => {
    const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0;
    const of = checker.getTypeOfSymbol(member);
    return `${member.name}${isOptional ? '?' : ''}: ${shapeOf(isOptional ? checker.getNonNullableType(of) : of, checker)}`;
  });
  const index = checker
    .getIndexInfosOfType(type)
    .map((info) => `[${checker.typeToString(info.keyType)}]: ${shapeOf(info.type, checker)}`);
  return `{ ${[...index, ...members.sort()].join('; ')} }`;
}

/*
 * Frames of stack traces as the runtimes print them. What belongs to the application and what to the runtime or a library
 * follows the rules of Sentry's SDKs and of its server for `in_app`
 * (https://docs.sentry.io/concepts/data-management/event-grouping/).
 */

/** A frame without its line: what stays the same from one version of a program to the next. */
interface Frame {
  readonly functionName: string;
  /** Path or name of the file; empty if the frame names none. */
  readonly file: string;
}

/** Frames of an application that distinguish two errors of the same type and message. */
const TOP_FRAMES = 3;
/** Lines and characters of a stack trace that are read: what is above tells where an error comes from. */
const MAX_LINES = 400;
const MAX_CHARACTERS = 65_536;
const MAX_LINE = 1_000;
const MAX_FRAME = 200;

/**
 * The frames of the application nearest to the place where an exception was thrown, innermost first, at most 3: function
 * and file, without lines and addresses. Empty if there is no stack trace, or only frames of the runtime and libraries.
 */
export function findTopFrames(stackTrace: string): string[] {
  if (stackTrace === '') return [];
  const frames: string[] = [];
  for (const frame of readFrames(stackTrace)) {
    if (isForeign(frame)) continue;
    const text = describeFrame(frame).slice(0, MAX_FRAME);
    // A recursive function counts once, however deep it was.
    if (frames.at(-1) !== text) frames.push(text);
    if (frames.length === TOP_FRAMES) break;
  }
  return frames;
}

/** Innermost first. */
function readFrames(stackTrace: string): Iterable<Frame> {
  const lines = selectLines(stackTrace);
  if (lines.some((line) => PYTHON.test(line))) return readPython(lines);
  if (lines.some((line) => GO_FILE.test(line))) return readGo(lines);
  return readLines(lines);
}

/** The end of a long Python trace has the innermost frames, of all others the beginning. */
function selectLines(stackTrace: string): string[] {
  const isPython = stackTrace.includes('File "');
  const text = isPython ? stackTrace.slice(-MAX_CHARACTERS) : stackTrace.slice(0, MAX_CHARACTERS);
  const lines = text.split('\n');
  const kept = isPython ? lines.slice(-MAX_LINES) : lines.slice(0, MAX_LINES);
  return kept.map((line) => line.slice(0, MAX_LINE).trimEnd());
}

const PYTHON = /^[\s|]*File "(?<file>[^"]*)", line \d+(?:, in (?<functionName>.+))?$/;

/** The last of chained traces is that of the exception itself, and its last frame is the innermost. */
function readPython(lines: readonly string[]): Frame[] {
  const last = lines.findLastIndex((line) => line.includes('Traceback (most recent call last)'));
  return lines
    .slice(last + 1)
    .flatMap((line) => matchFrame(PYTHON, line))
    .reverse();
}

const GO_FILE = /^\s+(?<file>\S.*\.(?:go|s)):\d+(?: \+0x[\da-f]+)?$/;

/** A line with the function, then an indented one with the file. `panic` follows deferred functions: they are foreign. */
function* readGo(lines: readonly string[]): Generator<Frame> {
  for (let at = 1; at < lines.length; at++) {
    const file = GO_FILE.exec(lines[at])?.groups?.['file'];
    const call = lines[at - 1].trim();
    if (call.startsWith('created by ')) return;
    // Arguments are addresses. Methods have parentheses too: `main.(*Server).serve(0xc000010000)`.
    if (file !== undefined) yield { functionName: call.replace(/\([^()]*\)$/, ''), file };
  }
}

/** Formats with one frame a line. */
const LINE_FORMATS: readonly RegExp[] = [
  // Node.js: `    at charge (file:///app/pay.js:10:5)`, `    at async /app/pay.js:10:5`
  /^\s*at (?:async )?(?:(?<functionName>.+?) (?:\[as [^\]]*\] )?\()?(?<file>[^()\s][^()]*?):\d+:\d+\)?$/,
  /^\s*at (?:async )?(?<functionName>.+?) \((?<file>native|<anonymous>)\)$/,
  // Java: `	at app//com.shop.Pay.charge(Pay.java:42)`
  /^\s*at (?:[\w.@-]*\/)*(?<functionName>[\w.$<>]+(?:\/0x[\da-f][\w.$<>]*)?)\((?<file>[\w$.-]+\.\w+|Native Method|Unknown Source|<generated>)(?::\d+)?\)(?: ~?\[.*\])?$/,
  // .NET: `   at Shop.Pay.Charge(Order order) in /src/Pay.cs:line 42`
  /^\s*at (?<functionName>[^()\s]+)\(.*?\)(?: in (?<file>.+):line \d+)?$/,
  // PHP: `#0 /app/src/Pay.php(42): Shop\Pay->charge(Object(Order))`
  /^#\d+ (?<file>.+?)(?:\(\d+\))?: (?<functionName>[^()]+)\(.*$/,
  // Ruby: `/app/pay.rb:42:in 'Pay#charge'`
  /^\s*(?:from |\d+: from )?(?<file>[^\s:][^:]*):\d+:in [`'](?<functionName>[^']+)'(?:: .*)?$/,
];

/** Ends the frames of one exception: in .NET those of the cause come first, elsewhere those of what was reported. */
const CAUSE = /^\s*(?:Caused by: |--- End of inner exception stack trace ---|\[cause\]: )/;

function* readLines(lines: readonly string[]): Generator<Frame> {
  for (const line of lines) {
    if (CAUSE.test(line)) return;
    for (const format of LINE_FORMATS) {
      const [frame] = matchFrame(format, line);
      if (frame === undefined) continue;
      yield frame;
      break;
    }
  }
}

function matchFrame(format: RegExp, line: string): Frame[] {
  const groups = format.exec(line)?.groups;
  return groups === undefined ? [] : [{ functionName: groups['functionName'] ?? '', file: groups['file'] ?? '' }];
}

/** Files of runtimes, and folders into which package managers install. */
const FOREIGN_FILES = [
  /(?:^|[\\/])(?:node_modules|site-packages|dist-packages|gems|vendor)[\\/]/,
  /^(?:node:|internal\/|native$|<|\[internal function\])/,
  /[\\/]lib(?:64)?[\\/](?:python\d|ruby[\\/])/,
  /(?:[\\/]go[\\/]src[\\/]|[\\/]pkg[\\/]mod[\\/]|[\\/]src[\\/]runtime[\\/])/,
];

/** Namespaces of runtimes and common frameworks. */
const FOREIGN_FUNCTIONS =
  /^(?:(?:java|javax|jakarta|jdk|sun|com\.sun|kotlin|kotlinx|scala|groovy|org\.(?:springframework|apache|hibernate|eclipse\.jetty|junit)|io\.(?:netty|grpc|opentelemetry|undertow)|reactor|System|Microsoft|runtime|OpenTelemetry)\.|panic$)/;

function isForeign({ functionName, file }: Frame): boolean {
  return FOREIGN_FILES.some((pattern) => pattern.test(file)) || FOREIGN_FUNCTIONS.test(functionName);
}

/** Parts of names that compilers count, and hashes and addresses: they change with every build or start. */
const GENERATED: readonly (readonly [RegExp, string])[] = [
  [/\$\$Lambda.*$/, '$$$$Lambda'],
  [/\$\$(?:EnhancerBy|FastClassBy|SpringCGLIB)\w*(?:\$\$\w+)*/g, ''],
  [/(?:0x)?[\da-f]{8,}/gi, '*'],
  [/\{closure:.*\}/, '{closure}'],
  [/(?<=lambda\$\w*\$|func|\$|__|\||\|\d+_)\d+/g, '*'],
];

function describeFrame({ functionName, file }: Frame): string {
  const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1).replace(/[?#].*$/, '');
  const plain = (text: string): string =>
    GENERATED.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);
  const called = plain(functionName) || '<anonymous>';
  return name === '' ? called : `${called} (${plain(name)})`;
}

import {
  listFlagsWithValue,
  quoteForShell,
  type CommandCompletion,
  type OptionCompletion,
  type CompletionValues,
} from './completion-model.js';

export function renderFishCompletion(commands: readonly CommandCompletion[]): string {
  const paths = commands.map(({ path }) => path).filter((path) => path !== '');
  return `# fish completion for hindsight; put this into ~/.config/fish/config.fish: hindsight completion fish | source
function __hindsight_at --description 'the command that is being written, and how many arguments it has'
  set -l place 0
  set -l path
  set -l skip 0
  set -l written (commandline -opc)
  for word in $written[2..-1]
    if test $skip = 1
      set skip 0
      continue
    end
    if contains -- "$path:$word" ${listFlagsWithValue(commands).map(quoteForShell).join(' ')}
      set skip 1
      continue
    end
    string match -q -- '-*' $word; and continue
    set -l longer (string trim -- "$path $word")
    if contains -- $longer ${paths.map(quoteForShell).join(' ')}
      set path $longer
    else
      set place (math $place + 1)
    end
  end
  echo "$path:$place"
end
complete -c hindsight -f
${commands.flatMap(renderCommandLines).join('\n')}
`;
}

function renderCommandLines({ path, commands, options, values }: CommandCompletion): string[] {
  const inPath = quoteForShell(`string match -q -- ${wrapInDoubleQuotes(`${path}:*`)} (__hindsight_at)`);
  const inPlace = (place: number): string =>
    quoteForShell(`test (__hindsight_at) = ${wrapInDoubleQuotes(`${path}:${place}`)}`);
  return [
    ...commands.map(
      ({ name, description }) =>
        `complete -c hindsight -n ${inPlace(0)} -a ${quoteForShell(name)} -d ${quoteForShell(description)}`,
    ),
    ...values.flatMap((value, place) =>
      value.kind === 'free' ? [] : [`complete -c hindsight -n ${inPlace(place)} ${renderValues(value)}`],
    ),
    ...options.map(
      (option) => `complete -c hindsight -n ${inPath} ${renderFlags(option)} -d ${quoteForShell(option.description)}`,
    ),
  ];
}

function renderFlags({ flags, value }: OptionCompletion): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  if (value === undefined) return names.join(' ');
  return [...names, value.kind === 'folders' ? '-r' : '-x', renderValues(value)].join(' ').trimEnd();
}

function renderValues(value: CompletionValues): string {
  switch (value.kind) {
    case 'words':
      return `-a ${quoteForShell(value.words.join(' '))}`;
    case 'folders':
      return '-F';
    case 'free':
      return '';
  }
}

function wrapInDoubleQuotes(text: string): string {
  return `"${text}"`;
}

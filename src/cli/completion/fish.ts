import { flagsWithValue, quoted, type CompletedCommand, type CompletedOption, type Values } from './completions.js';

export function fishScript(commands: readonly CompletedCommand[]): string {
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
    if contains -- "$path:$word" ${flagsWithValue(commands).map(quoted).join(' ')}
      set skip 1
      continue
    end
    string match -q -- '-*' $word; and continue
    set -l longer (string trim -- "$path $word")
    if contains -- $longer ${paths.map(quoted).join(' ')}
      set path $longer
    else
      set place (math $place + 1)
    end
  end
  echo "$path:$place"
end
complete -c hindsight -f
${commands.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ path, commands, options, values }: CompletedCommand): string[] {
  const inPath = quoted(`string match -q -- ${doubleQuoted(`${path}:*`)} (__hindsight_at)`);
  const inPlace = (place: number): string => quoted(`test (__hindsight_at) = ${doubleQuoted(`${path}:${place}`)}`);
  return [
    ...commands.map(({ name, description }) => `complete -c hindsight -n ${inPlace(0)} -a ${quoted(name)} -d ${quoted(description)}`),
    ...values.flatMap((value, place) => (value.kind === 'free' ? [] : [`complete -c hindsight -n ${inPlace(place)} ${offer(value)}`])),
    ...options.map((option) => `complete -c hindsight -n ${inPath} ${flagsOf(option)} -d ${quoted(option.description)}`),
  ];
}

function flagsOf({ flags, value }: CompletedOption): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  if (value === undefined) return names.join(' ');
  return [...names, value.kind === 'folders' ? '-r' : '-x', offer(value)].join(' ').trimEnd();
}

function offer(value: Values): string {
  switch (value.kind) {
    case 'words': return `-a ${quoted(value.words.join(' '))}`;
    case 'folders': return '-F';
    case 'free': return '';
  }
}

function doubleQuoted(text: string): string {
  return `"${text}"`;
}

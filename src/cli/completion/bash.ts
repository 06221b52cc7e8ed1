import { alternatives, flagsWithValue, quoted, type CompletedCommand, type Values } from './completions.js';

/** For bash from 3.2 on, which macOS brings: no associative arrays, no compopt. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  const paths = commands.map(({ path }) => path).filter((path) => path !== '');
  return `# bash completion for hindsight; put this into ~/.bashrc: eval "$(hindsight completion bash)"
_hindsight() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path='' place=0 index word
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    case "$path:$word" in
      ${alternatives(flagsWithValue(commands))}) ((index++)); continue ;;
    esac
    if [[ $word == -* ]]; then continue; fi
    case "\${path:+$path }$word" in
      ${alternatives(paths)}) path="\${path:+$path }$word" ;;
      *) ((place++)) ;;
    esac
  done
  COMPREPLY=()
  case "$path:$prev" in
${commands.flatMap(valuesAfterFlags).join('\n')}
  esac
  if [[ $cur == -* ]]; then
    case "$path" in
${commands.map(({ path, options }) => `      ${quoted(path)}) COMPREPLY=($(compgen -W ${quoted(options.flatMap(({ flags }) => flags).join(' '))} -- "$cur")) ;;`).join('\n')}
    esac
    return
  fi
  case "$path:$place" in
${commands.flatMap(valuesByPlace).join('\n')}
  esac
}
complete -F _hindsight hindsight
`;
}

function valuesAfterFlags({ path, options }: CompletedCommand): string[] {
  return options.flatMap(({ flags, value }) => (value === undefined ? [] : [`    ${flags.map((flag) => quoted(`${path}:${flag}`)).join('|')}) ${reply(value)} return ;;`]));
}

function valuesByPlace({ path, commands, values }: CompletedCommand): string[] {
  const places = commands.length > 0 ? [{ kind: 'words', words: commands.map(({ name }) => name) } as const] : values;
  return places.flatMap((value, place) => (value.kind === 'free' ? [] : [`    ${quoted(`${path}:${place}`)}) ${reply(value)} ;;`]));
}

function reply(value: Values): string {
  switch (value.kind) {
    case 'words': return `COMPREPLY=($(compgen -W ${quoted(value.words.join(' '))} -- "$cur"));`;
    case 'folders': return 'COMPREPLY=($(compgen -f -- "$cur"));';
    case 'free': return '';
  }
}

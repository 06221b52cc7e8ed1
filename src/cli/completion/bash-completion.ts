import {
  joinCasePatterns,
  listFlagsWithValue,
  quoteForShell,
  type CommandCompletion,
  type CompletionValues,
} from './completion-model.js';

/** Supports bash 3.2, the version on macOS: no associative arrays, no compopt. */
export function renderBashCompletion(commands: readonly CommandCompletion[]): string {
  const paths = commands.map(({ path }) => path).filter((path) => path !== '');
  return `# bash completion for hindsight; put this into ~/.bashrc: eval "$(hindsight completion bash)"
_hindsight() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path='' place=0 index word
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    case "$path:$word" in
      ${joinCasePatterns(listFlagsWithValue(commands))}) ((index++)); continue ;;
    esac
    if [[ $word == -* ]]; then continue; fi
    case "\${path:+$path }$word" in
      ${joinCasePatterns(paths)}) path="\${path:+$path }$word" ;;
      *) ((place++)) ;;
    esac
  done
  COMPREPLY=()
  case "$path:$prev" in
${commands.flatMap(renderFlagValues).join('\n')}
  esac
  if [[ $cur == -* ]]; then
    case "$path" in
${commands.map(({ path, options }) => `      ${quoteForShell(path)}) COMPREPLY=($(compgen -W ${quoteForShell(options.flatMap(({ flags }) => flags).join(' '))} -- "$cur")) ;;`).join('\n')}
    esac
    return
  fi
  case "$path:$place" in
${commands.flatMap(renderArgumentValues).join('\n')}
  esac
}
complete -F _hindsight hindsight
`;
}

function renderFlagValues({ path, options }: CommandCompletion): string[] {
  return options.flatMap(({ flags, value }) =>
    value === undefined
      ? []
      : [`    ${flags.map((flag) => quoteForShell(`${path}:${flag}`)).join('|')}) ${renderReply(value)} return ;;`],
  );
}

function renderArgumentValues({ path, commands, values }: CommandCompletion): string[] {
  const places = commands.length > 0 ? [{ kind: 'words', words: commands.map(({ name }) => name) } as const] : values;
  return places.flatMap((value, place) =>
    value.kind === 'free' ? [] : [`    ${quoteForShell(`${path}:${place}`)}) ${renderReply(value)} ;;`],
  );
}

function renderReply(value: CompletionValues): string {
  switch (value.kind) {
    case 'words':
      return `COMPREPLY=($(compgen -W ${quoteForShell(value.words.join(' '))} -- "$cur"));`;
    case 'folders':
      return 'COMPREPLY=($(compgen -f -- "$cur"));';
    case 'free':
      return '';
  }
}

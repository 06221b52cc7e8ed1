import {
  joinCasePatterns,
  listFlagsWithValue,
  quoteForShell,
  type CommandCompletion,
  type CompletionValues,
} from './completion-model.js';

export function renderZshCompletion(commands: readonly CommandCompletion[]): string {
  const paths = commands.map(({ path }) => path).filter((path) => path !== '');
  return `#compdef hindsight
# zsh completion for hindsight; put this into ~/.zshrc after compinit: source <(hindsight completion zsh)
_hindsight() {
  local place=0 index word
  local at='' prev=\${words[CURRENT-1]}
  local -a offered
  for ((index = 2; index < CURRENT; index++)); do
    word=\${words[index]}
    case "$at:$word" in
      ${joinCasePatterns(listFlagsWithValue(commands))}) ((index++)); continue ;;
    esac
    if [[ $word == -* ]]; then continue; fi
    case "\${at:+$at }$word" in
      ${joinCasePatterns(paths)}) at="\${at:+$at }$word" ;;
      *) ((place++)) ;;
    esac
  done
  case "$at:$prev" in
${commands.flatMap(renderFlagValues).join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    case "$at" in
${commands.map(({ path, options }) => `      ${quoteForShell(path)}) offered=(${options.flatMap(({ flags, description }) => flags.map((flag) => describeForZsh(flag, description))).join(' ')}) ;;`).join('\n')}
    esac
    _describe option offered
    return
  fi
  case "$at:$place" in
${commands.flatMap(renderArgumentValues).join('\n')}
  esac
}
compdef _hindsight hindsight
`;
}

function renderFlagValues({ path, options }: CommandCompletion): string[] {
  return options.flatMap(({ flags, value }) =>
    value === undefined
      ? []
      : [`    ${joinCasePatterns(flags.map((flag) => `${path}:${flag}`))}) ${renderValues(value)} return ;;`],
  );
}

function renderArgumentValues({ path, commands, values }: CommandCompletion): string[] {
  if (commands.length > 0)
    return [
      `    ${quoteForShell(`${path}:0`)}) offered=(${commands.map(({ name, description }) => describeForZsh(name, description)).join(' ')}); _describe command offered ;;`,
    ];
  return values.flatMap((value, place) =>
    value.kind === 'free' ? [] : [`    ${quoteForShell(`${path}:${place}`)}) ${renderValues(value)} ;;`],
  );
}

function renderValues(value: CompletionValues): string {
  switch (value.kind) {
    case 'words':
      return `offered=(${value.words.map(quoteForShell).join(' ')}); _describe value offered;`;
    case 'folders':
      return '_files;';
    case 'free':
      return '';
  }
}

/** zsh separates word and description by a colon. */
function describeForZsh(word: string, description: string): string {
  return quoteForShell(`${word.replaceAll(':', String.raw`\:`)}:${description}`);
}

import { alternatives, flagsWithValue, quoted, type CompletedCommand, type Values } from './completions.js';

export function zshScript(commands: readonly CompletedCommand[]): string {
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
      ${alternatives(flagsWithValue(commands))}) ((index++)); continue ;;
    esac
    if [[ $word == -* ]]; then continue; fi
    case "\${at:+$at }$word" in
      ${alternatives(paths)}) at="\${at:+$at }$word" ;;
      *) ((place++)) ;;
    esac
  done
  case "$at:$prev" in
${commands.flatMap(valuesAfterFlags).join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    case "$at" in
${commands.map(({ path, options }) => `      ${quoted(path)}) offered=(${options.flatMap(({ flags, description }) => flags.map((flag) => described(flag, description))).join(' ')}) ;;`).join('\n')}
    esac
    _describe option offered
    return
  fi
  case "$at:$place" in
${commands.flatMap(valuesByPlace).join('\n')}
  esac
}
compdef _hindsight hindsight
`;
}

function valuesAfterFlags({ path, options }: CompletedCommand): string[] {
  return options.flatMap(({ flags, value }) => (value === undefined ? [] : [`    ${alternatives(flags.map((flag) => `${path}:${flag}`))}) ${offer(value)} return ;;`]));
}

function valuesByPlace({ path, commands, values }: CompletedCommand): string[] {
  if (commands.length > 0) return [`    ${quoted(`${path}:0`)}) offered=(${commands.map(({ name, description }) => described(name, description)).join(' ')}); _describe command offered ;;`];
  return values.flatMap((value, place) => (value.kind === 'free' ? [] : [`    ${quoted(`${path}:${place}`)}) ${offer(value)} ;;`]));
}

function offer(value: Values): string {
  switch (value.kind) {
    case 'words': return `offered=(${value.words.map(quoted).join(' ')}); _describe value offered;`;
    case 'folders': return '_files;';
    case 'free': return '';
  }
}

/** A colon ends the word. */
function described(word: string, description: string): string {
  return quoted(`${word.replaceAll(':', String.raw`\:`)}:${description}`);
}

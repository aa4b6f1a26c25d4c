import type { CompletedCommand } from './command-tree.ts'

/** Shells for which a script can be printed. */
export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** Returns the script that completes `showrunner` in a shell. */
export const completionScript = (shell: Shell, commands: readonly CompletedCommand[]): string =>
  ({ bash: bashScript, zsh: zshScript, fish: fishScript })[shell](commands)

const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
const keyOf = (path: readonly string[]) => path.join(' ')

/** Cases that extend the path of commands, for each command but the program. */
const pathCases = (commands: readonly CompletedCommand[]) =>
  commands
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => quote(keyOf(path)))
    .join(' | ')

function bashScript(commands: readonly CompletedCommand[]): string {
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ name, takesValue, choices }) =>
      takesValue ? [`    ${quote(`${keyOf(path)}:--${name}`)}) words=${quote(choices.join(' '))} ;;`] : [],
    ),
  )
  const words = commands.map(({ path, commands, options }) => {
    const all = [...commands.map(({ name }) => name), ...options.map(({ name }) => `--${name}`)]
    return `      ${quote(keyOf(path))}) words=${quote(all.join(' '))} ;;`
  })
  return `# Completions of showrunner for bash: source <(showrunner completions bash)
_showrunner() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} path='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${pathCases(commands)}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path:$previous" in
${values.join('\n')}
    *) case "$path" in
${words.join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _showrunner showrunner
`
}

/** Describes a word to zsh's \`_describe\`. */
const described = (name: string, description: string) => quote(`${name.replaceAll(':', '\\:')}:${description}`)

function zshScript(commands: readonly CompletedCommand[]): string {
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ name, takesValue, choices }) => {
      const action = choices.length > 0 ? `compadd -- ${choices.map(quote).join(' ')}` : '_files'
      return takesValue ? [`    ${quote(`${keyOf(path)}:--${name}`)}) ${action}; return ;;`] : []
    }),
  )
  const words = commands.map(({ path, commands, options }) => {
    const all = [
      ...commands.map(({ name, description }) => described(name, description)),
      ...options.map(({ name, description }) => described(`--${name}`, description)),
    ]
    return `    ${quote(keyOf(path))}) entries=(${all.join(' ')}) ;;`
  })
  return `#compdef showrunner
# Completions of showrunner for zsh: source <(showrunner completions zsh)
_showrunner() {
  local route='' word
  local -a entries
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${route:+$route }$word" in
      ${pathCases(commands)}) route="\${route:+$route }$word" ;;
    esac
  done
  case "$route:\${words[CURRENT-1]}" in
${values.join('\n')}
  esac
  case "$route" in
${words.join('\n')}
  esac
  _describe showrunner entries
  _files
}
compdef _showrunner showrunner
`
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ path, commands, options }) => {
    const condition = quote(`test "$(__showrunner_path)" = "${keyOf(path)}"`)
    return [
      ...commands.map(({ name, description }) => `-n ${condition} -f -a ${quote(name)} -d ${quote(description)}`),
      ...options.map(({ name, description, takesValue, choices }) => {
        const value = takesValue ? (choices.length > 0 ? ` -x -a ${quote(choices.join(' '))}` : ' -r') : ''
        return `-n ${condition} -l ${quote(name)}${value} -d ${quote(description)}`
      }),
    ]
  })
  const known = commands.filter(({ path }) => path.length > 0).map(({ path }) => quote(keyOf(path)))
  return `# Completions of showrunner for fish: showrunner completions fish | source
function __showrunner_path
  set -l route
  for word in (commandline -opc)[2..-1]
    if contains -- (string join ' ' $route $word) ${known.join(' ')}
      set route (string join ' ' $route $word)
    end
  end
  echo $route
end
${lines.map((line) => `complete -c showrunner ${line}`).join('\n')}
`
}

import type { Command, Option } from 'commander'

/** A command as completions need it. */
export interface CompletedCommand {
  /** Names from the program's first command to this one; empty for the program. */
  readonly path: readonly string[]
  readonly description: string
  readonly commands: readonly { readonly name: string; readonly description: string }[]
  readonly options: readonly CompletedOption[]
}

export interface CompletedOption {
  /** Long name without dashes. */
  readonly name: string
  readonly description: string
  readonly takesValue: boolean
  /** All legal values, if it has a list of them. */
  readonly choices: readonly string[]
}

/** Returns a command and all below it, parents first. Hidden ones are left out. */
export function commandsOf(command: Command, path: readonly string[] = []): CompletedCommand[] {
  const help = command.createHelp()
  const children = help.visibleCommands(command)
  const own: CompletedCommand = {
    path,
    description: command.description(),
    commands: children.map((child) => ({ name: child.name(), description: child.description() })),
    options: help.visibleOptions(command).flatMap(optionOf),
  }
  const below = children.filter((child) => child.name() !== 'help')
  return [own, ...below.flatMap((child) => commandsOf(child, [...path, child.name()]))]
}

const optionOf = ({ long, description, required, optional, argChoices }: Option): CompletedOption[] =>
  long ? [{ name: long.slice(2), description, takesValue: required || optional, choices: argChoices ?? [] }] : []

import { Argument, Command } from 'commander'
import { commandsOf } from '../../completions/command-tree.ts'
import { completionScript, type Shell, shells } from '../../completions/scripts.ts'

export const completionsCommand = () =>
  new Command('completions')
    .description('print the script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText(
      'after',
      `
Add the line for your shell to its start file:
  bash  source <(showrunner completions bash)
  zsh   source <(showrunner completions zsh)     after compinit
  fish  showrunner completions fish | source`,
    )
    .action((shell: Shell, _options: object, command: Command) => {
      process.stdout.write(completionScript(shell, commandsOf(command.parent ?? command)))
    })

import { Command, Option } from 'commander'
import { createPlatformClient } from '../../../lib/platform/client/client.ts'
import type { Operation } from '../../../lib/platform/contract/operation.ts'
import { type OperationName, operations } from '../../../lib/platform/contract/operations/operations.ts'
import { interruptible } from '../../local/interruption.ts'
import { directoryHelp } from '../../local/local-file.ts'
import { stateDirectory } from '../../local/root.ts'
import { collect, directoryOption } from '../../parsers.ts'
import { answerLines, hideSecrets } from '../../platform/answers.ts'
import { assemble, type GivenFlags, readBodyArgument } from '../../platform/arguments.ts'
import {
  type ConnectionOption,
  connectionOptions,
  connectionOptionsOf,
  findPlatformConnection,
} from '../../platform/connection.ts'
import { type Flag, flagsOf, kebab } from '../../platform/flags.ts'
import { describeFlag, describeOperation, placeholders } from '../../platform/help.ts'

/** Creates the command with one subcommand per operation. The options of an operation are added once it is chosen. */
export function platformCommand(): Command {
  const command = new Command('platform')
    .description('call one operation of the video platform')
    .usage('<operation> [options]')
    .helpCommand(false) // it does not run the hook that adds the options
    .showHelpAfterError('(--help lists the operations)')
    .hook('preSubcommand', (_, chosen) => define(chosen))
  for (const [name, { summary }] of Object.entries<Operation>(operations))
    command.addCommand(new Command(name).description(summary).usage('[options]').showHelpAfterError(false))
  return command
}

function define(command: Command): void {
  const name = command.name() as OperationName
  const operation: Operation = operations[name]
  const flags = flagsOf(operation)
  for (const flag of flags) command.addOption(optionOf(flag))
  if (operation.body)
    command.option(
      '--body <file|json>',
      'body as a file, as JSON, or - for standard input; other options override its fields',
    )
  command
    .option('--json', 'print only the answer, as JSON (null if it has no body)')
    .option('--show-secrets', 'print the secrets of the answer')
    .addOption(directoryOption(directoryHelp))
  for (const option of connectionOptionsOf(operation)) command.addOption(connectionOption(option))
  command
    .addHelpText('after', describeOperation(name, operation))
    .action((given: Readonly<Record<string, string>>) =>
      interruptible((signal) => runOperation({ name, operation, flags, command, given, signal })),
    )
}

function optionOf(flag: Flag): Option {
  const option = new Option(`--${flag.name}${placeholders[flag.kind]}`, describeFlag(flag))
  return flag.kind === 'list' ? option.argParser<readonly string[]>(collect) : option
}

function connectionOption(name: ConnectionOption): Option {
  const { variable, is } = connectionOptions[name]
  const warning = /Secret$/.test(name) ? ', which other users of the machine cannot read' : ''
  return new Option(`--${kebab(name)} <text>`, `${is}; variable ${variable}${warning}`)
}

interface Call {
  readonly name: OperationName
  readonly operation: Operation
  readonly flags: readonly Flag[]
  readonly command: Command
  readonly given: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

async function runOperation({ name, operation, flags, command, given, signal }: Call): Promise<void> {
  const { body, json, showSecrets, directory = stateDirectory } = given
  const byFlag = Object.fromEntries(
    command.options.map((option) => [option.long?.slice(2), command.getOptionValue(option.attributeName())]),
  ) as GivenFlags
  const request = assemble(name, flags, byFlag, body === undefined ? {} : await readBodyArgument(body))
  const connection = await findPlatformConnection(name, operation, { given, environment: process.env, directory })
  const method = createPlatformClient(connection)[name] as (request: object, options: object) => Promise<unknown>
  const answer = await method(request, { signal })

  const { shown, hidden } = showSecrets ? { shown: answer, hidden: false } : hideSecrets(answer)
  const lines = json ? [JSON.stringify(shown ?? null, null, 2)] : answerLines(shown)
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
  if (hidden) process.stderr.write('The secrets of the answer are hidden. Print them with --show-secrets.\n')
}

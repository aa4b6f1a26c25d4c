import { resolve } from 'node:path'
import { Command, Option } from 'commander'
import { type Role, roles } from '../../../lib/api/roles.ts'
import { directoryHelp, findRunningLocal, localFileOf } from '../../local/local-file.ts'
import { startCall, stateDirectory } from '../../local/root.ts'

export const tokenCommand = () =>
  new Command('token')
    .description(`print a token for the API of the running \`${startCall}\`; on AWS your own issuer signs tokens`)
    .addOption(new Option('--role <role>', 'role of the token').choices(Object.keys(roles)).default('operator'))
    .option('--directory <dir>', directoryHelp, stateDirectory)
    .addHelpText(
      'after',
      `\nSend it in the header "Authorization: Bearer …". It is valid for a year, as long as the directory of \`${startCall}\` is kept.`,
    )
    .action(runToken)

async function runToken({ role, directory }: { role: Role; directory: string }): Promise<void> {
  const { tokens } = await findRunningLocal(localFileOf(resolve(directory)))
  process.stdout.write(`${tokens[role]}\n`)
}

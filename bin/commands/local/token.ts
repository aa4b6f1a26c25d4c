import { resolve } from 'node:path'
import { Command, Option } from 'commander'
import { type Role, roles } from '../../../lib/api/roles.ts'
import { directoryHelp, findRunningLocal, localFileOf } from '../../local/local-file.ts'
import { startCall } from '../../local/root.ts'
import { directoryOption } from '../../parsers.ts'
import { printResult } from '../../print.ts'

export const tokenCommand = () =>
  new Command('token')
    .description(`print a token for the API of the running \`${startCall}\`; on AWS your own issuer signs tokens`)
    .addOption(new Option('--role <role>', 'role of the token').choices(Object.keys(roles)).default('operator'))
    .addOption(directoryOption(directoryHelp))
    .option('--json', 'print only { role, token } as JSON')
    .addHelpText(
      'after',
      `\nSend it in the header "Authorization: Bearer …". It is valid for a year, as long as the directory of \`${startCall}\` is kept.`,
    )
    .action(runToken)

async function runToken({ role, directory, json }: { role: Role; directory: string; json?: boolean }): Promise<void> {
  const { tokens } = await findRunningLocal(localFileOf(resolve(directory)))
  const token = tokens[role]
  printResult(json, { role, token }, [token])
}

import { resolve } from 'node:path'
import { Command, Option } from 'commander'
import { type Role, roles } from '../../../lib/api/roles.ts'
import { findRunningLocal, localFileOf } from '../../local/local-file.ts'
import { stateDirectory } from '../../local/root.ts'

export const tokenCommand = () =>
  new Command('token')
    .description('print a token for the API of the running laptop; on AWS tokens come from your own issuer')
    .addOption(new Option('--role <role>', 'what its bearer may do').choices(Object.keys(roles)).default('operator'))
    .option('--directory <dir>', 'the one given to `npm start`', stateDirectory)
    .addHelpText('after', '\nFor the header "Authorization: Bearer …"; it is good for as long as this laptop runs.')
    .action(async ({ role, directory }: { role: Role; directory: string }) => {
      const { tokens } = await findRunningLocal(localFileOf(resolve(directory)))
      process.stdout.write(`${tokens[role]}\n`)
    })

import { resolve } from 'node:path'
import { Command, Option } from 'commander'
import { type Role, roles } from '../../../lib/api/roles.ts'
import { directoryHelp, findRunningLocal, localFileOf, type RunningLocal } from '../../local/local-file.ts'
import { startCall } from '../../local/root.ts'
import { directoryOption } from '../../parsers.ts'

interface Options {
  readonly role: Role
  readonly directory: string
  readonly json?: true
}

export const envCommand = () =>
  new Command('env')
    .description(`print what an event app needs for the running \`${startCall}\`, for its .env file`)
    .addOption(new Option('--role <role>', 'role of the token').choices(Object.keys(roles)).default('operator'))
    .addOption(directoryOption(directoryHelp))
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP)
    .action(runEnv)

const HELP = `
SHOWRUNNER_URL    address of the API
SHOWRUNNER_TOKEN  token of the API, valid for a year, also after a restart on the same directory
CALLBACK_KEYS     address of the keys that verify callbacks (docs/callbacks.md)

The commands of Showrunner use SHOWRUNNER_URL and SHOWRUNNER_TOKEN as well.`

async function runEnv({ role, directory, json }: Options): Promise<void> {
  const variables = envVariablesOf(await findRunningLocal(localFileOf(resolve(directory))), role)
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  process.stdout.write(`${json ? JSON.stringify(variables) : lines.join('\n')}\n`)
}

/** Returns the variables of an event app, by name. No value needs quotes in a .env file. */
export const envVariablesOf = ({ apiUrl, tokens }: Pick<RunningLocal, 'apiUrl' | 'tokens'>, role: Role) => ({
  SHOWRUNNER_URL: apiUrl,
  SHOWRUNNER_TOKEN: tokens[role],
  CALLBACK_KEYS: `${apiUrl}/.well-known/jwks.json`,
})

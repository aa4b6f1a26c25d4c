import { dirname, relative, resolve } from 'node:path'
import { Command } from 'commander'
import { demoParticipants } from '../../../local/simulation/environment/participants.ts'
import { createConsoleLogin } from '../../console/console-login.ts'
import { startConsole } from '../../console/console-server.ts'
import { awsAccessOf } from '../../local/aws-access.ts'
import { aborted, interruptible } from '../../local/interruption.ts'
import { startLocal } from '../../local/local.ts'
import { claimLocalFile, localFileOf } from '../../local/local-file.ts'
import { stateDirectory } from '../../local/root.ts'
import { makeWritable } from '../../local/writable-folder.ts'
import { collect, parsePort } from '../../parsers.ts'
import { createShowParticipants } from '../../shows/show-participants.ts'
import { mediaRootHelp } from './sandbox.ts'

interface Options {
  readonly port: number
  readonly directory: string
  readonly mediaRoot?: readonly string[]
  readonly json?: boolean
}

export const startCommand = () =>
  new Command('start')
    .description('run platform, cloud and console on this machine, until Ctrl-C')
    .option('--port <number>', 'port of the console on 127.0.0.1; 0 takes a free port', parsePort, 0)
    .option('--directory <dir>', 'directory for all state', stateDirectory)
    .option('--media-root <dir>', mediaRootHelp, collect)
    .option(
      '--json',
      'print one line { consoleUrl, apiUrl, token, sandboxUrl, apiKey, directory, pid } as JSON when it is ready',
    )
    .action((options: Options) => interruptible((signal) => runStart(options, signal)))

async function runStart(options: Options, signal: AbortSignal): Promise<void> {
  const { port, directory: given, mediaRoot: mediaRoots, json = false } = options
  const directory = resolve(given)
  await makeWritable(dirname(directory))
  const claim = await claimLocalFile(localFileOf(directory))
  await using opened = new AsyncDisposableStack()
  opened.defer(claim.release)
  const keep = <Part extends { close(): Promise<void> }>(part: Part): Part => opened.adopt(part, () => part.close())
  const report = (line: string) => process.stderr.write(`${line}\n`)
  const onStep = (step: string) => report(`… ${step}`)
  const { sandbox, cloud, tokens, callbackSecret } = keep(await startLocal({ directory, mediaRoots, signal, onStep }))
  const access = { apiUrl: cloud.apiUrl, token: tokens.admin } // the user who starts it is its administrator
  const sandboxUrl = sandbox.url
  const participants = keep(
    createShowParticipants({ access, sandboxUrl, participants: demoParticipants, onProblem: report }),
  )
  const login = createConsoleLogin()
  const page = keep(await startConsole({ access, mediaOrigins: [sandboxUrl, cloud.awsUrl], participants, login }, port))
  const addresses = { consoleUrl: login.addressOf(page.url), ...access, sandboxUrl }
  const { insightsUrl, apiKey, apiSecret, accountKey, accountSecret, controlToken = '' } = sandbox
  const sandboxAccess = { insightsUrl, apiKey, apiSecret, accountKey, accountSecret }
  const { outputs } = cloud.cloud
  const awsAccess = awsAccessOf(cloud)
  const secrets = { tokens, sandboxAccess, controlToken, awsAccess, callbackSecret }
  await claim.publish({ ...addresses, ...secrets, outputs })

  if (json) process.stdout.write(`${JSON.stringify({ ...addresses, apiKey, directory, pid: process.pid })}\n`)
  else process.stdout.write(describe({ ...addresses, apiKey, directory }))
  await aborted(signal)
  report('Closing …')
  process.exitCode = 0 // Ctrl-C is the normal way to stop it
}

type Description = Readonly<Record<'consoleUrl' | 'apiUrl' | 'sandboxUrl' | 'apiKey' | 'directory', string>>

/** Describes how to use the system. Secrets are left to the local file, which only its owner can read. */
function describe({ consoleUrl, apiUrl, sandboxUrl, apiKey, directory }: Description): string {
  const file = relative(process.cwd(), localFileOf(directory))
  const where = directory === stateDirectory ? '' : ` --directory ${relative(process.cwd(), directory)}`
  return `
Showrunner is running. Open the console in a browser:

  Console   ${consoleUrl}
  API       ${apiUrl}
  Token     npm run -s showrunner -- token [--role viewer|admin]${where}
            for the header "Authorization: Bearer …"
  Callbacks are verified with the keys at ${apiUrl}/.well-known/jwks.json
  Sandbox   ${sandboxUrl} (API key ${apiKey}; its controlToken is in ${file})
  State     ${relative(process.cwd(), directory)}

Run a show:  npm run showrunner -- run examples/webinar.json --participants 3${where}
Ctrl-C stops it.
`
}

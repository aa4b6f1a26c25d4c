import { Command } from 'commander'
import { openListener } from '../../../local/cloud/server.ts'
import { createConsoleLogin } from '../../console/console-login.ts'
import { startConsole } from '../../console/console-server.ts'
import { mediaOriginsOf } from '../../console/media-origins.ts'
import { findBrowser } from '../../local/browser.ts'
import { aborted, interruptible } from '../../local/interruption.ts'
import { defaultPorts, openAtPreferredPort } from '../../local/preferred-port.ts'
import { findTarget, type Target, type TargetOptions, withTarget } from '../../operations/target.ts'
import { parsePort } from '../../parsers.ts'
import { createShowApi } from '../../shows/show-api.ts'

interface Options extends TargetOptions {
  readonly port?: number
  readonly open?: boolean
  readonly json?: boolean
}

const HELP = `
The page is served on 127.0.0.1 and calls the API through this command. The token stays in its memory: the page, its address and
its log never have it. The page can do what the role of the token allows. Once the token has expired, set a new one and start
the command again.

Example:
  SHOWRUNNER_TOKEN=… showrunner console --stage prod --open`

export const consoleCommand = () =>
  withTarget(new Command('console').description('serve the console for a deployment on this machine, until Ctrl-C'))
    .option('--port <number>', `port of the page (default: ${defaultPorts.console} if it is free)`, parsePort)
    .option('--open', 'open the console in the browser')
    .option('--json', 'print only { consoleUrl, apiUrl } as JSON, in one line')
    .addHelpText('after', HELP)
    .action((options: Options) => interruptible((signal) => runConsole(options, signal)))

async function runConsole({ port, open, json, ...where }: Options, signal: AbortSignal): Promise<void> {
  const target = await findTarget(where)
  const { access } = target
  await createShowApi(access).shows.list({ limit: 1 }).page() // refuses a wrong address or token before the page does
  const browser = open ? await findBrowser(process.env, process.platform, 'Leave out --open.') : undefined
  const listener = await openAtPreferredPort({
    ...{ name: 'the console', option: '--port', asked: port, preferred: defaultPorts.console, open: openListener },
    report: (line) => process.stderr.write(`${line}\n`),
  })
  const login = createConsoleLogin()
  const deployment = { name: nameOf(target), apiUrl: access.apiUrl }
  const page = await startConsole({ access, mediaOrigins: mediaOriginsOf(access.apiUrl), login, deployment }, listener)
  try {
    const consoleUrl = login.addressOf(page.url)
    if (json) process.stdout.write(`${JSON.stringify({ consoleUrl, apiUrl: access.apiUrl })}\n`)
    else process.stdout.write(`\n  Console   ${consoleUrl}\n  API       ${access.apiUrl}\n\nCtrl-C stops it.\n`)
    browser?.open(login.ticketAddressOf(page.url)) // its argument is visible to other users, so it has no token
    await aborted(signal)
    process.exitCode = 0 // Ctrl-C is the normal way to stop it
  } finally {
    await page.close()
  }
}

function nameOf(target: Target): string {
  if (target.kind === 'local') return 'This machine'
  return target.stage === undefined ? 'A deployment' : `The stage ${target.stage}`
}

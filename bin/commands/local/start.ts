import { dirname, relative, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { getAhead } from '../../../lib/clock.ts'
import { OWNER_EVENT_SOURCE } from '../../../lib/events/owner-events.ts'
import { createPlatformClient } from '../../../lib/platform/client/client.ts'
import { openListener } from '../../../local/cloud/server.ts'
import { openSandboxListener } from '../../../local/sandbox/listener.ts'
import { demoParticipants } from '../../../local/simulation/environment/participants.ts'
import { createConsoleLogin } from '../../console/console-login.ts'
import { startConsole } from '../../console/console-server.ts'
import { openLocalClock } from '../../console/local-clock.ts'
import { createGreenRoom } from '../../join/green-room.ts'
import { startJoinPage } from '../../join/join-server.ts'
import { awsAccessOf } from '../../local/aws-access.ts'
import { findBrowser } from '../../local/browser.ts'
import { type ComposerKind, chooseComposers, composerKinds, composersHelp } from '../../local/composers.ts'
import { aborted, interruptible } from '../../local/interruption.ts'
import { DEFAULT_RTMP_RECONNECT, startLocal } from '../../local/local.ts'
import { claimLocalFile, localFileOf } from '../../local/local-file.ts'
import { defaultPorts, openAtPreferredPort } from '../../local/preferred-port.ts'
import { commandCall, exampleShow, quietCall, stateDirectory } from '../../local/root.ts'
import { makeWritable } from '../../local/writable-folder.ts'
import {
  collect,
  collectOrigins,
  directoryOption,
  parseHeights,
  parseOrigin,
  parseOwnAddress,
  parsePort,
  wholeNumber,
} from '../../parsers.ts'
import { ownerEventLine } from '../../shows/owner-event-lines.ts'
import { createShowApi } from '../../shows/show-api.ts'
import { createShowParticipants } from '../../shows/show-participants.ts'
import { readSipSettings } from '../../sip/read-sip-settings.ts'
import { type SipOptions, sipOptions } from '../../sip/sip-options.ts'
import { ladderHelp, MAX_RTMP_RECONNECT, mediaRootHelp, originHelp, rtmpReconnectHelp } from './sandbox.ts'

interface Options extends SipOptions {
  readonly port?: number
  readonly joinPort?: number
  readonly apiPort?: number
  readonly sandboxPort?: number
  readonly directory: string
  readonly rtmpReconnect: number
  readonly allowOrigin?: readonly string[]
  readonly ladder?: readonly number[]
  readonly origin?: string
  readonly mediaRoot?: readonly string[]
  readonly composers?: ComposerKind
  readonly peerAddress?: string
  readonly open?: boolean
  readonly json?: boolean
}

const peerAddressHelp =
  'IPv4 address of this machine for the media of participants; its network reaches it. Firefox needs one (default: 127.0.0.1)'

const portHelp = (name: string, port: number) =>
  `port of ${name} on 127.0.0.1; 0 takes a free port (default: ${port}, or a free port if it is in use)`

export const startCommand = () =>
  new Command('start')
    .description('run platform, cloud and console on this machine, until Ctrl-C')
    .option('--port <number>', portHelp('the console', defaultPorts.console), parsePort)
    .option('--api-port <number>', portHelp('the API', defaultPorts.api), parsePort)
    .option('--sandbox-port <number>', portHelp('the sandbox', defaultPorts.sandbox), parsePort)
    .option('--join-port <number>', portHelp('the join page', defaultPorts.join), parsePort)
    .option('--peer-address <ipv4>', peerAddressHelp, parseOwnAddress)
    .addOption(directoryOption('directory for all state'))
    .option('--rtmp-reconnect <seconds>', rtmpReconnectHelp, wholeNumber(0, MAX_RTMP_RECONNECT), DEFAULT_RTMP_RECONNECT)
    .option('--allow-origin <origin>', 'origin whose pages may call the API (CORS); may be repeated', collectOrigins)
    .option('--ladder <heights>', ladderHelp, parseHeights)
    .option('--origin <where>', originHelp, parseOrigin)
    .option('--media-root <dir>', mediaRootHelp, collect)
    .addOption(new Option('--composers <kind>', composersHelp).choices(composerKinds))
    .addOption(sipOptions.allow())
    .addOption(sipOptions.ca())
    .addOption(sipOptions.proxy())
    .option('--open', 'open the console in the browser')
    .option(
      '--json',
      'print one line { consoleUrl, joinUrl, apiUrl, token, sandboxUrl, apiKey, directory, pid } as JSON when it is ready',
    )
    .action((options: Options) => interruptible((signal) => runStart(options, signal)))

async function runStart(options: Options, signal: AbortSignal): Promise<void> {
  const { directory: given, mediaRoot: mediaRoots, peerAddress, allowOrigin: allowedOrigins, json = false } = options
  const directory = resolve(given)
  const browser = options.open ? await findBrowser() : undefined
  const { chromiumPath, description: composers } = await chooseComposers(options.composers)
  await makeWritable(dirname(directory))
  const claim = await claimLocalFile(localFileOf(directory))
  await using opened = new AsyncDisposableStack()
  opened.defer(claim.release)
  const keep = <Part extends { close(): Promise<void> }>(part: Part): Part => opened.adopt(part, () => part.close())
  const report = (line: string) => process.stderr.write(`${line}\n`)
  if (peerAddress && !peerAddress.startsWith('127.'))
    report(`⚠ The network reaches ${peerAddress}: media of participants is received there. Pages stay on 127.0.0.1.`)
  const { console: consoleListener, join: joinListener, ...listeners } = await openListeners(options, { keep, report })
  const onStep = (step: string) => report(`… ${step}`)
  const { rtmpReconnect, ladder, origin } = options
  const joinPage = `${joinListener.url}/`
  const sip = await readSipSettings(options, report)
  const setup = {
    joinUrl: joinPage,
    directory,
    mediaRoots,
    chromiumPath,
    peerAddress,
    sip,
    rtmpReconnect,
    ladder,
    origin,
    listeners,
    allowedOrigins,
  }
  const clock = await openLocalClock(directory)
  if (getAhead() > 0)
    report(`⚠ The clock is ${hoursOf(getAhead())} h ahead of this machine. It was moved in the console.`)
  const local = keep(await startLocal({ ...setup, signal, onStep }))
  const { sandbox, cloud, tokens, callbackSecret } = local
  const access = { apiUrl: cloud.apiUrl, token: tokens.admin } // the user who starts it is its administrator
  const sandboxUrl = sandbox.url
  const participants = keep(
    createShowParticipants({ access, sandboxUrl, participants: demoParticipants, onProblem: report }),
  )
  const login = createConsoleLogin()
  const { insightsUrl, apiKey, apiSecret, accountKey, accountSecret, controlToken = '' } = sandbox
  const { joinUrl, waiting } = keep(await startJoinPage({ access, sandboxUrl }, joinListener))
  const platform = createPlatformClient({ baseUrl: sandboxUrl, apiKey, apiSecret })
  const greenRoom = createGreenRoom({ platform, waiting })
  const mediaOrigins = [sandboxUrl, cloud.awsUrl]
  const consoleOptions = { access, mediaOrigins, login, local: { participants, joinUrl, greenRoom, sandbox, clock } }
  const page = keep(await startConsole(consoleOptions, consoleListener))
  const addresses = { consoleUrl: login.addressOf(page.url), joinUrl, ...access, sandboxUrl }
  const sandboxAccess = { insightsUrl, apiKey, apiSecret, accountKey, accountSecret }
  const { outputs } = cloud.cloud
  const awsAccess = awsAccessOf(cloud)
  const secrets = { tokens, sandboxAccess, controlToken, awsAccess, callbackSecret }
  await claim.publish({ ...addresses, ...secrets, outputs })

  if (json) process.stdout.write(`${JSON.stringify({ ...addresses, apiKey, directory, pid: process.pid })}\n`)
  else process.stdout.write(describe({ ...addresses, apiKey, directory, composers }))
  browser?.open(login.ticketAddressOf(page.url)) // its argument is visible to other users, so it has no token
  const api = createShowApi(access)
  cloud.cloud.events.addRule({
    bus: outputs.EventBusName ?? '',
    pattern: { source: [OWNER_EVENT_SOURCE] },
    deliver: ({ detail }) =>
      void ownerEventLine(detail, api).then(
        (line) => line && report(line),
        (error: Error) => report(error.message),
      ),
  })
  await aborted(signal)
  report('Closing …')
  process.exitCode = 0 // Ctrl-C is the normal way to stop it
}

/** @param ms milliseconds */
const hoursOf = (ms: number) => Math.round(ms / 360_000) / 10

/** Takes all ports before anything is started. */
async function openListeners(
  { port, joinPort, apiPort, sandboxPort }: Options,
  { keep, report }: { keep: <Part extends { close(): Promise<void> }>(part: Part) => Part; report(line: string): void },
) {
  const api = { name: 'the API', option: '--api-port', asked: apiPort, preferred: defaultPorts.api }
  const sandbox = { name: 'the sandbox', option: '--sandbox-port', asked: sandboxPort, preferred: defaultPorts.sandbox }
  const console = { name: 'the console', option: '--port', asked: port, preferred: defaultPorts.console }
  const join = { name: 'the join page', option: '--join-port', asked: joinPort, preferred: defaultPorts.join }
  return {
    api: keep(await openAtPreferredPort({ ...api, open: openListener, report })),
    sandbox: keep(await openAtPreferredPort({ ...sandbox, open: openSandboxListener, report })),
    console: keep(await openAtPreferredPort({ ...console, open: openListener, report })),
    join: keep(await openAtPreferredPort({ ...join, open: openListener, report })),
  }
}

type Description = Readonly<
  Record<'consoleUrl' | 'joinUrl' | 'apiUrl' | 'sandboxUrl' | 'apiKey' | 'directory' | 'composers', string>
>

/** Describes how to use the system. Secrets are left to the local file, which only its owner can read. */
function describe({ consoleUrl, joinUrl, apiUrl, sandboxUrl, apiKey, directory, composers }: Description): string {
  const file = relative(process.cwd(), localFileOf(directory))
  const where = directory === stateDirectory ? '' : ` --directory ${relative(process.cwd(), directory)}`
  return `
Showrunner is running. Open the console in a browser:

  Console   ${consoleUrl}
  Join      ${joinUrl}
            lets a participant into the show that runs, with camera and microphone
  API       ${apiUrl}
  Token     ${quietCall} token [--role viewer|admin]${where}
            for the header "Authorization: Bearer …"; it survives a restart
  .env      ${quietCall} env${where} >> .env
            address, token and keys of callbacks, for an event app
  Sandbox   ${sandboxUrl} (API key ${apiKey}; its controlToken is in ${file})
  Composers ${composers}
  State     ${relative(process.cwd(), directory)}

Run a show:  ${commandCall} run ${exampleShow} --participants 3${where}
Ctrl-C stops it.
`
}

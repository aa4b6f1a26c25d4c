import { isIPv4 } from 'node:net'
import { join, resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { type Clock, createSteppedClock, realClock } from '../../../lib/clock.ts'
import { limits } from '../../../lib/platform/contract/limits.ts'
import { AUTH_HEADER, OPENTOK_AUTH_HEADER } from '../../../lib/platform/contract/tokens.ts'
import { LOOPBACK } from '../../../local/sandbox/http/hosts.ts'
import type { LogLine } from '../../../local/sandbox/http/router.ts'
import { createMedia } from '../../../local/sandbox/media/create-media.ts'
import { type SandboxServer, startSandbox } from '../../../local/sandbox/server.ts'
import { type ComposerKind, chooseComposers, composerKinds, composersHelp } from '../../local/composers.ts'
import { aborted, interruptible } from '../../local/interruption.ts'
import { findLocalFfmpeg } from '../../local/local-ffmpeg.ts'
import { makeWritable } from '../../local/writable-folder.ts'
import { collect, parseHeights, parseOrigin, parsePort, wholeNumber } from '../../parsers.ts'
import { readSipSettings } from '../../sip/read-sip-settings.ts'
import { type SipOptions, sipOptions } from '../../sip/sip-options.ts'
import { createTemporaryFolder } from '../../temporary-folder.ts'

const addressHelp = 'IPv4 address of this machine at which it listens, so that its network reaches it'

/** @throws InvalidArgumentError for a text that is not the IPv4 address of one interface */
function parseAddress(text: string): string {
  if (isIPv4(text) && text !== '0.0.0.0') return text
  throw new InvalidArgumentError('It must be the IPv4 address of one interface, such as 192.168.1.20.')
}

export const rtmpReconnectHelp = 'seconds for which a lost RTMP output connects again'
/** Seconds, the longest duration of a broadcast. */
export const MAX_RTMP_RECONNECT = limits.broadcastDurationMax.value
export const ladderHelp =
  'pixels of further renditions of each HLS broadcast, of the shorter side, such as 360 or 480,240 (default: none)'
export const originHelp =
  'mirror HLS broadcasts in the bucket of the upload target: "bucket", or the URL of a CDN in front of it (default: none)'
export const mediaRootHelp = 'folder from which participants may publish files; repeatable (default: none)'

const authHeaderHelp = `accept the token only in this header; repeatable (default: ${AUTH_HEADER} and ${OPENTOK_AUTH_HEADER})`

interface Options extends SipOptions {
  readonly port: number
  readonly address: string
  readonly clock: 'real' | 'stepped'
  readonly data?: string
  readonly authHeader?: readonly string[]
  readonly advancedInsights: boolean
  readonly rtmpForm: 'object' | 'array'
  readonly rtmpReconnect: number
  readonly ladder?: readonly number[]
  readonly origin?: string
  readonly mediaRoot?: readonly string[]
  readonly composers?: ComposerKind
  readonly openControl?: true
  readonly json?: true
}

export const sandboxCommand = () =>
  new Command('sandbox')
    .description('run only the video platform, until Ctrl-C (docs/sandbox.md)')
    .option('--port <number>', 'port; 0 takes a free port', parsePort, 0)
    .option('--address <ipv4>', addressHelp, parseAddress, LOOPBACK)
    .addOption(
      new Option('--clock <kind>', 'stepped: time only advances with POST /sandbox/clock')
        .choices(['real', 'stepped'])
        .default('real'),
    )
    .option('--data <dir>', 'keep its state in this folder (default: a temporary folder)')
    .option('--auth-header <name>', authHeaderHelp, collect)
    .addOption(
      new Option('--rtmp-form <form>', 'form of RTMP outputs in listBroadcasts and getBroadcast; deployments differ')
        .choices(['object', 'array'])
        .default('object'),
    )
    .option('--rtmp-reconnect <seconds>', rtmpReconnectHelp, wholeNumber(0, MAX_RTMP_RECONNECT), 0)
    .option('--ladder <heights>', ladderHelp, parseHeights)
    .option('--origin <where>', originHelp, parseOrigin)
    .option('--media-root <dir>', mediaRootHelp, collect)
    .addOption(new Option('--composers <kind>', composersHelp).choices(composerKinds))
    .addOption(sipOptions.allow())
    .addOption(sipOptions.ca())
    .addOption(sipOptions.proxy())
    .option('--open-control', 'serve /sandbox to every user of this machine, without controlToken')
    .option('--no-advanced-insights', 'run without the add-on: Insights refuse queries about sessions (1014)')
    .option(
      '--json',
      'print one line { url, insightsUrl, apiKey, apiSecret, accountKey, accountSecret, controlToken } as JSON when it is ready',
    )
    .action((options: Options) => interruptible((signal) => runSandbox(options, signal)))

async function runSandbox(options: Options, signal: AbortSignal): Promise<void> {
  const {
    port,
    data,
    authHeader: authHeaders,
    mediaRoot: mediaRoots,
    composers,
    rtmpReconnect,
    ladder,
    json,
    clock: _,
    ...others
  } = options
  const isReachable = !others.address.startsWith('127.')
  if (isReachable && others.openControl)
    throw new Error('--open-control serves this machine only: leave it out, or leave out --address.')
  const { chromiumPath, description } = await chooseComposers(composers, { isStepped: options.clock === 'stepped' })
  const ffmpegPath = await findLocalFfmpeg((warning) => process.stderr.write(`${warning}\n`))
  await using temporary = data === undefined ? await createTemporaryFolder('showrunner-sandbox-') : null
  const directory = temporary?.path ?? resolve(data ?? '')
  await makeWritable(directory)
  let sandbox: SandboxServer | undefined
  const clock = makeClock(options.clock, async () => sandbox?.settled())
  const media = await createMedia({ ffmpegPath, clock, directory: join(directory, 'media'), rtmpReconnect, ladder })
  const sip = await readSipSettings(options, (line) => process.stderr.write(`${line}\n`))
  const log = (line: LogLine) => process.stderr.write(`${describeRequest(line, clock.now())}\n`)
  const owned = { media, clock, directory, chromiumPath, sip }
  sandbox = await startSandbox({ ...others, ...owned, port, log, authHeaders, mediaRoots })
  if (isReachable) process.stderr.write(NETWORK_WARNING)
  process.stdout.write(json ? `${JSON.stringify(accessOf(sandbox))}\n` : describe(sandbox, description))
  await aborted(signal)
  await sandbox.close()
  process.exitCode = 0 // Ctrl-C is the normal way to stop it
}

const NETWORK_WARNING = `\
Warning: every machine of your network can reach this sandbox, and nothing that it sends is encrypted.
Browsers give a page their camera on 127.0.0.1 or by HTTPS only: publish from other machines with OBS or ffmpeg.
`

/** Creates the clock. A stepped one waits before each step until all work is done, rendering included. */
const makeClock = (kind: Options['clock'], settled: () => Promise<unknown>): Clock =>
  kind === 'real' ? realClock : createSteppedClock(Date.now(), settled)

const accessOf = ({ url, insightsUrl, apiKey, apiSecret, accountKey, accountSecret, controlToken }: SandboxServer) => {
  const credentials = { apiKey, apiSecret, accountKey, accountSecret }
  return { url, insightsUrl, ...credentials, ...(controlToken && { controlToken }) }
}

const describe = (
  { url, insightsUrl, apiKey, apiSecret, accountKey, accountSecret, controlToken }: SandboxServer,
  composers: string,
) => `\
The sandbox listens at ${url}
  Insights        ${insightsUrl}
  API key         ${apiKey}
  API secret      ${apiSecret}
  Account key     ${accountKey}
  Account secret  ${accountSecret}
  Control token   ${controlToken ?? 'none: every user of this machine can control it'}
  Composers       ${composers}
Ctrl-C stops it.
`

/** Formats one request: time, status, method, operation, duration by the sandbox's clock, request id, fault and error. */
export function describeRequest(
  { requestId, method, operation, status, ms, fault, error }: LogLine,
  now: number,
): string {
  const time = new Date(now).toISOString().slice(11, 23)
  const more = [...(fault ? [`fault ${fault}`] : []), ...(error ? [error] : [])].map((word) => `  ${word}`).join('')
  return `${time}  ${status || 'cut'}  ${method.padEnd(6)} ${operation.padEnd(20)} ${`${ms} ms`.padStart(8)}  ${requestId}${more}`
}

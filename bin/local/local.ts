import { join } from 'node:path'
import type { Role } from '../../lib/api/roles.ts'
import { realClock } from '../../lib/clock.ts'
import type { Listener } from '../../local/cloud/server.ts'
import { type CloudServer, startCloud } from '../../local/cloud/start.ts'
import { LIVE_FOLDER } from '../../local/sandbox/broadcasts/origin.ts'
import type { SipSettings } from '../../local/sandbox/calls/phones.ts'
import type { SandboxListener } from '../../local/sandbox/listener.ts'
import { createMedia } from '../../local/sandbox/media/create-media.ts'
import { type SandboxServer, startSandbox } from '../../local/sandbox/server.ts'
import { localSettings, synthesize } from './assembly.ts'
import { exchangeSecrets } from './exchange-secrets.ts'
import { openFunctionLog } from './function-log.ts'
import { findLocalFfmpeg } from './local-ffmpeg.ts'
import { recordExecutions } from './running-executions.ts'
import { makeWritable } from './writable-folder.ts'

export interface LocalOptions {
  readonly directory: string
  /** Folders from which participants may publish files. @default none */
  readonly mediaRoots?: readonly string[] | undefined
  /** Chromium that renders the pages of composers. @default none: they are simulated */
  readonly chromiumPath?: string | undefined
  /** IPv4 address at which it receives the media of WebRTC peers. @default 127.0.0.1 */
  readonly peerAddress?: string | undefined
  /** Calls of real phones. @default only those of this machine are dialled */
  readonly sip?: SipSettings | undefined
  /** Seconds for which a lost RTMP output connects again. @default 30 */
  readonly rtmpReconnect?: number | undefined
  /** Shorter sides of further renditions of each broadcast, in pixels. @default none */
  readonly ladder?: readonly number[] | undefined
  /** Mirror of HLS broadcasts: `bucket`, or the URL of a CDN in front of the bucket. @default none */
  readonly origin?: string | undefined
  /** URL of the join page, to which invitations lead. @default none */
  readonly joinUrl?: string | undefined
  /** Origins whose pages may call the API. @default none */
  readonly allowedOrigins?: readonly string[] | undefined
  /** Servers of the API and the sandbox. They close with the system. @default servers on free ports */
  readonly listeners?: Readonly<{ api: Listener; sandbox: SandboxListener }>
  readonly signal?: AbortSignal
  /** Receives each step, such as `starting the sandbox`. */
  readonly onStep?: (step: string) => void
}

/** The sandbox and the stack on this machine. */
export interface Local {
  readonly sandbox: SandboxServer
  readonly cloud: CloudServer
  /** Tokens by role. They are valid for a year, also after a restart on the same directory, which keeps the signing key. */
  readonly tokens: Readonly<Record<Role, string>>
  /** Secret with which an event app verifies callbacks. */
  readonly callbackSecret: string
  close(): Promise<void>
}

/** Seconds for which a lost RTMP output connects again. */
export const DEFAULT_RTMP_RECONNECT = 30
/** Seconds. */
const YEAR = 365 * 86_400

/**
 * Starts the sandbox and the stack, and exchanges their secrets. Closes what it started when it throws.
 * @throws Error when a part cannot be started, or `signal` aborts
 */
export async function startLocal({
  directory,
  mediaRoots,
  chromiumPath,
  peerAddress,
  sip,
  rtmpReconnect = DEFAULT_RTMP_RECONNECT,
  ladder,
  origin,
  joinUrl = 'none',
  allowedOrigins = [],
  listeners,
  signal,
  onStep,
}: LocalOptions): Promise<Local> {
  await using parts = new AsyncDisposableStack()
  const keep = <Part extends { close(): Promise<void> }>(part: Part): Part => parts.adopt(part, () => part.close())
  const step = (name: string) => {
    signal?.throwIfAborted()
    onStep?.(name)
  }
  step('finding ffmpeg')
  const ffmpegPath = await findLocalFfmpeg((warning) => onStep?.(warning))
  await makeWritable(directory)

  step('starting the sandbox')
  const sandboxDirectory = join(directory, 'sandbox')
  await makeWritable(sandboxDirectory)
  const mediaDirectory = join(sandboxDirectory, 'media')
  const media = await createMedia({ ffmpegPath, clock: realClock, directory: mediaDirectory, rtmpReconnect, ladder })
  const listener = listeners?.sandbox
  const sandbox = keep(
    await startSandbox({
      ...{ media, directory: sandboxDirectory, listener, mediaRoots, chromiumPath, peerAddress, sip },
      origin,
    }),
  )

  step('synthesizing the stack')
  const assembly = await synthesize(signal, { allowedOrigins: [...allowedOrigins] })

  step('starting the cloud')
  const log = keep(openFunctionLog(directory, realClock.now))
  const cloud = keep(
    await startCloud({
      assembly,
      parameters: ({ awsUrl, issuerUrl }) => ({
        PlatformUrl: sandbox.url,
        InsightsUrl: sandbox.insightsUrl,
        TokenIssuer: issuerUrl,
        UploadEndpoint: awsUrl,
        FfmpegPath: ffmpegPath,
        JoinUrl: joinUrl,
        CallbackReach: 'anywhere', // event apps under development run on this machine
      }),
      ...(origin !== undefined && { isPublic: (key) => key.startsWith(`${sandbox.apiKey}/${LIVE_FOLDER}/`) }),
      directory: join(directory, 'cloud'),
      apiListener: listeners?.api,
      allowedOrigins,
      clock: realClock,
      log: log.write,
    }),
  )
  parts.defer(sandbox.endBroadcasts) // mirrored ones are in the cloud's bucket
  // Closed first, so that the next start reports the executions that closing aborts.
  const running = keep(recordExecutions(directory, cloud.cloud, realClock.now))
  const callbackSecret = await exchangeSecrets(cloud, sandbox)
  running.reportAborted()
  const { audience, roleClaim, ...claims } = localSettings.identity
  const sign = (role: Role) =>
    cloud.issuer.sign({ sub: 'laptop', [roleClaim]: claims[role] }, { audience, seconds: YEAR, now: Date.now() })
  const [viewer, operator, admin] = await Promise.all([sign('viewer'), sign('operator'), sign('admin')])
  const tokens = { viewer, operator, admin }
  const started = parts.move()
  return { sandbox, cloud, tokens, callbackSecret, close: () => started.disposeAsync() }
}

import { join } from 'node:path'
import type { Role } from '../../lib/api/roles.ts'
import { realClock } from '../../lib/clock.ts'
import { type CloudServer, startCloud } from '../../local/cloud/start.ts'
import { createMedia } from '../../local/sandbox/media/create-media.ts'
import { type SandboxServer, startSandbox } from '../../local/sandbox/server.ts'
import { localSettings, synthesize } from './assembly.ts'
import { exchangeSecrets } from './exchange-secrets.ts'
import { noteExecutions } from './executions-under-way.ts'
import { openFunctionLog } from './function-log.ts'
import { findLocalFfmpeg } from './local-ffmpeg.ts'
import { makeWritable } from './writable-folder.ts'

export interface LocalOptions {
  /** Where sandbox and cloud keep their state. */
  readonly directory: string
  /** Folders that participants may publish files from. @default none */
  readonly mediaRoots?: readonly string[] | undefined
  readonly signal?: AbortSignal
  /** Told what is being done, in words. */
  readonly onStep?: (words: string) => void
}

/** Platform and AWS together on this machine. */
export interface Local {
  readonly sandbox: SandboxServer
  readonly cloud: CloudServer
  /** A token for each role, good as long as this laptop runs: the key that verifies them is new at each start. */
  readonly tokens: Readonly<Record<Role, string>>
  /** What an event app verifies callbacks by. */
  readonly callbackSecret: string
  close(): Promise<void>
}

const YEAR = 365 * 86_400

/** Starts the sandbox and the stack, and introduces them to each other. Whatever it started is closed again when it throws. */
export async function startLocal({ directory, mediaRoots, signal, onStep }: LocalOptions): Promise<Local> {
  const started: { close(): Promise<unknown> }[] = []
  const close = async () => {
    for (const part of started.splice(0).reverse()) await part.close()
  }
  const step = (words: string) => {
    signal?.throwIfAborted()
    onStep?.(words)
  }
  try {
    step('finding ffmpeg')
    const ffmpegPath = await findLocalFfmpeg((words) => onStep?.(words))
    await makeWritable(directory)

    step('starting the sandbox')
    const sandboxDirectory = join(directory, 'sandbox')
    await makeWritable(sandboxDirectory)
    const media = await createMedia({ ffmpegPath, clock: realClock, directory: join(sandboxDirectory, 'media') })
    const sandbox = await startSandbox({ media, directory: sandboxDirectory, mediaRoots })
    started.push(sandbox)

    step('synthesizing the stack')
    const assembly = await synthesize(signal)

    step('starting the cloud')
    const log = openFunctionLog(directory, realClock.now)
    started.push(log)
    const cloud = await startCloud({
      assembly,
      parameters: ({ awsUrl, issuerUrl }) => ({
        PlatformUrl: sandbox.url,
        InsightsUrl: sandbox.insightsUrl,
        TokenIssuer: issuerUrl,
        UploadEndpoint: awsUrl,
        FfmpegPath: ffmpegPath,
        CallbackReach: 'anywhere', // event apps under development run on this machine as well
      }),
      directory: join(directory, 'cloud'),
      clock: realClock,
      log: log.write,
    })
    started.push(cloud)
    const underWay = noteExecutions(directory, cloud.cloud, realClock.now)
    started.push(underWay) // closed first: that closing aborts executions is for the next start to tell
    const callbackSecret = await exchangeSecrets(cloud, sandbox)
    underWay.tellOfAborted()
    const { audience, roleClaim, ...words } = localSettings.identity
    const sign = (role: Role) =>
      cloud.issuer.sign({ sub: 'laptop', [roleClaim]: words[role] }, { audience, seconds: YEAR, now: Date.now() })
    const [viewer, operator, admin] = await Promise.all([sign('viewer'), sign('operator'), sign('admin')])
    return { sandbox, cloud, tokens: { viewer, operator, admin }, callbackSecret, close }
  } catch (error) {
    await close()
    throw error
  }
}

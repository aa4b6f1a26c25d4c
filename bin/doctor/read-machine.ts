import { once } from 'node:events'
import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { runFfmpeg } from '../../lib/media/ffmpeg/ffmpeg.ts'
import { readFfmpegBuild } from '../../lib/media/ffmpeg/ffmpeg-build.ts'
import { findFfmpeg } from '../../lib/media/ffmpeg/find-ffmpeg.ts'
import { disposable } from '../local/aws-access.ts'
import { chooseComposers } from '../local/composers.ts'

/** A fact that may be unreadable. The problem is a sentence. */
export type Fact<Value> = Value | { readonly problem: string }

export interface FfmpegFacts {
  readonly path: string
  readonly version: string
  /** False for a build before 5.1. */
  readonly isSupported: boolean
  /** Encoders that Showrunner uses and the build lacks. */
  readonly lacking: readonly string[]
}

/** Facts about the machine on which the command line runs. */
export interface MachineFacts {
  readonly platform: NodeJS.Platform
  /** Version of the Node that runs. */
  readonly node: string
  readonly cores: number
  readonly ffmpeg: Fact<FfmpegFacts>
  /** How pages of composers are shown. */
  readonly composers: Fact<{ readonly isSimulated: boolean; readonly description: string; readonly remedy?: string }>
  /** Ports on 127.0.0.1, and the code of the error for each that cannot be used. */
  readonly ports: readonly { readonly port: number; readonly purpose: string; readonly code?: string }[]
  /** Folder in which state is kept, and its free bytes. */
  readonly folder: Fact<{ readonly path: string; readonly free: number }>
  /** Available bytes. */
  readonly memory: number
  readonly awsCredentials: Fact<'found'>
}

/** Encoders of all builds that record, publish and send WebRTC. */
const ENCODERS = ['libx264', 'aac', 'mjpeg', 'libvpx', 'libopus']

/** Milliseconds for finding credentials. Machines outside of AWS wait for an answer of its metadata service. */
const CREDENTIALS_TIMEOUT = 3_000

export interface Surroundings {
  readonly environment: NodeJS.ProcessEnv
  /** Folder in which commands keep `.showrunner`. */
  readonly folder: string
  /** Purpose of each port, such as `console`. */
  readonly ports: Readonly<Record<string, number>>
}

/** Reads facts about this machine. It changes nothing, and needs no network. */
export async function readMachine({ environment, folder, ports }: Surroundings): Promise<MachineFacts> {
  const [ffmpeg, composers, ownFolder, awsCredentials, ...ownPorts] = await Promise.all([
    orProblem(readFfmpeg(environment)),
    orProblem(readComposers(environment)),
    orProblem(readFolder(folder)),
    orProblem(findCredentials()),
    ...Object.entries(ports).map(async ([purpose, port]) => ({ purpose, port, ...(await bind(port)) })),
  ])
  return {
    platform: process.platform,
    node: process.versions.node,
    cores: availableParallelism(),
    memory: process.availableMemory(),
    ...{ ffmpeg, composers, folder: ownFolder, awsCredentials, ports: ownPorts },
  }
}

const orProblem = <Value>(value: Promise<Value>): Promise<Fact<Value>> =>
  value.catch((error: Error) => ({ problem: error.message }))

async function readFfmpeg(environment: NodeJS.ProcessEnv): Promise<FfmpegFacts> {
  const path = await findFfmpeg(environment)
  const { version, isSupported } = await readFfmpegBuild(path)
  const names = new Set((await runFfmpeg(path, ['-encoders'])).toString().split(/\s+/))
  return { path, version, isSupported, lacking: ENCODERS.filter((name) => !names.has(name)) }
}

async function readComposers(environment: NodeJS.ProcessEnv) {
  const { chromiumPath, ...said } = await chooseComposers(undefined, { environment })
  return { isSimulated: chromiumPath === undefined, ...said }
}

async function readFolder(path: string) {
  await access(path, constants.W_OK)
  const { bavail, bsize } = await statfs(path)
  return { path, free: bavail * bsize }
}

/** Binds a port for a moment. */
async function bind(port: number): Promise<{ readonly code?: string }> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return {}
  } catch (error) {
    return { code: (error as NodeJS.ErrnoException).code ?? 'unknown' }
  } finally {
    server.close()
  }
}

async function findCredentials(): Promise<'found'> {
  using client = disposable(new SecretsManagerClient({ region: 'us-east-1' }))
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('AWS did not answer in time.')), CREDENTIALS_TIMEOUT)
  try {
    await Promise.race([client.config.credentials(), timeout])
    return 'found'
  } finally {
    clearTimeout(timer)
  }
}

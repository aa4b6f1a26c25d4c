import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { open, rename, rm, writeFile } from 'node:fs/promises'
import type { Role } from '../../lib/api/roles.ts'
import type { AwsAccess } from './aws-access.ts'

/** What a running laptop tells the other commands of its user: where it is, and what lets them in. */
export interface RunningLocal {
  readonly apiUrl: string
  /** Lets its bearer do everything at the API. */
  readonly token: string
  /** One for each role. */
  readonly tokens: Readonly<Record<Role, string>>
  readonly sandboxUrl: string
  /** What lets its bearer call every operation of the sandbox. */
  readonly sandboxAccess: SandboxAccess
  /** Bearer token of the sandbox's control interface. */
  readonly controlToken: string
  /** What lets its bearer do everything in the laptop's AWS. */
  readonly awsAccess: AwsAccess
  /** What an event app verifies callbacks by. */
  readonly callbackSecret: string
  /** What the stack names to whoever runs it. */
  readonly outputs: Readonly<Record<string, string>>
  /** Address that logs a browser in: it carries the token. */
  readonly consoleUrl: string
  /** Of the process that runs it. */
  readonly pid: number
}

export type SandboxAccess = Readonly<
  Record<'insightsUrl' | 'apiKey' | 'apiSecret' | 'accountKey' | 'accountSecret', string>
>

/** The one right to run a laptop on a directory. */
export interface Claim {
  /** Tells the others where everything is. */
  publish(laptop: Omit<RunningLocal, 'pid'>): Promise<void>
  release(): Promise<void>
}

/** The file lies beside the directory in which the laptop keeps its state, and is named after it. */
export const localFileOf = (directory: string) => `${directory}.json`

/**
 * Claims a directory for this process by writing its local file, readable by its owner only. A file whose process has died,
 * or has become another program that answers no requests there, is replaced.
 * @throws Error with one sentence when the laptop runs already
 */
export async function claimLocalFile(path: string): Promise<Claim> {
  const { pid } = process
  const found = await read(path)
  if (found && (await isRunning(found))) {
    const where = found.consoleUrl ? `is already running at ${found.consoleUrl}` : 'is already starting'
    throw new Error(`Showrunner ${where} (process ${found.pid}): use that one, or end it first.`)
  }
  if (found) await rm(path, { force: true })
  try {
    await writeFile(path, JSON.stringify({ pid }), { flag: 'wx', mode: 0o600 })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new Error(`${path} cannot be written (${(cause as Error).message}): choose another folder.`, { cause })
    throw new Error('Showrunner is just being started by another process: use that one.', { cause })
  }
  return {
    async publish(laptop) {
      const fresh = `${path}.${randomUUID()}`
      await writeFile(fresh, `${JSON.stringify({ ...laptop, pid }, null, 2)}\n`, { flag: 'wx', mode: 0o600 })
      await rename(fresh, path)
    },
    release: () => rm(path, { force: true }),
  }
}

/**
 * The laptop that runs on a directory.
 * @throws Error with one sentence when none does
 */
export async function findRunningLocal(path: string): Promise<RunningLocal> {
  const found = await read(path)
  if (!found || !(await isRunning(found)))
    throw new Error('Showrunner is not running: start it with `npm start` first.')
  if (!isComplete(found)) throw new Error('Showrunner is still starting: try again when it says that it is running.')
  return found
}

const isComplete = (found: Partial<RunningLocal>): found is RunningLocal =>
  [
    ...[found.apiUrl, found.token, found.sandboxUrl, found.sandboxAccess?.apiKey, found.consoleUrl],
    ...[found.awsAccess?.endpoint, found.controlToken, found.callbackSecret, found.outputs?.ShowSecretsPrefix],
  ].every((value) => typeof value === 'string')

type Found = Partial<RunningLocal> & { readonly pid: number }

/**
 * Undefined when there is no such file; a pid of 0 when it cannot be parsed.
 * @throws Error with one sentence when it is not this user's own, who would then send tokens where another user likes
 */
async function read(path: string): Promise<Found | undefined> {
  try {
    const found = JSON.parse(await readOwn(path))
    return Number.isInteger(found?.pid) && found.pid > 0 ? found : { pid: 0 }
  } catch (error) {
    if (error instanceof SyntaxError) return { pid: 0 }
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function readOwn(path: string): Promise<string> {
  const foreign = new Error(`${path} is another user's file, or a link: remove it, or choose another folder.`)
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ELOOP' ? foreign : error
  })
  try {
    if ((await file.stat()).uid !== process.getuid?.()) throw foreign
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

/** Process ids are used again after a while, so a laptop that has told its address must answer there as well. */
async function isRunning({ pid, consoleUrl }: Found): Promise<boolean> {
  if (pid === 0 || !isAlive(pid)) return false
  return consoleUrl === undefined || (await isAnswering(consoleUrl))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0) // sends nothing, only asks
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // another user's
  }
}

const ANSWER_WITHIN_MS = 2_000

async function isAnswering(url: string): Promise<boolean> {
  try {
    await fetch(new URL('/', url), { method: 'HEAD', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    return true
  } catch (error) {
    return (error as Error).name === 'TimeoutError' // somebody is there, only slow
  }
}

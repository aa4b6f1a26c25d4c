import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { open, rename, rm, writeFile } from 'node:fs/promises'
import type { Role } from '../../lib/api/roles.ts'
import type { AwsAccess } from './aws-access.ts'
import { isAlive } from './is-alive.ts'
import { startCall } from './root.ts'

/** Addresses and credentials of a running `npm start`, for the other commands of its user. */
export interface RunningLocal {
  readonly apiUrl: string
  /** Token of the role admin. */
  readonly token: string
  readonly tokens: Readonly<Record<Role, string>>
  readonly sandboxUrl: string
  /** Credentials for every operation of the sandbox. */
  readonly sandboxAccess: SandboxAccess
  /** Bearer token of the sandbox's control interface. */
  readonly controlToken: string
  /** Credentials for everything in the local AWS. */
  readonly awsAccess: AwsAccess
  /** Secret with which an event app verifies callbacks. */
  readonly callbackSecret: string
  readonly outputs: Readonly<Record<string, string>>
  /** Address that logs a browser in. It contains the token. */
  readonly consoleUrl: string
  /** Link to the join page. Its fragment has the invitation. */
  readonly joinUrl: string
  readonly pid: number
}

export type SandboxAccess = Readonly<
  Record<'insightsUrl' | 'apiKey' | 'apiSecret' | 'accountKey' | 'accountSecret', string>
>

/** The exclusive right to run on a directory. */
export interface Claim {
  /** Publishes addresses and credentials to the other commands. */
  publish(local: Omit<RunningLocal, 'pid'>): Promise<void>
  release(): Promise<void>
}

/** Help of the option that names the directory. */
export const directoryHelp = `directory of the running \`${startCall}\``

/** Returns the path of the local file: beside the state directory, and named after it. */
export const localFileOf = (directory: string) => `${directory}.json`

/**
 * Claims a directory for this process by writing its local file, which only its owner can read. A file is replaced if its
 * process died, or if its id now belongs to another program, which does not answer requests there.
 * @throws Error when another process runs on the directory, or the file cannot be written
 */
export async function claimLocalFile(path: string): Promise<Claim> {
  const { pid } = process
  const found = await read(path)
  if (found && (await isRunning(found))) {
    const where = found.consoleUrl ? `is already running at ${found.consoleUrl}` : 'is already starting'
    throw new Error(`Showrunner ${where} (process ${found.pid}). Use that one, or stop it first.`)
  }
  if (found) await rm(path, { force: true })
  try {
    await writeFile(path, JSON.stringify({ pid }), { flag: 'wx', mode: 0o600 })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new Error(`${path} cannot be written (${(cause as Error).message}). Choose another folder.`, { cause })
    throw new Error('Another process is starting Showrunner. Use that one.', { cause })
  }
  return {
    async publish(local) {
      const fresh = `${path}.${randomUUID()}`
      await writeFile(fresh, `${JSON.stringify({ ...local, pid }, null, 2)}\n`, { flag: 'wx', mode: 0o600 })
      await rename(fresh, path)
    },
    release: () => rm(path, { force: true }),
  }
}

/**
 * Reads the local file of a running `npm start`.
 * @throws Error when it does not run, or is still starting
 */
export async function findRunningLocal(path: string): Promise<RunningLocal> {
  const found = await read(path)
  if (!found || !(await isRunning(found)))
    throw new Error(`Showrunner is not running. Start it with \`${startCall}\` first.`)
  if (!isComplete(found)) throw new Error('Showrunner is still starting. Try again when it reports that it is running.')
  return found
}

const isComplete = (found: Partial<RunningLocal>): found is RunningLocal =>
  [
    ...[found.apiUrl, found.token, found.sandboxUrl, found.sandboxAccess?.apiKey, found.consoleUrl],
    ...[found.awsAccess?.endpoint, found.controlToken, found.callbackSecret, found.outputs?.ShowSecretsPrefix],
  ].every((value) => typeof value === 'string')

type Found = Partial<RunningLocal> & { readonly pid: number }

/**
 * Returns undefined if there is no file, and a pid of 0 if it cannot be parsed.
 * @throws Error when the file belongs to another user, who could redirect this user's tokens
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
  const foreign = new Error(`${path} is a link, or a file of another user. Remove it, or choose another folder.`)
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

/** Process ids are reused, so a process that published its address must also answer there. */
async function isRunning({ pid, consoleUrl }: Found): Promise<boolean> {
  if (pid === 0 || !isAlive(pid)) return false
  return consoleUrl === undefined || (await isAnswering(consoleUrl))
}

const ANSWER_TIMEOUT_MS = 2_000

async function isAnswering(url: string): Promise<boolean> {
  try {
    await fetch(new URL('/', url), { method: 'HEAD', signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })
    return true
  } catch (error) {
    return (error as Error).name === 'TimeoutError' // it is slow, but there
  }
}

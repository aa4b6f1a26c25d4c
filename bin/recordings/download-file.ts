import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Clock, realClock } from '../../lib/clock.ts'
import type { DownloadableFile } from './file-names.ts'

export interface DownloadOptions {
  readonly folder: string
  /** Called with the bytes that are stored so far. */
  readonly onProgress?: (stored: number) => void
  /** Returns a fresh link after one has expired. */
  readonly renew: () => Promise<string>
  readonly signal: AbortSignal
  /** Measures the delays between attempts. @default the machine's clock */
  readonly clock?: Pick<Clock, 'sleep'>
}

export interface Downloaded {
  readonly path: string
  readonly size: number
  /** `present` if the folder had the file already. */
  readonly outcome: 'downloaded' | 'present'
}

/** Attempts that may fail one after another without a single byte. */
const MAX_FAILURES = 5
const FIRST_DELAY_MS = 1_000

/**
 * Downloads a file under its name for people. An interrupted download is resumed, also by a later process, and the file gets its
 * name only when its size and its hash are right. Another file of the same name is kept: the new one is called `… (2)`.
 * @throws Error when the file cannot be downloaded or is not what was published
 */
export async function downloadFile(file: DownloadableFile, options: DownloadOptions): Promise<Downloaded> {
  const { folder, renew, signal, onProgress = () => {}, clock = realClock } = options
  await mkdir(folder, { recursive: true })
  const { path, isThere } = await freePath(folder, file)
  if (isThere) return { path, size: file.size, outcome: 'present' }
  const id = createHash('sha256').update(file.version).digest('hex').slice(0, 12)
  const partial = join(folder, `.${id}.part`)
  let { url } = file
  let stored = await sizeOf(partial)
  for (let failures = 0; stored !== file.size; ) {
    signal.throwIfAborted()
    const before = stored
    try {
      await appendRest(url, partial, file.size, { signal, onProgress })
      failures = 0
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof TransferError)) throw error
      failures = (await sizeOf(partial)) > before ? 1 : failures + 1
      if (failures >= MAX_FAILURES)
        throw new Error(`${file.fileName} cannot be downloaded: ${error.message}. Run the command again to resume.`, {
          cause: error,
        })
      await clock.sleep(FIRST_DELAY_MS * 2 ** (failures - 1), signal)
      if (error.isRefusal) url = await renew()
    }
    stored = await sizeOf(partial)
  }
  await verify(file, partial)
  await rename(partial, path)
  return { path, size: file.size, outcome: 'downloaded' }
}

/** Thrown when a server refuses or a connection ends. */
class TransferError extends Error {
  /** True if the server refused the link. */
  readonly isRefusal: boolean
  constructor(message: string, isRefusal: boolean, cause?: unknown) {
    super(message, { cause })
    this.isRefusal = isRefusal
  }
}

/** Appends what is missing of a file. @throws TransferError when a connection is lost or refused */
async function appendRest(
  url: string,
  partial: string,
  size: number,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (stored: number) => void },
): Promise<void> {
  if ((await sizeOf(partial)) > size) await rm(partial)
  let stored = await sizeOf(partial)
  const response = await transfer(
    fetch(url, { signal, headers: stored > 0 ? { range: `bytes=${stored}-` } : {}, redirect: 'error' }),
  )
  const isRest = response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${stored}-`)
  if (!response.body || (response.status !== 200 && !isRest))
    throw new TransferError(`the server answered ${response.status}`, response.status === 403)
  if (!isRest) stored = 0 // the server has sent the whole file
  const output = await open(partial, isRest ? 'a' : 'w', 0o644)
  try {
    const reader = response.body.getReader()
    for (;;) {
      const { done, value } = await transfer(reader.read())
      if (done) break
      await output.appendFile(value)
      stored += value.length
      onProgress(stored)
    }
  } finally {
    await output.close()
  }
  if (stored < size) throw new TransferError(`the connection ended after ${stored} of ${size} bytes`, false)
}

/** Names the reason of a lost connection. */
const transfer = <Result>(result: Promise<Result>): Promise<Result> =>
  result.catch((error: Error) => {
    const { code, message = error.message } = (error.cause ?? {}) as NodeJS.ErrnoException
    throw new TransferError(`the connection was lost (${code ?? message})`, false, error)
  })

/** @throws Error when the bytes are not those of the file; they are removed then */
async function verify({ fileName, size, sha256 }: DownloadableFile, path: string): Promise<void> {
  const isRight = (await sizeOf(path)) === size && (sha256 === null || (await sha256Of(path)) === sha256)
  if (isRight) return
  await rm(path)
  throw new Error(`${fileName} was downloaded with other bytes than were published. Download it again.`)
}

/** Returns the first path whose name is free, or has the very file. */
async function freePath(folder: string, file: DownloadableFile): Promise<{ path: string; isThere: boolean }> {
  const extension = extname(file.fileName)
  const base = file.fileName.slice(0, file.fileName.length - extension.length)
  for (let number = 1; ; number++) {
    const path = join(folder, number === 1 ? file.fileName : `${base} (${number})${extension}`)
    const found = await stat(path).catch(() => undefined)
    if (!found) return { path, isThere: false }
    const isSame = found.isFile() && found.size === file.size && file.sha256 !== null
    if (isSame && (await sha256Of(path)) === file.sha256) return { path, isThere: true }
  }
}

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

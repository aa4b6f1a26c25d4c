import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MediaError } from '../../../lib/media/media-error.ts'
import { damageMp4 } from './mutations.ts'
import { publishAll } from './publish-all.ts'
import { type ArchiveParts, damageZip, packArchive } from './zip-mutations.ts'

/** The outcome of publishing one file: a line of JSON on standard output. */
export interface Publishing {
  /** Null for the file as it was made, before any damage. */
  readonly seed: number | null
  readonly file: string
  /** Of each task that failed, its error's name and message. */
  readonly failures: readonly { readonly task: string; readonly name: string; readonly message: string }[]
  /** Tasks that ended with a result. */
  readonly results: number
  /** Processor time of this process in milliseconds, whatever else the machine does. */
  readonly processor: number
  /** The most memory of this process and of its largest ffmpeg, in megabytes; 0 where the machine does not report it. */
  readonly memory: number
  readonly ffmpegMemory: number
}

/** Names of the files that are damaged, each by its turn. A zip is stored by its parts. */
export const damagedFiles = [
  'end.mp4',
  'front.mp4',
  'fragments.mp4',
  'reordered.mp4',
  'audio.mp4',
  'streams.zip',
] as const

/**
 * Publishes each file as it was made, then damages files by seeds and publishes each, in this process:
 * `node publish-damaged.ts DIRECTORY FROM TO STEP [FFMPEG]`. A separate process has a separate heap, so that memory beyond a limit
 * ends it.
 */
async function main([directory = '', from, to, step, ffmpegPath]: readonly string[]): Promise<void> {
  const write = (publishing: Publishing) => process.stdout.write(`${JSON.stringify(publishing)}\n`)
  for (const file of damagedFiles) write(await publish(null, file, await readWhole(directory, file), ffmpegPath))
  for (let seed = Number(from); seed < Number(to); seed += Number(step)) {
    write(await publishDamaged(directory, seed, ffmpegPath))
  }
}

const readWhole = async (directory: string, file: string) =>
  isZip(file) ? packArchive(await readParts(directory)) : readFile(join(directory, file))

/** Of so many files of a kind, one also meets ffmpeg, which costs ten times as much as all else. */
const WITHOUT_FFMPEG = 4

async function publishDamaged(directory: string, seed: number, path: string | undefined): Promise<Publishing> {
  const ffmpegPath = Math.floor(seed / damagedFiles.length) % WITHOUT_FFMPEG === 0 ? path : undefined
  const file = damagedFiles[seed % damagedFiles.length] as (typeof damagedFiles)[number]
  const bytes = isZip(file)
    ? damageZip(await readParts(directory), seed)
    : damageMp4(await readFile(join(directory, file)), seed)
  return publish(seed, file, bytes, ffmpegPath)
}

const isZip = (file: string) => file.endsWith('.zip')

async function publish(
  seed: number | null,
  file: string,
  bytes: Uint8Array,
  ffmpegPath: string | undefined,
): Promise<Publishing> {
  globalThis.gc?.()
  forgetMostMemory()
  const before = process.cpuUsage()
  const watch = watchFfmpeg()
  const failures = []
  let results = 0
  for await (const { task, error } of publishAll(isZip(file) ? 'zip' : 'mp4', bytes, ffmpegPath)) {
    if (error === undefined) results += 1
    else failures.push({ task, ...wordsOf(error) })
  }
  const { user, system } = process.cpuUsage(before)
  const ffmpegMemory = watch.close()
  return { seed, file, failures, results, processor: (user + system) / 1000, memory: mostMemory('self'), ffmpegMemory }
}

/** By its class, since a name can be that of another one. */
function wordsOf(error: unknown) {
  const { name, message } = error as Error
  return { name: error instanceof MediaError ? name : `not a MediaError: ${name}`, message }
}

async function readParts(directory: string): Promise<ArchiveParts> {
  const manifest = JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8')) as ArchiveParts['manifest']
  const names = manifest.files.map(({ filename }) => String(filename))
  const files = await Promise.all(names.map(async (name) => ({ name, bytes: await readFile(join(directory, name)) })))
  return { manifest, files }
}

/** See proc(5): 5 resets the peak of a process's memory. */
function forgetMostMemory() {
  try {
    writeFileSync('/proc/self/clear_refs', '5')
  } catch {} // not on this machine
}

function mostMemory(pid: string): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** Looks at the processes that this one has started; the peak that each reports covers the time between two looks. */
function watchFfmpeg() {
  let most = 0
  const look = () => {
    try {
      for (const thread of readdirSync('/proc/self/task'))
        for (const pid of readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean))
          most = Math.max(most, mostMemory(pid))
    } catch {} // a thread that has just ended
  }
  const looking = setInterval(look, 10)
  return {
    close() {
      clearInterval(looking)
      return most
    },
  }
}

if (import.meta.main) await main(process.argv.slice(2))

import { createReadStream, writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { EncodedPacketSink, type Input } from 'mediabunny'
import { inspectStream } from '../../../../../lib/media/individual/inspect-stream.ts'
import { withWebm } from '../../../../../lib/media/individual/open-webm.ts'
import { MediaError } from '../../../../../lib/media/media-error.ts'
import { finishWebmArguments } from '../../encoding/arguments.ts'
import { remux } from '../../encoding/remux.ts'
import { withFile } from '../../file-bytes.ts'
import { FRAMES_PER_SECOND } from '../../timebase.ts'
import type { RecordedStream } from './manifest.ts'
import { measure } from './zip.ts'

/** What the manifest will say of a stream besides what its file says. */
interface StreamNote extends Pick<RecordedStream, 'participant' | 'start'> {}

const SUFFIX = '.json'

/** The id of an element of WebM that holds frames, and in so many bytes the first one has begun. */
const CLUSTER = Buffer.from('1f43b675', 'hex')
const HEADER_BYTES = 64 * 1024

/** Notes whose a stream's file is and when it begins, for the case that nobody gets as far as the manifest. */
export function noteStream(
  directory: string,
  { streamId, connectionData, videoType }: RecordedStream['participant'],
  start: number,
): void {
  const note: StreamNote = { participant: { streamId, connectionData, videoType }, start }
  try {
    writeFileSync(join(directory, streamId + SUFFIX), JSON.stringify(note))
  } catch {
    // the encoder of the stream cannot write there either, and says so
  }
}

/**
 * The streams whose files an earlier process has left in a directory, as far as they can be played, by their beginning.
 * @throws Error when one cannot be read, or finished: without ffmpeg, say, or on a full disk
 */
export async function finishLeftStreams(ffmpegPath: string, directory: string): Promise<RecordedStream[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith(SUFFIX)).sort()
  const streams: RecordedStream[] = []
  for (const name of names) {
    const note = await readNote(join(directory, name))
    if (!note) continue
    const { participant, start } = note
    const filename = `${participant.streamId}.webm`
    const path = join(directory, filename)
    const seconds = (await secondsOf(path)) ?? (await finishWebm(ffmpegPath, path))
    if (seconds === undefined) continue
    const stop = start + Math.round(seconds * FRAMES_PER_SECOND)
    streams.push({ filename, path, participant, start, stop, ...(await measure(createReadStream(path))) })
  }
  return streams.sort((a, b) => a.start - b.start)
}

/** Undefined when its writer was ended in the midst of it, before the first frame of the stream. */
const readNote = async (path: string) => {
  const text = await readFile(path, 'utf8')
  try {
    return JSON.parse(text) as StreamNote
  } catch {
    return undefined
  }
}

async function finishWebm(ffmpegPath: string, path: string): Promise<number | undefined> {
  if (!(await hasFrames(path))) return undefined
  let seconds: number | undefined
  await remux(ffmpegPath, finishWebmArguments(path), path, async (part) => {
    seconds = await secondsOf(part)
    return seconds !== undefined
  })
  return seconds
}

/**
 * Whether a whole cluster of frames was written: ffmpeg fails on a file without.
 * @throws MediaError when a cluster was begun, and yet nothing can be read
 */
async function hasFrames(path: string): Promise<boolean> {
  const found = await withFile(path, (source) =>
    withWebm({ name: basename(path), source }, async (input) => (await firstPackets(input)).some(Boolean)),
  )
  if (found === undefined && (await hasCluster(path)))
    throw new MediaError(`The file ${basename(path)} of an archive is damaged.`)
  return found ?? false
}

/** A file that was cut before its first cluster is often no WebM either, and holds nothing. */
async function hasCluster(path: string): Promise<boolean> {
  const beginning = await withFile(path, ({ size, read }) => read(0, Math.min(size, HEADER_BYTES)))
  return beginning !== undefined && Buffer.from(beginning).includes(CLUSTER)
}

const firstPackets = async (input: Input) =>
  Promise.all((await input.getTracks()).map((track) => new EncodedPacketSink(track).getFirstPacket()))

/** Undefined when there is no file, or when its encoder was ended before it could write how long it is. */
async function secondsOf(path: string): Promise<number | undefined> {
  const found = await withFile(path, (source) => inspectStream({ name: basename(path), source }))
  return found?.duration ?? undefined
}

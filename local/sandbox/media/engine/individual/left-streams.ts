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

/** Facts about a stream for the manifest that its file lacks. */
interface StreamNote extends Pick<RecordedStream, 'participant' | 'start'> {}

const SUFFIX = '.json'

/** Id of WebM's element with frames. */
const CLUSTER = Buffer.from('1f43b675', 'hex')
/** Bytes of a file within which its first cluster begins. */
const HEADER_BYTES = 64 * 1024

/** Writes a note of a stream's owner and start, for a recovery without the manifest. */
export function noteStream(
  directory: string,
  { streamId, connectionData, videoType }: RecordedStream['participant'],
  start: number,
): void {
  const note: StreamNote = { participant: { streamId, connectionData, videoType }, start }
  try {
    writeFileSync(join(directory, streamId + SUFFIX), JSON.stringify(note))
  } catch {
    // the encoder of the stream cannot write there either, and reports it
  }
}

/**
 * Finishes the files of streams that an earlier process has left in a directory, and returns the playable ones by their
 * start.
 * @throws Error for a file that cannot be read or finished: without ffmpeg, say, or on a full disk
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

/** Returns undefined for an incomplete note, whose writer was killed before the first frame of the stream. */
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
 * Returns true if a complete cluster of frames was written: ffmpeg fails on a file without one.
 * @throws {@link MediaError} for a file with a cluster that cannot be read
 */
async function hasFrames(path: string): Promise<boolean> {
  const found = await withFile(path, (source) =>
    withWebm({ name: basename(path), source }, async (input) => (await firstPackets(input)).some(Boolean)),
  )
  if (found === undefined && (await hasCluster(path)))
    throw new MediaError(`The file ${basename(path)} of an archive is damaged.`)
  return found ?? false
}

/** Returns true if a cluster has begun. A file that ends before is often not valid WebM either, and holds no media. */
async function hasCluster(path: string): Promise<boolean> {
  const beginning = await withFile(path, ({ size, read }) => read(0, Math.min(size, HEADER_BYTES)))
  return beginning !== undefined && Buffer.from(beginning).includes(CLUSTER)
}

const firstPackets = async (input: Input) =>
  Promise.all((await input.getTracks()).map((track) => new EncodedPacketSink(track).getFirstPacket()))

/** Returns undefined for a missing file, or one whose encoder was killed before it wrote the duration. */
async function secondsOf(path: string): Promise<number | undefined> {
  const found = await withFile(path, (source) => inspectStream({ name: basename(path), source }))
  return found?.duration ?? undefined
}

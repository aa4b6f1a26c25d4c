import { createReadStream, writeFileSync } from 'node:fs'
import { readdir, readFile, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { MediaError, runFfmpeg } from '../../../../lib/media/ffmpeg.ts'
import { inspectStream } from '../../../../lib/media/individual/inspect-stream.ts'
import { finishWebmArguments } from '../encoding/arguments.ts'
import { withFile } from '../file-bytes.ts'
import { FRAMES_PER_SECOND } from '../timebase.ts'
import type { RecordedStream } from './manifest.ts'
import { measure } from './zip.ts'

/** What the manifest will say of a stream besides what its file says. */
interface StreamNote extends Pick<RecordedStream, 'participant' | 'start'> {}

const SUFFIX = '.json'

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

/** The streams whose files an earlier process has left in a directory, as far as they can be played, by their beginning. */
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
  try {
    return JSON.parse(await readFile(path, 'utf8')) as StreamNote
  } catch {
    return undefined
  }
}

async function finishWebm(ffmpegPath: string, path: string): Promise<number | undefined> {
  const part = `${path}.part`
  try {
    await runFfmpeg(ffmpegPath, finishWebmArguments(path, part))
  } catch (error) {
    if (error instanceof MediaError) return undefined // there is not even one frame
    throw error
  }
  await rename(part, path)
  return secondsOf(path)
}

/** Undefined when there is no file, or when its encoder was ended before it could write how long it is. */
async function secondsOf(path: string): Promise<number | undefined> {
  const found = await withFile(path, (source) => inspectStream({ name: basename(path), source }))
  return found?.duration ?? undefined
}

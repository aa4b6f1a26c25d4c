import { existsSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openIndividualArchive } from '../../../lib/media/individual/individual-archive.ts'
import { inspect } from '../../../lib/media/inspect.ts'
import { parseBoxHeader } from '../../../lib/media/mp4/boxes.ts'
import { checkId } from './checks.ts'
import { endLeftEncoders } from './encoding/encoder-notes.ts'
import { fragmentsOf, joinFragments } from './encoding/safe-mp4.ts'
import { finishLeftStreams } from './engine/individual/left-streams.ts'
import { pack } from './engine/individual/pack.ts'
import { undefinedIfMissing, withFile } from './file-bytes.ts'
import type { LeftArchive, RecordedFile } from './media.ts'
import { fingerprint, recordedFileAt } from './recorded-file.ts'

/** Recovers archives that an earlier process has left in the media engine's directory. */
export function createRecovery({ ffmpegPath, directory }: { ffmpegPath: string; directory: string }) {
  const encodersEnded = endLeftEncoders(directory) // at once, since broadcasts are not recovered
  encodersEnded.catch(() => {}) // each recover() rejects with it

  return {
    /** Makes the file of an archive. Resolves with undefined when nothing playable was written. */
    async recover(archive: LeftArchive): Promise<RecordedFile | undefined> {
      const { id, outputMode } = archive
      checkId(id)
      await encodersEnded
      return outputMode === 'composed'
        ? recoverMp4(ffmpegPath, join(directory, `${id}.mp4`))
        : recoverZip(ffmpegPath, join(directory, `${id}.zip`), archive)
    },
  }
}

/** Uses the file if it was complete, otherwise its fragments: an encoder that outlived its process has finished them. */
async function recoverMp4(ffmpegPath: string, path: string): Promise<RecordedFile | undefined> {
  const seconds = (await secondsOf(path)) ?? (await joinWholeFragments(ffmpegPath, path))
  await rm(fragmentsOf(path), { force: true })
  if (seconds !== undefined) return recordedFileAt(path, { ...(await fingerprint(path)), seconds })
  await rm(path, { force: true })
  return undefined
}

async function joinWholeFragments(ffmpegPath: string, path: string): Promise<number | undefined> {
  if (!(await keepWholeFragments(fragmentsOf(path)))) return undefined
  await joinFragments(ffmpegPath, path)
  return secondsOf(path)
}

/** Cuts off an incomplete fragment at the end. Returns false when nothing is left. */
async function keepWholeFragments(path: string): Promise<boolean> {
  const file = await open(path, 'r+').catch(undefinedIfMissing)
  if (!file) return false
  try {
    const end = await endOfFragments(file)
    await file.truncate(end)
    return end > 0
  } finally {
    await file.close()
  }
}

/** Returns the end of the last complete fragment, which is an index (moof) and its media (mdat), or 0. */
async function endOfFragments(file: FileHandle): Promise<number> {
  const { size } = await file.stat()
  const header = Buffer.alloc(16)
  let end = 0
  for (let position = 0; position + header.length <= size; ) {
    await file.read(header, 0, header.length, position)
    const box = parseBoxHeader(header, position)
    if (box.end === 'end of file' || box.end > size) break
    if (box.type === 'mdat') end = box.end
    position = box.end
  }
  return end
}

/** Returns the recorded time; undefined for a missing or incomplete file. */
async function secondsOf(path: string): Promise<number | undefined> {
  const found = await withFile(path, inspect)
  return found && (found.video?.duration ?? found.duration)
}

/** Uses the zip if it is complete, otherwise the files of the streams, which stay until they are packed. */
async function recoverZip(ffmpegPath: string, path: string, archive: LeftArchive): Promise<RecordedFile | undefined> {
  const directory = path.replace(/\.zip$/, '')
  if (existsSync(directory)) {
    if (!existsSync(path)) await packLeftStreams(ffmpegPath, directory, path, archive)
    await rm(directory, { recursive: true })
  }
  const packed = await withFile(path, openIndividualArchive)
  return packed && recordedFileAt(path, { ...(await fingerprint(path)), seconds: packed.duration })
}

async function packLeftStreams(ffmpegPath: string, directory: string, path: string, archive: LeftArchive) {
  const streams = await finishLeftStreams(ffmpegPath, directory)
  const { id, sessionId, name, createdAt } = archive
  if (streams.length > 0) await pack({ id, sessionId, manifest: { name, createdAt } }, streams, path)
}

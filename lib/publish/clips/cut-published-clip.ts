import { cutClip } from '../../media/clips/cut-clip.ts'
import { isOfMedia } from '../../media/media-error.ts'
import { readClip } from '../../records/clip-records.ts'
import type { TaskRun } from '../../services.ts'
import { keys } from '../../show/state/keys.ts'
import { tagsFor } from '../manifest/manifest.ts'
import { findClipSource } from './clip-source.ts'

/** Cuts the MP4 of a clip and stores it, unless clip or recording were deleted. Damaged media gives a problem instead. */
export const cutPublishedClip: TaskRun<'cutClip', 'storage' | 'records' | 'variable'> = async (
  { storage, records, variable },
  { archiveId, clipId },
) => {
  const manifest = await records.readManifest(archiveId)
  const clip = (await readClip(storage, archiveId, clipId))?.document
  if (!manifest || !clip) return { file: null }
  try {
    const { source, span } = await findClipSource(manifest, clip, storage)
    const { content } = await cutClip(source, span, { ffmpegPath: variable('FFMPEG_PATH') })
    const key = keys.published(archiveId, 'clips', clipId, 'clip.mp4')
    const { size, sha256 } = await storage.putStream(key, content(), 'video/mp4', tagsFor(manifest.keepDays))
    return { file: { key, size, sha256 } }
  } catch (error) {
    if (!isOfMedia(error)) throw error
    return { file: null, problem: error.message }
  }
}

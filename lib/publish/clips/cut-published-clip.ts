import { cutClip } from '../../media/clips/cut-clip.ts'
import { isOfMedia } from '../../media/media-error.ts'
import { readClip } from '../../records/clip-records.ts'
import type { TaskRun } from '../../services.ts'
import { keys } from '../../show/state/keys.ts'
import { isLiveClip } from '../manifest/clip.ts'
import { type Manifest, tagsFor } from '../manifest/manifest.ts'
import { mediaOf } from '../media-functions.ts'
import { findClipSource } from './clip-source.ts'
import { findLiveSource } from './live-clip-source.ts'

/** Cuts the MP4 of a clip and stores it, unless clip or recording were deleted. Damaged media gives a problem instead. */
export const cutPublishedClip: TaskRun<'cutClip', 'storage' | 'records' | 'variable' | 'download' | 'media'> = async (
  { storage, records, variable, download, media },
  { archiveId, clipId },
) => {
  const clip = (await readClip(storage, archiveId, clipId))?.document
  const live = clip && isLiveClip(clip) ? clip : undefined
  const manifest = live ? undefined : await records.readManifest(archiveId)
  if (!clip || (!live && !manifest)) return { file: null }
  const keepDays = live ? live.live.keepDays : manifest?.keepDays
  try {
    const { source, span } = live
      ? await findLiveSource(live, { storage, download })
      : await findClipSource(manifest as Manifest, clip, storage)
    const { content } = await mediaOf({ media }, { cutClip }).cutClip(source, span, {
      ffmpegPath: variable('FFMPEG_PATH'),
    })
    const key = keys.published(archiveId, 'clips', clipId, 'clip.mp4')
    const { size, sha256 } = await storage.putStream(key, content(), 'video/mp4', tagsFor(keepDays))
    return { file: { key, size, sha256 } }
  } catch (error) {
    if (!isOfMedia(error)) throw error
    return { file: null, problem: error.message }
  }
}

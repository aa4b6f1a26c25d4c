import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { findFfmpeg } from '../../../../lib/media/ffmpeg/find-ffmpeg.ts'
import { createMedia } from '../../../../local/sandbox/media/create-media.ts'
import type { Publication } from '../../../../local/sandbox/media/media.ts'

/** Half past a second, so that flashes are inside the archives. */
export const START = Date.UTC(2026, 0, 1, 12, 0, 0, 500)

/** Opens a media engine under a stepped clock with an own directory; both are gone after the test. */
export async function openMedia(options: { ffmpegPath?: string; ladder?: readonly number[] } = {}) {
  const ffmpegPath = options.ffmpegPath ?? (await findFfmpeg())
  const directory = await mkdtemp(join(tmpdir(), 'showrunner-media-'))
  const clock = createSteppedClock(START)
  const media = await createMedia({ ffmpegPath, clock, directory, ladder: options.ladder })
  onTestFinished(async () => {
    await media.close()
    await rm(directory, { recursive: true })
  })
  return { media, clock, directory, ffmpegPath }
}

export const stream = (streamId: string, more: Partial<Publication> = {}): Publication => ({
  ...{ sessionId: 'session', streamId, name: `Participant ${streamId}`, source: { type: 'pattern' } },
  ...{ hasAudio: true, hasVideo: true, videoType: 'camera', layoutClasses: [] },
  ...more,
})

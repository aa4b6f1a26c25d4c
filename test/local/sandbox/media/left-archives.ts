import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ArchiveSpec, LeftArchive } from '../../../../local/sandbox/media/media.ts'
import { writeImpostor } from '../../../support/media/impostor.ts'
import { START } from './open-media.ts'

export const composed = (more: Partial<ArchiveSpec> = {}): ArchiveSpec => ({
  ...{ id: 'one', sessionId: 'session', resolution: '640x480', layout: { type: 'bestFit' } },
  ...{ hasAudio: true, hasVideo: true, ...more },
})

export const left = (id: string, outputMode: LeftArchive['outputMode'] = 'composed'): LeftArchive => ({
  ...{ id, sessionId: 'session', createdAt: START, name: 'n', outputMode },
})

/** Copies the directory as a stopped machine would leave it, without any process. */
export async function stopMachine(directory: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'showrunner-left-'))
  onTestFinished(() => rm(copy, { recursive: true }))
  await cp(directory, copy, { recursive: true, filter: (path) => !path.endsWith('.encoder') })
  return copy
}

/** Creates an ffmpeg that runs a shell command when it finishes a file; `$ffmpeg` is the real one. */
export const createFailing = (ffmpegPath: string, does: string): Promise<string> =>
  writeImpostor(`ffmpeg='${ffmpegPath}'\ncase "$*" in *.part) ${does};; esac\nexec "$ffmpeg" "$@"`)

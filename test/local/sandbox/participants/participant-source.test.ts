import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MediaError } from '../../../../lib/media/media-error.ts'
import type { Publication } from '../../../../local/sandbox/media/media.ts'
import { createMediaOff } from '../../../../local/sandbox/media/media-off.ts'
import type { SourceFile } from '../../../../local/sandbox/media/sources/source-file.ts'
import { openSandbox } from '../open-sandbox.ts'

let folder: string
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'showrunner-sources-')))
  await mkdir(join(folder, 'films'))
  await writeFile(join(folder, 'private.mp4'), 'private')
  await symlink(join(folder, 'private.mp4'), join(folder, 'films', 'link.mp4'))
})
afterAll(() => rm(folder, { recursive: true }))

const talk: SourceFile = {
  ...{ type: 'file', path: '/talk.mp4', format: 'mov', frames: 90, width: 640, height: 360 },
  ...{ hasAudio: true, hasVideo: true },
}

/** Opens a sandbox whose machine has one file. */
function openWithFile(file: SourceFile, mediaRoots: readonly string[] = ['/']) {
  const published: Publication[] = []
  const world = openSandbox({
    mediaRoots,
    media: (clock) => ({
      ...createMediaOff(clock),
      async openFile(path) {
        if (path !== file.path) throw new MediaError('There is no such file.')
        return file
      },
      publish: (stream) => void published.push(stream),
    }),
  })
  const join = async (participant: object) => {
    const path = `/sandbox/sessions/${await world.createSession()}/participants`
    return world.send('POST', path, { body: JSON.stringify(participant) })
  }
  return { published, join }
}

const source = { type: 'file', path: talk.path }

describe('openSource', () => {
  it('publishes the tracks of a file that it has and the participant requests', async () => {
    const { published, join } = openWithFile(talk)
    expect(await join({ source })).toMatchObject({ status: 201 })
    await join({ source, audio: false })
    expect(published).toMatchObject([
      { source: talk, hasAudio: true, hasVideo: true },
      { source: talk, hasAudio: false, hasVideo: true },
    ])
    const heard = openWithFile({ ...talk, hasVideo: false })
    await heard.join({ source })
    expect(heard.published).toMatchObject([{ hasAudio: true, hasVideo: false }])
  })

  it('refuses an unusable file, and connects no client then', async () => {
    const { published, join } = openWithFile({ ...talk, hasVideo: false })
    const refused = (message: string) => ({ status: 400, body: { code: 400, message } })
    expect(await join({ source: { type: 'file', path: '/none.mp4' } })).toEqual(
      refused('source.path: There is no such file.'),
    )
    expect(await join({ source, audio: false })).toEqual(
      refused('source.path: The file has none of the tracks to publish.'),
    )
    expect(published).toEqual([])
  })

  it('opens no file for a participant who only watches', async () => {
    const { join } = openWithFile(talk)
    const { status, body } = await join({ publish: false, source: { type: 'file', path: '/none.mp4' } })
    expect([status, body.streamId]).toEqual([201, undefined])
  })

  it('opens only files below the folders of --media-root, after following links', async () => {
    const refused = (message: string) => ({ status: 400, body: { code: 400, message: `source.path: ${message}` } })
    const open = (path: string, roots: string[]) =>
      openWithFile({ ...talk, path }, roots).join({ source: { type: 'file', path } })
    const films = join(folder, 'films')
    await writeFile(join(films, 'talk.mp4'), '')
    expect(await open(join(films, 'talk.mp4'), [films])).toMatchObject({ status: 201 })
    const elsewhere = refused('The file is outside the folders of --media-root: move it there, or add its folder.')
    for (const path of ['link.mp4', '../private.mp4', '../none.mp4', '.'])
      expect([path, await open(`${films}/${path}`, [films])]).toEqual([path, elsewhere])
    expect(await open(join(films, 'talk.mp4'), [])).toEqual(
      refused('File sources are off: start the sandbox with --media-root <dir>, the folder of the file.'),
    )
  })
})

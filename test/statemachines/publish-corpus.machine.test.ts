import { createHash } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { rolesOf } from '../../lib/workflow/formats.ts'
import { useClips } from '../lib/media/clips.ts'
import { corpus, type Kitchen, openKitchen, plain, soundAlone } from '../support/media/corpus.ts'
import { publishIn } from '../support/publishing.ts'
import { openWorld, type World } from '../support/world.ts'

const archiveId = '00000000-0000-4000-8000-000000000000'
const UNKNOWN = 'The platform does not know this archive.'
/** Small enough that every clip is larger. */
const LADDER = JSON.stringify([{ name: '64p', height: 64, maxVideoBitrate: 100_000 }])

const clips = useClips()
let kitchen: Kitchen
beforeAll(() => {
  kitchen = openKitchen(clips.ffmpegPath, clips.directory)
})
let world: World
afterEach(() => world.close())

describe('the publish machine with its functions', () => {
  it.each(corpus)(
    'says what can be made of $name, and leaves it as it is',
    async ({ make, mode, expect: expected }) => {
      world = openWorld({ FFMPEG_PATH: clips.ffmpegPath, LADDER })
      const bytes = await make(kitchen)
      const publishing = await publishIn(world)
      const arrival = await publishing.put(bytes, mode && { mode })
      const { status } = await publishing.over(publishing.start('arrival', arrival))

      const manifest = await world.services.records.readManifest(archiveId)
      expect(manifest?.status).toBe(expected.status)
      expect(status).toBe(expected.status === 'failed' ? 'FAILED' : 'SUCCEEDED')
      const message = manifest?.message?.replace(UNKNOWN, '').trim() ?? ''
      expect(message).toMatch(expected.message ?? /^$/)
      if (expected.formats) {
        const possible = new Set<string>(expected.formats.flatMap((format) => rolesOf[format]))
        expect(manifest?.files.map(({ role }) => role).filter((role) => !possible.has(role))).toEqual([])
      }
      const source = await world.services.storage.open(arrival.key, arrival.etag)
      const kept = createHash('sha256')
        .update(await source.read(0, source.size))
        .digest('hex')
      expect(kept).toBe(createHash('sha256').update(bytes).digest('hex'))
      const told = world.told.map(({ detail }) => (detail as { status: string }).status)
      expect(told.at(-1)).toBe(expected.status)
      const failures = publishing.lines.flatMap(({ PublishesFailed }) =>
        PublishesFailed === undefined ? [] : PublishesFailed,
      )
      expect(failures.at(-1)).toBe(expected.status === 'failed' ? 1 : 0) // which the alarm counts
    },
  )

  it.each(['inspectRecording', 'hashSource', 'cutPiece', 'encodePiece', 'writeManifest'])(
    'leaves it to the next execution to publish a file that has come in the place of another before %s',
    async (task) => {
      world = openWorld({ FFMPEG_PATH: clips.ffmpegPath, LADDER })
      const [before, after] = [await plain(kitchen), await soundAlone(kitchen)]
      let isReplaced = false
      const publishing = await publishIn(world, {
        async around(called, act) {
          if (called === task && !isReplaced) {
            isReplaced = true
            await publishing.put(after)
          }
          return act()
        },
      })
      const former = publishing.start('former', await publishing.put(before))
      const { status, output } = await publishing.over(former)
      expect([status, isReplaced]).toEqual(['SUCCEEDED', true])
      expect(JSON.parse(output ?? '')).toMatchObject({ status: 'replaced' })
      expect(world.told.filter(({ detail }) => (detail as { status: string }).status !== 'ready')).toEqual([])
      const latter = publishing.start('latter', await publishing.put(after))
      expect(await publishing.over(latter)).toMatchObject({ status: 'SUCCEEDED' })
      const manifest = await world.services.records.readManifest(archiveId)
      expect(manifest).toMatchObject({ status: 'complete', video: null, source: { size: after.length } })
    },
  )
})

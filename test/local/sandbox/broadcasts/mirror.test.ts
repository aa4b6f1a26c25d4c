import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLiveTimeline } from '../../../../lib/media/hls/live/live-timeline.ts'
import { type MirroredObject, startMirror } from '../../../../local/sandbox/broadcasts/mirror.ts'
import { expectValidPlaylist } from '../../../support/hls/expect-valid-playlist.ts'

const START = Date.UTC(2030, 0, 1)
/** Bytes of a segment. */
const SIZE = 4

async function openMirror({ dvr = false, put }: { dvr?: boolean; put?: (object: MirroredObject) => Promise<void> }) {
  const directory = await mkdtemp(join(tmpdir(), 'mirror-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  await writeFile(join(directory, 'init.mp4'), 'init')
  await writeFile(join(directory, 'media-0.m4s'), '0000111122223333')
  const timeline = createLiveTimeline()
  const objects: MirroredObject[] = []
  const failures: unknown[] = []
  let announce = () => {}
  let works = 0
  startMirror({
    broadcaster: {
      timelines: new Map([['', timeline]]),
      onParts(listener) {
        announce = listener
      },
    },
    ...{ directory, dvr },
    put: put ?? (async (object) => void objects.push(object)),
    run(work) {
      works += 1
      void work().finally(() => {
        works -= 1
      })
    },
    onFailure: (error) => failures.push(error),
  })
  const settled = () => vi.waitUntil(() => works === 0)
  const add = async () => {
    const number = timeline.segments.length
    const part = { file: 'media-0.m4s', offset: SIZE * number, size: SIZE, duration: 2, isIndependent: true }
    timeline.add({ ...part, start: START + 2000 * number })
    announce()
    await settled()
  }
  const end = async () => {
    timeline.end()
    announce()
    await settled()
  }
  const newest = (name: string) => Buffer.from(objects.findLast((object) => object.name === name)?.body ?? '')
  return { add, end, objects, failures, newest, names: () => objects.map(({ name }) => name) }
}

describe('startMirror', () => {
  it('writes each segment before the playlist that names it', async () => {
    const { add, end, objects, names, newest } = await openMirror({})
    await add()
    await add()
    const first = ['init.mp4', 'segment-00000.m4s', 'index.m3u8']
    expect(names()).toEqual([...first, 'segment-00001.m4s', 'index.m3u8'])
    expect(newest('segment-00001.m4s').toString()).toBe('1111')
    const { text, segments } = expectValidPlaylist(newest('index.m3u8').toString())
    expect(segments.map(({ date }) => date)).toEqual(['2030-01-01T00:00:00.000Z', '2030-01-01T00:00:02.000Z'])
    expect(text).not.toMatch(/SERVER-CONTROL|PART|ENDLIST/)
    const headers = objects.slice(0, 3).map(({ type, cacheControl }) => [type, cacheControl])
    const forever = 'public, max-age=31536000, immutable'
    expect(headers).toEqual([
      ['video/mp4', forever],
      ['video/iso.segment', forever],
      ['application/vnd.apple.mpegurl', 'public, max-age=1'],
    ])
    await end()
    expect(newest('index.m3u8').toString()).toMatch(/#EXT-X-ENDLIST\n$/)
  })

  it('writes a compressed playlist of all segments with DVR', async () => {
    const { add, end, objects, newest } = await openMirror({ dvr: true })
    for (const _ of [1, 2, 3]) await add()
    await end()
    expect(objects.at(-1)).toMatchObject({ name: 'dvr.m3u8', encoding: 'gzip' })
    const { text, segments } = expectValidPlaylist(gunzipSync(newest('dvr.m3u8')).toString())
    expect([segments.length, /TYPE:EVENT/.test(text), /ENDLIST/.test(text)]).toEqual([3, true, true])
  })

  it('writes nothing more after an object that cannot be written', async () => {
    const put = vi.fn(async () => {
      throw new Error('AccessDenied')
    })
    const { add, end, failures } = await openMirror({ put })
    await add()
    await add()
    await end()
    expect([put.mock.calls.length, failures]).toEqual([1, [new Error('AccessDenied')]])
  })
})

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { KEPT_END, keptEntry, keptHeader } from '../../../../../lib/media/hls/live/kept-playlist.ts'
import { box, fullBox, u32 } from '../../../../../lib/media/mp4/boxes.ts'
import { openLeftLadder } from '../../../../../local/sandbox/media/packaging/live-ladder.ts'
import { timelineOf } from '../../../../lib/media/hls/live/timelines.ts'
import { expectValidPlaylists } from '../../../../support/hls/read-presentation.ts'

const hls = { dvr: true, lowLatency: false }

async function openFolder() {
  const directory = await mkdtemp(join(tmpdir(), 'ladder-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  return directory
}

/** Writes an init segment with the boxes that describe a picture. */
function initOf(width: number, height: number): Buffer {
  const entry = Buffer.alloc(78)
  entry.writeUInt16BE(width, 24)
  entry.writeUInt16BE(height, 26)
  const avc1 = box('avc1', entry, box('avcC', Buffer.from('0142c01f', 'hex')))
  const stbl = box('stbl', fullBox('stsd', 0, 0, u32(1), avc1))
  return box('moov', box('trak', box('mdia', box('minf', stbl))))
}

describe('openLeftLadder', () => {
  it('finds the renditions of a broadcast of an earlier process, the largest first', async () => {
    const directory = await openFolder()
    const kept = keptHeader() + timelineOf(24).segments.slice().map(keptEntry).join('') + KEPT_END
    for (const [name, width, height] of [
      ['360p', 640, 360],
      ['720p', 1280, 720],
      ['audio', 0, 0],
    ] as const) {
      await mkdir(join(directory, name))
      await writeFile(join(directory, name, 'init.mp4'), initOf(width, height))
      await writeFile(join(directory, name, 'index.m3u8'), kept)
    }
    const ladder = await openLeftLadder(directory, hls)
    const multivariant = (await ladder?.multivariant('event')) ?? ''
    expect([...multivariant.matchAll(/RESOLUTION=(\w+)/g)].map(([, size]) => size)).toEqual(['1280x720', '640x360'])
    const read = async (uri: string) => {
      const [name = '', file] = uri.split('/')
      expect(file).toBe('dvr.m3u8')
      return (await ladder?.rendition(name)?.playlist('event')) ?? ''
    }
    expect(await expectValidPlaylists(multivariant, read)).toBe(3)
    expect(ladder?.rendition('480p')).toBeUndefined()
  })

  it('returns nothing for a broadcast without a ladder', async () => {
    expect(await openLeftLadder(await openFolder(), hls)).toBeUndefined()
  })
})

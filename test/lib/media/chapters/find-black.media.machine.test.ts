import { describe, expect, it } from 'vitest'
import { findBlack } from '../../../../lib/media/chapters/find-black.ts'
import { aac, h264, lavfi, tone, useClips } from '../clips.ts'
import { countReads } from '../count-reads.ts'

const clips = useClips()
const everySecond = [...h264, '-g', '10', '-sc_threshold', '0']
const blackIn = async (path: string) => findBlack({ ffmpegPath: clips.ffmpegPath, source: await clips.open(path) })
const blacked = (enable: string) =>
  lavfi(`testsrc=size=320x240:rate=10:duration=10,noise=alls=30:allf=t,drawbox=t=fill:c=black:enable='${enable}'`)

describe('findBlack', () => {
  it('finds black passages by keyframes, up to the end', async () => {
    const path = await clips.make('black.mp4', ...blacked('between(t,2,4.99)+gte(t,8)'), ...everySecond)
    expect(await blackIn(path)).toEqual([
      { start: 2, end: 5 },
      { start: 8, end: 10 },
    ])
  })

  it('reads next to nothing of a recording that is not black', async () => {
    const path = await clips.make('hardly.mp4', ...blacked('between(t,2,3.99)'), ...everySecond)
    const source = countReads(await clips.open(path))
    expect(await findBlack({ ffmpegPath: clips.ffmpegPath, source })).toEqual([{ start: 2, end: 4 }])
    expect(source.bytesRead).toBeLessThan(source.size / 50)
    expect(source.reads).toBeLessThan(15)
  })

  it('counts a logo on black as black, but not a dark or a plain picture', async () => {
    const logo = lavfi('color=black:size=320x240:rate=5:duration=2,drawbox=x=280:y=10:w=20:h=20:c=white:t=fill')
    expect(await blackIn(await clips.make('logo.mp4', ...logo, ...h264))).toEqual([{ start: 0, end: 2 }])
    const dark = lavfi('color=0x303030:size=320x240:rate=5:duration=2')
    expect(await blackIn(await clips.make('dark.mp4', ...dark, ...h264))).toEqual([])
  })

  it('samples keyframes where thousands are small', async () => {
    const many = lavfi("color=gray:size=32x32:rate=100:duration=22,drawbox=t=fill:c=black:enable='gte(t,10)'")
    const path = await clips.make('many.mp4', ...many, ...h264, '-g', '1')
    const source = countReads(await clips.open(path))
    const [black, ...others] = await findBlack({ ffmpegPath: clips.ffmpegPath, source })
    expect(black?.start).toBeCloseTo(10, 1)
    expect(black?.end).toBe(22)
    expect(others).toEqual([])
    expect(source.reads).toBeLessThan(1200)
  })

  it('finds none in audio alone', async () => {
    expect(await blackIn(await clips.make('audio.mp4', ...tone(1), ...aac))).toEqual([])
  })
})

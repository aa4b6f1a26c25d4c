import { describe, expect, it } from 'vitest'
import { renditionsBelow } from '../../../../lib/media/hls/ladder.ts'

const LADDER = [1080, 720, 480, 240].map((height) => ({ name: `${height}p`, height, maxVideoBitrate: height * 2000 }))

describe('renditionsBelow', () => {
  const sizes = (width: number, height: number) =>
    renditionsBelow({ width, height }, LADDER).map((rendition) => `${rendition.width}x${rendition.height}`)

  it('chooses renditions smaller than the source, the largest first', () => {
    expect(sizes(1920, 1080)).toEqual(['1280x720', '854x480', '426x240'])
    expect(sizes(1280, 720)).toEqual(['854x480', '426x240'])
    expect(renditionsBelow({ width: 640, height: 480 }, LADDER)).toEqual([
      { name: '240p', width: 320, height: 240, maxVideoBitrate: 480_000 },
    ])
  })

  it('measures the shorter side of a portrait picture', () => {
    expect(sizes(720, 1280)).toEqual(['480x854', '240x426'])
  })

  it('rounds to even numbers for any shape', () => {
    expect(sizes(1001, 563)).toEqual(['854x480', '426x240'])
    expect(sizes(641, 641)).toEqual(['480x480', '240x240'])
    expect(sizes(4000, 300)).toEqual(['3200x240'])
  })

  it('never scales up, and leaves out a rendition of about the same size', () => {
    expect(sizes(426, 240)).toEqual([])
    expect(sizes(320, 250)).toEqual([])
    expect(sizes(2, 2)).toEqual([])
  })
})

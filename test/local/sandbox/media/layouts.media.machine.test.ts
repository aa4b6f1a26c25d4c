import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Picture } from '../../../../local/sandbox/media/composing/picture.ts'
import type { Layout } from '../../../../local/sandbox/media/media.ts'
import { findCells } from '../../../support/media/cells.ts'
import { decodePictures } from '../../../support/media/decode.ts'
import { openMedia, stream } from './open-media.ts'

/** Maximum distance in pixels of a cell that is found by its colour. */
const TOLERANCE = 2

/** Records half a second of each layout in turn, and returns one picture of each. */
async function record(streams: Parameters<typeof stream>[], layouts: readonly Layout[], size = '1280x720') {
  const { media, clock, directory, ffmpegPath } = await openMedia()
  for (const described of streams) media.publish(stream(...described))
  const [layout = { type: 'bestFit' as const }, ...later] = layouts
  const spec = { id: 'archive', sessionId: 'session', hasAudio: false, hasVideo: true }
  const recorder = await media.startArchive({ ...spec, layout, resolution: size })
  await clock.advance(500)
  for (const next of later) {
    recorder.setLayout(next)
    await clock.advance(500)
  }
  await recorder.finish()
  const [width = 0, height = 0] = size.split('x').map(Number)
  const pictures = await decodePictures(ffmpegPath, join(directory, 'archive.mp4'), { width, height })
  return layouts.map((_, index) => pictures[15 * index + 5] as Picture)
}

function expectCells(picture: Picture, expected: readonly (string | undefined)[]) {
  const cells = findCells(picture)
  for (const [place, where] of expected.entries()) {
    const cell = cells.get(place)
    if (where === undefined) {
      expect(cell, `participant ${place}`).toBeUndefined()
      continue
    }
    const [width, height, x, y] = where.split(/[x+]/).map(Number)
    const found = [cell?.width, cell?.height, cell?.x, cell?.y]
    for (const [index, value] of [width, height, x, y].entries())
      expect(Math.abs((found[index] ?? Number.NaN) - (value ?? 0)), `participant ${place}: ${found} for ${where}`) //
        .toBeLessThanOrEqual(TOLERANCE)
  }
}

describe('a custom layout', () => {
  it('places streams by the stylesheet, from the frame of its change', async () => {
    const quarters = 'stream { float: left; width: 50%; height: 50% }'
    const presentation = `
      stream { position: absolute; right: 20px; width: 160px; height: 120px; z-index: 1 }
      stream.focus { left: 0; top: 0; width: 100%; height: 100%; z-index: 0 }
      stream:nth-child(2) { top: 20px }
      stream:nth-child(3) { bottom: 20px }`
    const hidden = 'stream { display: none } .focus { display: block; height: 50%; object-fit: cover }'
    const [first, second, third] = await record(
      [['a', { layoutClasses: ['focus'] }], ['b'], ['c']],
      [quarters, presentation, hidden].map((stylesheet) => ({ type: 'custom', stylesheet })),
      '640x480',
    )
    expectCells(first as Picture, ['320x240+0+0', '320x240+320+0', '320x240+0+240'])
    expectCells(second as Picture, ['640x480+0+0', '160x120+460+20', '160x120+460+340'])
    expectCells(third as Picture, ['640x240+0+0', undefined, undefined])
  })

  it('letterboxes, crops for cover, and omits boxes outside the frame', async () => {
    const stylesheet = `
      stream { position: absolute; width: 640px; height: 300px; top: 0 }
      stream:first-child { object-fit: cover }
      stream:nth-child(2) { left: 640px }
      stream:nth-child(3) { left: -80px; top: 600px; width: 320px; height: 240px }`
    const [picture] = await record([['a'], ['b'], ['c']], [{ type: 'custom', stylesheet }])
    expectCells(picture as Picture, ['640x300+0+0', '400x300+760+0', '240x120+0+600'])
  })
})

describe('a screenshareType', () => {
  const screen = ['b', { videoType: 'screen' }] as const
  const layouts = (['pip', 'verticalPresentation', 'horizontalPresentation', 'bestFit'] as const).map(
    (screenshareType) => ({ type: 'bestFit' as const, screenshareType }),
  )

  it('shows the share in the prominent place of each', async () => {
    const pictures = await record([['a', { layoutClasses: ['focus', 'full'] }], [...screen]], layouts, '640x480')
    expectCells(pictures[0] as Picture, ['160x120+448+24', '640x480+0+0'])
    expectCells(pictures[1] as Picture, ['128x96+0+192', '512x384+128+48'])
    expectCells(pictures[2] as Picture, ['128x96+256+0', '512x384+64+96'])
    expectCells(pictures[3] as Picture, ['320x240+320+120', '320x240+0+120'])
  })

  it('is the layout from the frame at which a share is published until it ends', async () => {
    const { media, clock, directory, ffmpegPath } = await openMedia()
    media.publish(stream('a'))
    const spec = { id: 'archive', sessionId: 'session', resolution: '640x480', hasAudio: false, hasVideo: true }
    const recorder = await media.startArchive({ ...spec, layout: { type: 'bestFit', screenshareType: 'pip' } })
    await clock.advance(500)
    media.publish(stream(...screen))
    await clock.advance(500)
    media.unpublish('session', 'b')
    await clock.advance(500)
    await recorder.finish()
    const pictures = await decodePictures(ffmpegPath, join(directory, 'archive.mp4'), { width: 640, height: 480 })
    const widths = pictures.map((picture) => [0, 1].map((place) => findCells(picture).get(place)?.width))
    const expected = [
      [640, undefined],
      [160, 640],
      [640, undefined],
    ]
    expect(widths).toEqual(expected.flatMap((pair) => Array(15).fill(pair)))
  })
})

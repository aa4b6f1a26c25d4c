import { describe, expect, it } from 'vitest'
import { planCompositePieces } from '../../../../lib/media/composite/encode-composite-piece.ts'
import { arrange, grid, planComposite, type Rect } from '../../../../lib/media/composite/plan-composite.ts'
import type { IndividualArchive, IndividualStream } from '../../../../lib/media/individual/individual-archive.ts'

const SIZE = { width: 1280, height: 720 }
const FRAME: Rect = { x: 0, y: 0, ...SIZE }

const stream = (
  streamId: string,
  start: number,
  stop: number,
  more: Partial<IndividualStream> = {},
): IndividualStream => ({
  streamId,
  file: `${streamId}.webm`,
  size: 1,
  start,
  stop,
  videoType: 'camera',
  duration: null,
  video: { codec: 'vp8', width: 640, height: 480 },
  audio: { codec: 'opus', channels: 1 },
  ...more,
})
const plan = (streams: readonly IndividualStream[]) =>
  planComposite({ streams, duration: 0 } as unknown as IndividualArchive, SIZE)
const many = (count: number) => Array.from({ length: count }, (_, n) => stream(`s${n}`, 0, 10))

const isApart = (one: Rect, other: Rect) =>
  one.x + one.width <= other.x ||
  other.x + other.width <= one.x ||
  one.y + one.height <= other.y ||
  other.y + other.height <= one.y

describe('grid', () => {
  it.each([1, 2, 3, 4, 5, 7, 9, 12, 16])('places %i cells side by side, inside the frame, at even pixels', (count) => {
    const cells = grid(FRAME, count)
    expect(cells).toHaveLength(count)
    for (const [index, cell] of cells.entries()) {
      for (const pixels of Object.values(cell)) expect(pixels % 2).toBe(0)
      expect(Math.min(cell.x, cell.y)).toBeGreaterThanOrEqual(0)
      expect(cell.x + cell.width).toBeLessThanOrEqual(SIZE.width)
      expect(cell.y + cell.height).toBeLessThanOrEqual(SIZE.height)
      for (const other of cells.slice(0, index)) expect(isApart(cell, other)).toBe(true)
    }
  })

  it('centres an incomplete last row', () => {
    const [one, two, three] = grid(FRAME, 3)
    expect([one?.x, two?.x, three?.x]).toEqual([0, 640, 320])
  })
})

describe('arrange', () => {
  it('gives screens three quarters of the width beside cameras, and all of it without them', () => {
    expect(arrange(FRAME, 1, 2)).toMatchObject([
      { x: 0, y: 0, width: 960, height: 720 },
      { x: 960, width: 320 },
      { x: 960, width: 320 },
    ])
    expect(arrange(FRAME, 1, 0)).toEqual([FRAME])
    expect(arrange(FRAME, 0, 0)).toEqual([])
  })
})

describe('planComposite', () => {
  it('lasts from the recording’s start to its last stop, and places only streams that are there', () => {
    const { frames, pictures } = plan([stream('a', 1, 3), stream('b', 2, 5)])
    expect(frames).toBe(150)
    expect(pictures.map(({ places }) => places.map(({ start, end }) => [start, end]))).toEqual([
      [
        [30, 60],
        [60, 90],
      ],
      [
        [60, 90],
        [90, 150],
      ],
    ])
  })

  it('keeps the shape of a picture', () => {
    const [alone] = plan([stream('a', 0, 1)]).pictures
    expect(alone?.places).toEqual([{ start: 0, end: 30, x: 160, y: 0, width: 960, height: 720 }])
  })

  it('shows 16 at a time, screens before others, and plays 50', () => {
    const { pictures, voices, problems } = plan([...many(51), stream('screen', 0, 10, { videoType: 'screen' })])
    expect(pictures).toHaveLength(16)
    expect(pictures[0]?.stream.streamId).toBe('screen')
    expect(voices).toHaveLength(50)
    expect(problems).toContain('s15.webm is not seen: 16 others are there at the same time.')
    expect(problems).toContain('s50.webm is not heard: 50 others are there at the same time.')
    const later = plan([...many(16), stream('later', 10, 20)])
    expect(later.pictures).toHaveLength(17)
    expect(later.problems).toEqual([])
  })

  it('names unsupported codecs, and uses the other track of the stream', () => {
    const odd = stream('odd', 0, 1, { video: { codec: 'av1', width: 2, height: 2 } })
    const deaf = stream('deaf', 0, 1, { audio: { codec: 'vorbis', channels: 2 } })
    const { pictures, voices, problems } = plan([odd, deaf])
    expect(pictures.map(({ stream: { streamId } }) => streamId)).toEqual(['deaf'])
    expect(voices.map(({ streamId }) => streamId)).toEqual(['odd'])
    expect(problems).toEqual([
      'odd.webm is not seen: its video is av1, composites take vp8, vp9, avc.',
      'deaf.webm is not heard: its audio is vorbis, composites take opus.',
    ])
  })
})

describe('planCompositePieces', () => {
  it('divides frames at keyframes', () => {
    expect(planCompositePieces({ frames: 100 }, 2)).toEqual([
      { start: 0, end: 60 },
      { start: 60, end: 100 },
    ])
    expect(planCompositePieces({ frames: 4 * 3600 * 30 }, 600)).toHaveLength(24)
    expect(planCompositePieces({ frames: 10 }, 0.1)).toEqual([{ start: 0, end: 10 }])
    expect(planCompositePieces({ frames: 0 }, 600)).toEqual([])
  })
})

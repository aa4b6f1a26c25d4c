import { describe, expect, it } from 'vitest'
import { arrangeStreams, type Layout, refuseUndrawable } from '../../../../lib/platform/layouts/layouts.ts'

interface Stream {
  readonly id: string
  readonly videoType: 'camera' | 'screen' | 'custom'
  readonly layoutClasses: readonly string[]
}

/** Parses streams in their order of publishing, such as `a b:full c(screen)`. */
function streams(text: string): Stream[] {
  return text
    .split(' ')
    .filter(Boolean)
    .map((word) => {
      const [, id = '', screen, layoutClass] = /^(\w+)(\(screen\))?(?::(\w+))?$/.exec(word) ?? []
      return { id, videoType: screen ? 'screen' : 'camera', layoutClasses: layoutClass ? [layoutClass] : [] }
    })
}

/** Returns each stream with its cell as `id width x height + x + y`. */
const arrangedBy = (layout: Layout, who: string, width = 1280, height = 720) =>
  arrangeStreams(layout, streams(who), width, height).map(
    ({ stream, cell }) => `${stream.id} ${cell.width}x${cell.height}+${cell.x}+${cell.y}`,
  )
const arranged = (type: Layout['type'], who: string, width?: number, height?: number) =>
  arrangedBy({ type }, who, width, height)

describe('arrangeStreams', () => {
  it.each<[Layout['type'], string, string[]]>([
    ['bestFit', '', []],
    ['bestFit', 'a', ['a 1280x720+0+0']],
    ['bestFit', 'a b', ['a 640x720+0+0', 'b 640x720+640+0']],
    ['bestFit', 'a b c', ['a 640x360+0+0', 'b 640x360+640+0', 'c 640x360+320+360']],
    ['bestFit', 'a b:full c:focus', ['a 640x360+0+0', 'b 640x360+640+0', 'c 640x360+320+360']],
    ['bestFit', 'a b(screen)', ['b 640x720+0+0', 'a 640x720+640+0']],
    ['pip', 'a', ['a 1280x720+0+0']],
    ['pip', 'a b c', ['a 1280x720+0+0', 'b 320x180+896+36']],
    ['pip', 'a b:full c', ['b 1280x720+0+0', 'a 320x180+896+36']],
    ['pip', 'a b c(screen)', ['c 1280x720+0+0', 'a 320x180+896+36']],
    ['verticalPresentation', 'a', ['a 1280x720+0+0']],
    ['verticalPresentation', 'a b c', ['a 1024x720+256+0', 'b 256x360+0+0', 'c 256x360+0+360']],
    ['verticalPresentation', 'a b:focus c', ['b 1024x720+256+0', 'a 256x360+0+0', 'c 256x360+0+360']],
    ['horizontalPresentation', 'a', ['a 1280x720+0+0']],
    ['horizontalPresentation', 'a b c', ['a 1280x576+0+144', 'b 640x144+0+0', 'c 640x144+640+0']],
    ['horizontalPresentation', 'a b c:focus', ['c 1280x576+0+144', 'a 640x144+0+0', 'b 640x144+640+0']],
  ])('%s of "%s"', (type, who, cells) => {
    expect(arranged(type, who)).toEqual(cells)
  })

  it.each([
    ['bestFit', 'a b(screen) c', ['b 640x360+0+0', 'a 640x360+640+0', 'c 640x360+320+360']],
    ['pip', 'a b(screen) c', ['b 1280x720+0+0', 'a 320x180+896+36']],
    ['pip', 'a b(screen) c:full', ['b 1280x720+0+0', 'a 320x180+896+36']],
    ['verticalPresentation', 'a:focus b(screen)', ['b 1024x720+256+0', 'a 256x720+0+0']],
    ['horizontalPresentation', 'a(screen) b(screen):focus', ['b 1280x576+0+144', 'a 1280x144+0+0']],
    ['verticalPresentation', 'a(screen)', ['a 1280x720+0+0']],
  ] as const)('with a screenshareType of %s shows "%s" with a share in the prominent place', (type, who, cells) => {
    expect(arrangedBy({ type: 'bestFit', screenshareType: type }, who)).toEqual(cells)
  })

  it('is bestFit with any screenshareType while there is no share', () => {
    for (const screenshareType of ['pip', 'verticalPresentation', 'horizontalPresentation'] as const)
      expect(arrangedBy({ type: 'bestFit', screenshareType }, 'a b:focus c')).toEqual(arranged('bestFit', 'a b c'))
  })

  it('places streams by a stylesheet, on even coordinates, in painting order', () => {
    const stylesheet = `
      stream { position: absolute; width: 25%; height: 25%; right: 0; bottom: 0; z-index: 2 }
      stream.main { left: 0; top: 0; width: 100%; height: 99px; z-index: 1; object-fit: cover }
      stream.hidden { display: none }
      stream.slim { width: 33.33% }`
    expect(arrangedBy({ type: 'custom', stylesheet }, 'a b:main c:hidden d:slim')).toEqual([
      'b 1280x100+0+0',
      'a 320x180+960+540',
      'd 426x180+854+540',
    ])
    const [main] = arrangeStreams({ type: 'custom', stylesheet }, streams('a b:main'), 1280, 720)
    expect(main?.fit).toBe('cover')
  })

  it('counts the streams of a stylesheet with screen shares first', () => {
    const stylesheet = 'stream:first-child { width: 100%; height: 100% }'
    const [first] = arrangedBy({ type: 'custom', stylesheet }, 'a b(screen)')
    expect(first).toBe('b 1280x720+0+0')
  })

  it('stacks two pictures in an upright frame', () => {
    expect(arranged('bestFit', 'a b', 480, 640)).toEqual(['a 480x320+0+0', 'b 480x320+0+320'])
  })

  it('shows the first streams up to a limit, screen shares first', () => {
    const many = Array.from({ length: 20 }, (_, index) => `s${index}`)
    const shown = arrangeStreams({ type: 'bestFit' }, streams([...many, 'late(screen)'].join(' ')), 1280, 720, 16)
    expect(shown.map(({ stream }) => stream.id)).toEqual(['late', ...many.slice(0, 15)])
  })

  it('keeps cells on even coordinates inside the frame, without overlaps except in a corner', () => {
    for (const type of ['bestFit', 'verticalPresentation', 'horizontalPresentation', 'pip'] as const) {
      for (const [width, height] of [
        [1280, 720],
        [640, 480],
        [1080, 1920],
      ] as const) {
        for (let count = 1; count <= 16; count++) {
          const who = Array.from({ length: count }, (_, index) => `s${index}`).join(' ')
          const cells = arrangeStreams({ type }, streams(who), width, height).map(({ cell }) => cell)
          for (const cell of cells) {
            expect([cell.x % 2, cell.y % 2, cell.width % 2, cell.height % 2]).toEqual([0, 0, 0, 0])
            expect(Math.min(cell.x, cell.y, cell.width - 2, cell.height - 2)).toBeGreaterThanOrEqual(0)
            expect([cell.x + cell.width <= width, cell.y + cell.height <= height]).toEqual([true, true])
          }
          const area = cells.reduce((sum, cell) => sum + cell.width * cell.height, 0)
          if (type !== 'pip') expect(area).toBeLessThanOrEqual(width * height)
        }
      }
    }
  })
})

describe('refuseUndrawable', () => {
  it('refuses unknown layouts and contradictory fields', () => {
    expect(() => refuseUndrawable({ type: 'circle' as never })).toThrow('There is no layout "circle"')
    expect(() => refuseUndrawable({ type: 'custom' })).toThrow('stylesheet')
    expect(() => refuseUndrawable({ type: 'pip', stylesheet: 'stream {}' })).toThrow('stylesheet')
    expect(() => refuseUndrawable({ type: 'pip', screenshareType: 'pip' })).toThrow('screenshareType')
    expect(() => refuseUndrawable({ type: 'bestFit', screenshareType: 'custom' as never })).toThrow('screenshareType')
    expect(() => refuseUndrawable({ type: 'pip' })).not.toThrow()
    expect(() => refuseUndrawable({ type: 'bestFit', screenshareType: 'pip' })).not.toThrow()
  })

  it('refuses a stylesheet that cannot be drawn', () => {
    expect(() => refuseUndrawable({ type: 'custom', stylesheet: 'stream { width: 50% }' })).not.toThrow()
    expect(() => refuseUndrawable({ type: 'custom', stylesheet: 'stream { color: red }' })).toThrow('"color"')
  })
})

import { describe, expect, it } from 'vitest'
import { placeBoxes } from '../../../../../lib/platform/layouts/stylesheet/boxes.ts'
import { readStylesheet } from '../../../../../lib/platform/layouts/stylesheet/stylesheet.ts'

/** Returns the boxes of streams a, b, c, … (their classes) in a frame of 1000 x 500, as `width x height + x + y`. */
function placed(css: string, count: number): string[] {
  const streams = Array.from({ length: count }, (_, index) => ({ layoutClasses: ['abcdefghi'[index] as string] }))
  const { styleOf } = readStylesheet(css)
  return placeBoxes(
    streams.map((_, index) => styleOf(streams, index)),
    { width: 1000, height: 500 },
  ).map((box) => {
    if (!box) return 'none'
    const [x, y, width, height] = [box.rect.x, box.rect.y, box.rect.width, box.rect.height].map(Math.round)
    return `${width}x${height}+${x}+${y}`
  })
}

describe('placeBoxes', () => {
  it.each<[string, string, string[]]>([
    ['a block without a height', 'stream {}', ['1000x0+0+0']],
    ['blocks below one another', 'stream { height: 20% }', ['1000x100+0+0', '1000x100+0+100']],
    ['margins that are shared', 'stream { height: 10px; margin: 30px 5px 20px }', ['990x10+5+30', '990x10+5+70']],
    [
      'margins in per cent of the width',
      'stream { height: 10px; margin-top: 10% }',
      ['1000x10+0+100', '1000x10+0+210'],
    ],
    ['a first block with a negative margin', '.a { height: 50px; margin-top: -10px }', ['1000x50+0+-10']],
    [
      'margins through what has no height',
      'stream { height: 10px; margin: 5px 0 } .b { height: 0; margin: 30px 0 }',
      ['1000x10+0+5', '1000x0+0+45', '1000x10+0+45'],
    ],
    ['a negative margin', 'stream { height: 50px } .b { margin-top: -10px }', ['1000x50+0+0', '1000x50+0+40']],
    ['a block that is not displayed', '.a { display: none } stream { height: 10px }', ['none', '1000x10+0+0']],
    ['limits of a size', 'stream { width: 90%; max-width: 100px; min-height: 20% }', ['100x100+0+0', '100x100+0+100']],
    [
      'a moved block',
      'stream { height: 10px } .a { position: relative; left: 5px; top: -2% }',
      ['1000x10+5+-10', '1000x10+0+10'],
    ],
    ['moved from the far sides', '.a { height: 10px; position: relative; right: 5px; bottom: 3px }', ['1000x10+-5+-3']],
    ['no moving without a position', '.a { height: 10px; left: 5px }', ['1000x10+0+0']],
    [
      'absolute from near',
      '.a { position: absolute; left: 10%; top: 10%; width: 20%; height: 20% }',
      ['200x100+100+50'],
    ],
    [
      'absolute from far',
      '.a { position: absolute; right: 10%; bottom: 10%; width: 20%; height: 20% }',
      ['200x100+700+350'],
    ],
    [
      'absolute between sides',
      '.a { position: absolute; left: 10px; right: 20px; top: 0; bottom: 50px }',
      ['970x450+10+0'],
    ],
    [
      'absolute with margins',
      '.a { position: absolute; right: 0; top: 0; width: 10px; height: 10px; margin: 5px }',
      ['10x10+985+5'],
    ],
    [
      'absolute where it would have been',
      '.a { height: 30px } .b { position: absolute; width: 100%; height: 50% }',
      ['1000x30+0+0', '1000x250+0+30'],
    ],
    ['absolute without a size', '.a { position: absolute; left: 0 }', ['0x0+0+0']],
  ])('places %s', (_, css, expected) => {
    expect(placed(css, expected.length)).toEqual(expected)
  })

  it.each<[string, string, string[]]>([
    [
      'beside one another, then below',
      'stream { float: left; width: 40%; height: 50px }',
      ['400x50+0+0', '400x50+400+0', '400x50+0+50'],
    ],
    [
      'three thirds',
      'stream { float: left; width: 33.34%; height: 50px }',
      ['333x50+0+0', '333x50+333+0', '333x50+0+50'],
    ],
    [
      'thirds that fit',
      'stream { float: left; width: 33.33%; height: 50px }',
      ['333x50+0+0', '333x50+333+0', '333x50+667+0'],
    ],
    [
      'from the right',
      'stream { float: right; width: 40%; height: 50px }',
      ['400x50+600+0', '400x50+200+0', '400x50+600+50'],
    ],
    [
      'to both sides',
      'stream { width: 40%; height: 50px } .a { float: right } .b { float: left }',
      ['400x50+600+0', '400x50+0+0'],
    ],
    [
      'beside a taller one',
      'stream { float: left; width: 40%; height: 50px } .a { height: 120px }',
      ['400x120+0+0', '400x50+400+0', '400x50+400+50'],
    ],
    ['one that is too wide', 'stream { float: left; width: 120%; height: 50px }', ['1200x50+0+0', '1200x50+0+50']],
    [
      'never above an earlier one',
      'stream { float: left; height: 50px; width: 60% } .c { width: 40% }',
      ['600x50+0+0', '600x50+0+50', '400x50+600+50'],
    ],
    [
      'with margins',
      'stream { float: left; width: 400px; height: 50px; margin: 5px 10px }',
      ['400x50+10+5', '400x50+430+5', '400x50+10+65'],
    ],
    [
      'past one without a width',
      'stream { float: left; width: 60%; height: 50px } .b { width: 0; height: 120px }',
      ['600x50+0+0', '0x120+600+0', '600x50+0+50'],
    ],
    ['cleared', 'stream { float: left; clear: left; width: 20%; height: 20% }', ['200x100+0+0', '200x100+0+100']],
    [
      'a block below floats',
      '.a { float: left; width: 10px; height: 50px } .b { clear: both; height: 5px }',
      ['10x50+0+0', '1000x5+0+50'],
    ],
    [
      'a block behind floats',
      '.a { float: left; width: 10px; height: 50px } .b { height: 5px }',
      ['10x50+0+0', '1000x5+0+0'],
    ],
    [
      'a float after a block',
      '.a { height: 5px; margin-bottom: 3px } .b { float: left; width: 10px; height: 50px }',
      ['1000x5+0+0', '10x50+0+8'],
    ],
  ])('places floats: %s', (_, css, expected) => {
    expect(placed(css, expected.length)).toEqual(expected)
  })

  it('paints blocks, then floats, then positioned boxes by their z-index', () => {
    const styles = [
      'position: absolute; z-index: 5',
      'position: relative',
      'float: left; z-index: 9',
      'z-index: 9',
      'position: absolute; z-index: -1',
      'position: absolute; z-index: 5',
    ]
    const { styleOf } = readStylesheet(styles.map((style, index) => `.s${index} { ${style} }`).join('\n'))
    const streams = styles.map((_, index) => ({ layoutClasses: [`s${index}`] }))
    const boxes = placeBoxes(
      streams.map((_, index) => styleOf(streams, index)),
      { width: 10, height: 10 },
    )
    const order = boxes.map((box, index) => ({ index, depth: box?.depth ?? 0 })).toSorted((a, b) => a.depth - b.depth)
    expect(order.map(({ index }) => index)).toEqual([4, 3, 2, 1, 0, 5])
  })
})

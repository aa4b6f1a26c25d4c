import fc from 'fast-check'
import { chromium } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { placeBoxes } from '../../lib/platform/layouts/stylesheet/boxes.ts'
import { readStylesheet } from '../../lib/platform/layouts/stylesheet/stylesheet.ts'
import { findTool } from '../support/tools.ts'

const FRAME = { width: 1000, height: 500 }
/** Browsers lay out in 64ths of a pixel, which add up. */
const TOLERANCE = 0.6

const length = fc.constantFrom('0', '10px', '25%', '50%', '33.33%', '120px', '300px', '100%', '7.5%')
const offset = fc.oneof(length, fc.constantFrom('-20px', '-10%', 'auto'))
const VALUES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  width: length,
  height: length,
  'min-width': length,
  'min-height': fc.constantFrom('10%', '30px'),
  'max-width': fc.constantFrom('40%', '200px', 'none'),
  'max-height': fc.constantFrom('40%', '60px', 'none'),
  left: offset,
  right: offset,
  top: offset,
  bottom: offset,
  margin: fc.constantFrom('5px', '10px 20px', '2%', '1px 2px 3px 4px'),
  'margin-left': fc.constantFrom('10px', '5%', '-15px'),
  'margin-top': fc.constantFrom('10px', '5%', '-15px'),
  'margin-bottom': fc.constantFrom('10px', '5%', '-15px'),
  display: fc.constantFrom('block', 'block', 'none'),
  position: fc.constantFrom('absolute', 'relative', 'static'),
  float: fc.constantFrom('left', 'right', 'none'),
  clear: fc.constantFrom('left', 'right', 'both', 'none'),
}

const declaration = fc
  .constantFrom(...Object.keys(VALUES))
  .chain((name) => (VALUES[name] as fc.Arbitrary<string>).map((value) => `${name}: ${value}`))
const nth = fc.constantFrom('1', '2', 'odd', 'even', '2n+1', 'n+3', '-n+2')
const selector = fc.oneof(
  fc.constantFrom(
    'stream',
    '.a',
    'stream.b',
    '.c',
    'stream:first-child',
    'stream:last-child',
    '.a + stream',
    '.b ~ .c',
  ),
  nth.map((place) => `stream:nth-child(${place})`),
  nth.map((place) => `.a:nth-last-child(${place}) ~ stream`),
)
const rule = fc
  .tuple(selector, fc.array(declaration, { minLength: 1, maxLength: 4 }))
  .map(([streams, declarations]) => `${streams} { ${declarations.join('; ')} }`)
const base = fc.constantFrom('height: 20%', 'height: 60px', 'float: left; width: 30%; height: 60px', '')
const layout = fc.record({
  css: fc
    .tuple(base, fc.array(rule, { maxLength: 6 }))
    .map(([first, rules]) => [`stream { ${first} }`, ...rules].join('\n')),
  classes: fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 7 }),
})

type Box = [x: number, y: number, width: number, height: number] | 'unseen'

/** Streams as the sandbox places them; those that are not displayed or have no area count alike. */
function placed({ css, classes }: { css: string; classes: string[] }): Box[] {
  const streams = classes.map((name) => ({ layoutClasses: [name] }))
  const { styleOf } = readStylesheet(css)
  const styles = streams.map((_, index) => styleOf(streams, index))
  return placeBoxes(styles, FRAME).map((box) => {
    if (!box || box.rect.width < 1 || box.rect.height < 1) return 'unseen'
    return [box.rect.x, box.rect.y, box.rect.width, box.rect.height]
  })
}

/** A document as the platform describes it, and what a browser makes of it. */
const documentOf = ({ css, classes }: { css: string; classes: string[] }) => `<!doctype html>
  <style>
    body { margin: 0 }
    archive { display: block; position: relative; width: ${FRAME.width}px; height: ${FRAME.height}px; overflow: hidden }
    stream { display: block; margin: 0 }
  </style>
  <style>${css}</style>
  <archive>${classes.map((name) => `<stream class="${name}"></stream>`).join('')}</archive>`

it('the boxes of stylesheets lie where Chromium has them', async () => {
  const browser = await chromium.launch({
    executablePath: await findTool('chromium', 'chromium'),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  for (const wanted of fc.sample(layout, { numRuns: 300, seed: 1 })) {
    await page.setContent(documentOf(wanted))
    const seen = await page.locator('stream').evaluateAll((elements) =>
      elements.map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect()
        return width < 1 || height < 1 ? ('unseen' as const) : [x, y, width, height]
      }),
    )
    const boxes = placed(wanted)
    const isAlike = boxes.every((box, index) => {
      const other = seen[index]
      if (box === 'unseen' || other === 'unseen') return box === other
      return box.every((value, side) => Math.abs(value - (other?.[side] ?? Number.NaN)) <= TOLERANCE)
    })
    if (!isAlike) expect({ ...wanted, boxes }).toEqual({ ...wanted, boxes: seen })
  }
})

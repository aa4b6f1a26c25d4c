import { describe, expect, it } from 'vitest'
import { readStylesheet } from '../../../../../lib/platform/layouts/stylesheet/stylesheet.ts'

const styleOf = (css: string, classes: string[] = []) => readStylesheet(css).styleOf([{ layoutClasses: classes }], 0)

describe('readStylesheet', () => {
  it('returns the initial style for a stream without a rule', () => {
    expect(styleOf('', ['a'])).toMatchObject({ display: 'block', position: 'static', width: 'auto', 'z-index': 'auto' })
    expect(styleOf('.b { width: 1px }', ['a']).width).toBe('auto')
  })

  it.each([
    ['width: 50%', { width: { value: 50, unit: '%' } }],
    ['LEFT: -12.5PX', { left: { value: -12.5, unit: 'px' } }],
    ['top: 0', { top: { value: 0, unit: 'px' } }],
    ['right: auto; bottom: 1px;', { right: 'auto', bottom: { value: 1, unit: 'px' } }],
    ['min-width: 1px; max-height: none', { 'min-width': { value: 1, unit: 'px' }, 'max-height': 'none' }],
    ['z-index: -3', { 'z-index': -3 }],
    ['position: Absolute; float: left; clear: both', { position: 'absolute', float: 'left', clear: 'both' }],
    ['display: none; object-fit: cover; overflow: hidden', { display: 'none', 'object-fit': 'cover' }],
    [';; width : 1px ;', { width: { value: 1, unit: 'px' } }],
    ['width: 1px; width: 2px', { width: { value: 2, unit: 'px' } }],
  ])('reads %j', (declarations, expected) => {
    expect(styleOf(`stream { ${declarations} }`)).toMatchObject(expected)
  })

  it.each([
    ['1px', [1, 1, 1, 1]],
    ['1px 2px', [1, 2, 1, 2]],
    ['1px 2px 3px', [1, 2, 3, 2]],
    ['1px 2px 3px 4px', [1, 2, 3, 4]],
  ])('reads a margin of %s for top, right, bottom and left', (margin, sides) => {
    const style = styleOf(`stream { margin: ${margin} }`)
    const values = (['top', 'right', 'bottom', 'left'] as const).map((side) => style[`margin-${side}`].value)
    expect(values).toEqual(sides)
  })

  it('applies the more specific rule, and the last of equal ones', () => {
    const width = (css: string) => styleOf(css, ['a', 'b']).width
    expect(width('.a { width: 1px } stream { width: 2px }')).toMatchObject({ value: 1 })
    expect(width('.a { width: 1px } .b { width: 2px }')).toMatchObject({ value: 2 })
    expect(width('.a.b { width: 1px } .a, .b { width: 2px }')).toMatchObject({ value: 1 })
    expect(styleOf('.a { width: 1px } stream { height: 2px }', ['a'])).toMatchObject({
      width: { value: 1 },
      height: { value: 2 },
    })
  })

  it.each([
    ['stream { color: red }', 'the property "color" is not supported; use margin, display, position,'],
    ['stream { constructor: 1 }', 'the property "constructor" is not supported'],
    ['stream { width: 10 }', 'width cannot be "10"; it takes a number of px or % that is not negative, auto'],
    ['stream { width: 1em }', 'width cannot be "1em"'],
    ['stream { height: -1px }', 'height cannot be "-1px"'],
    ['stream { width: calc(1px) }', 'width cannot be "calc ( 1px )"'],
    ['stream { width: 1px !important }', 'width cannot be "1px ! important"'],
    ['stream { width: }', 'width cannot be ""'],
    ['stream { display: inline-block }', 'display cannot be "inline-block"; it takes block, none'],
    ['stream { position: fixed }', 'position cannot be "fixed"; it takes static, relative, absolute'],
    ['stream { object-fit: fill }', 'object-fit cannot be "fill"; it takes contain, cover'],
    ['stream { overflow: visible }', 'overflow cannot be "visible"'],
    ['stream { z-index: 1.5 }', 'z-index cannot be "1.5"; it takes a whole number, auto'],
    ['stream { margin: auto }', 'margin cannot be "auto"; it takes one to four numbers of px or %'],
    ['stream { margin: 1px 1px 1px 1px 1px }', 'margin cannot be'],
    ['stream { margin: }', 'margin cannot be ""'],
    ['stream { width 1px }', '"width" does not begin a declaration such as width: 50%'],
    ['stream { { } }', '"{" does not begin a declaration'],
    ['stream', 'the rule that begins with "stream" has no { and }'],
    ['stream { width: 1px', 'the rule that begins with "stream" has no { and }'],
    ['}', 'the rule that begins with "}" has no { and }'],
    [`stream { ${'x'.repeat(100)}: 1px }`, `the property "${'x'.repeat(40)}…" is not supported`],
  ])('refuses %j', (css, problem) => {
    expect(() => readStylesheet(`.a { top: 0 }\n${css}`)).toThrow(
      `Line 2 of the stylesheet cannot be drawn: ${problem}`,
    )
  })
})

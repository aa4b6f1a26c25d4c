import type { FixedLayout } from '../../../lib/platform/layouts/layouts.ts'
import { element } from '../../dom.ts'

/** Types of layouts in the order in which they are offered, with their labels. */
export const LAYOUT_LABELS = {
  bestFit: 'Grid',
  pip: 'Picture in picture',
  verticalPresentation: 'Focus, others left',
  horizontalPresentation: 'Focus, others above',
  custom: 'Stylesheet',
} as const

export type LayoutType = keyof typeof LAYOUT_LABELS

/** Rectangles of the streams in a frame of 32 x 18: x, y, width and height. The first is the stream with the focus. */
const PICTURES: Readonly<Record<FixedLayout | 'custom', readonly (readonly [number, number, number, number])[]>> = {
  bestFit: [
    [2, 2, 13.5, 6.5],
    [16.5, 2, 13.5, 6.5],
    [2, 9.5, 13.5, 6.5],
    [16.5, 9.5, 13.5, 6.5],
  ],
  pip: [
    [2, 2, 28, 14],
    [21, 3.2, 7.8, 4.4],
  ],
  verticalPresentation: [
    [9, 2, 21, 14],
    [2, 2, 6, 4],
    [2, 7, 6, 4],
    [2, 12, 6, 4],
  ],
  horizontalPresentation: [
    [5, 6.5, 22, 9.5],
    [3, 2, 8, 3.5],
    [12, 2, 8, 3.5],
    [21, 2, 8, 3.5],
  ],
  custom: [
    [4, 4, 13, 10],
    [18.5, 4, 5, 10],
    [25, 4, 4, 10],
  ],
}

/** Creates a button with the picture of a layout. */
export function createLayoutButton(type: LayoutType): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'layout', 'aria-pressed': 'false' })
  button.append(drawLayout(type), element('span', {}, LAYOUT_LABELS[type]))
  return button
}

/** Draws a layout. Its color is that of the text. */
function drawLayout(type: LayoutType): SVGSVGElement {
  const draw = <Tag extends 'svg' | 'rect'>(tag: Tag, attributes: Readonly<Record<string, string | number>>) => {
    const created = document.createElementNS('http://www.w3.org/2000/svg', tag)
    for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, String(value))
    return created
  }
  const svg = draw('svg', { viewBox: '0 0 32 18', 'aria-hidden': 'true' })
  svg.append(
    draw('rect', { class: 'frame', width: 32, height: 18, rx: 2 }),
    ...PICTURES[type].map(([x, y, width, height], index) =>
      draw('rect', { x, y, width, height, rx: 1, class: index === 0 ? 'focus' : 'other' }),
    ),
  )
  return svg
}

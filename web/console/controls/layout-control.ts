import { element, type View } from '../../dom.ts'
import type { Show } from '../answers.ts'
import { act } from '../api.ts'
import { createControlGroup } from './control-group.ts'
import {
  chosenOutputs,
  commonLayout,
  describeControl,
  type FixedLayout,
  fixedLayouts,
  type Output,
  outputKey,
  outputsOf,
  reasonAgainst,
  targetOf,
} from './control-state.ts'

const LABELS: Readonly<Record<FixedLayout, string>> = {
  bestFit: 'Grid',
  pip: 'Picture in picture',
  verticalPresentation: 'Focus, others left',
  horizontalPresentation: 'Focus, others above',
}

/** Rectangles of the streams in a frame of 32 x 18: x, y, width and height. The first is the stream with the focus. */
const PICTURES: Readonly<Record<FixedLayout, readonly (readonly [number, number, number, number])[]>> = {
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
}

/** Names the choice of all outputs, by their number. */
const ALL = ['No output', 'The only output'] as const

/** Creates the choice of layouts by their pictures, for one output or for all. */
export function createLayoutControl({ showId }: Pick<Show, 'showId'>): View<Show> {
  const select = element('select', { 'aria-label': 'Output whose layout changes' })
  const buttons = fixedLayouts.map((type) => ({ type, button: createLayoutButton(type) }))
  const pictures = element('div', { class: 'layouts' }, ...buttons.map(({ button }) => button))
  const group = createControlGroup('Layout', select, pictures)
  let outputs: readonly Output[] = []
  let listed = ''

  const press = () => {
    const current = commonLayout(chosenOutputs(outputs, select.value))
    for (const { type, button } of buttons) button.setAttribute('aria-pressed', String(type === current))
  }
  select.addEventListener('change', press)
  for (const { type, button } of buttons)
    button.addEventListener('click', () => {
      const chosen = chosenOutputs(outputs, select.value)
      const layouts = chosen.map((output) => ({ ...targetOf(output), layout: { type } }))
      const names = chosen.map(({ name }) => name).join(', ')
      void group.run(`Changing the layout of ${names} …`, async () =>
        describeControl(
          await act(({ controls }) => controls.change(showId, { layouts })),
          `${LABELS[type]} was set in ${names}`,
        ),
      )
    })

  return {
    element: group.element,
    update(show) {
      outputs = outputsOf(show)
      const keys = outputs.map(outputKey).join()
      if (keys !== listed) {
        const chosen = select.value
        const all = new Option(ALL[outputs.length] ?? `All ${outputs.length} outputs`, '')
        select.replaceChildren(
          all,
          ...outputs.map(
            (one) => new Option(`${one.kind === 'recording' ? 'Recording' : 'Broadcast'} ${one.name}`, outputKey(one)),
          ),
        )
        select.value = outputs.some((one) => outputKey(one) === chosen) ? chosen : ''
        listed = keys
      }
      press()
      const none = outputs.length === 0 ? 'No output composes a picture now.' : undefined
      group.refuse(reasonAgainst('change', show) ?? none)
    },
  }
}

function createLayoutButton(type: FixedLayout): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'layout', 'aria-pressed': 'false' })
  button.append(drawLayout(type), element('span', {}, LABELS[type]))
  return button
}

/** Draws a layout. Its color is that of the text. */
function drawLayout(type: FixedLayout): SVGSVGElement {
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

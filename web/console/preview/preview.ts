import { element } from '../../dom.ts'
import type { ListedStream, Show } from '../answers.ts'
import { act } from '../api.ts'
import { createControlGroup } from '../controls/control-group.ts'
import {
  chosenOutputs,
  commonLayout,
  describeControl,
  includedIn,
  isSameLayout,
  type Output,
  outputKey,
  outputLabel,
  outputsOf,
  reasonAgainst,
} from '../controls/control-state.ts'
import { createLayoutButton, LAYOUT_LABELS, type LayoutType } from './layout-pictures.ts'
import {
  drawLayout,
  exchangePlaces,
  hasPlaces,
  layoutChanges,
  type NextLayout,
  placedStreams,
  placesInRecordings,
} from './next-layout.ts'
import { createStagePlan } from './stage-plan.ts'

/** The next layout of a show: prepared, drawn, and taken into one output or all. */
export interface Preview {
  readonly element: HTMLElement
  update(state: { readonly show: Show; readonly streams: readonly ListedStream[] | undefined }): void
  /** Returns the ids of the streams in the next layout; undefined while none is prepared. */
  next(): ReadonlySet<string> | undefined
}

/** Names the choice of all outputs, by their number. */
const ALL = ['No output', 'The only output'] as const

const types = Object.keys(LAYOUT_LABELS) as LayoutType[]

/** Creates the preview. Nothing changes in an output before the layout is taken. */
export function createPreview({ showId, name }: Pick<Show, 'showId' | 'name'>): Preview {
  const select = element('select', { 'aria-label': `Outputs of ${name} whose layout changes` })
  const buttons = types.map((type) => ({ type, button: createLayoutButton(type) }))
  const stylesheet = element('textarea', {
    rows: '5',
    maxlength: '10000',
    spellcheck: 'false',
    'aria-label': `Stylesheet of the next layout of ${name}`,
  })
  const check = element('p', { class: 'quiet plan-check', role: 'status' })
  const plan = createStagePlan(name, (moved, other) => {
    const classes = exchangePlaces(layout(), placed(), [moved, other])
    if (classes) prepare({ layout: layout(), classes: new Map([...(draft?.classes ?? []), ...classes]) })
    return classes !== undefined
  })
  const take = element('button', { type: 'button', class: 'take', 'data-action': 'take' }, 'Take')
  const discard = element('button', { type: 'button', class: 'plain small' }, 'Discard')
  const group = createControlGroup(
    'Next layout',
    select,
    element('div', { class: 'layouts' }, ...buttons.map(({ button }) => button)),
    stylesheet,
    plan.element,
    check,
    element('div', { class: 'buttons' }, take, discard),
  )
  let outputs: readonly Output[] = []
  let streams: readonly ListedStream[] = []
  let latest: Show | undefined
  let draft: NextLayout | undefined
  let listed = ''

  const chosen = () => chosenOutputs(outputs, select.value)
  const layout = () => draft?.layout ?? commonLayout(chosen()) ?? chosen()[0]?.layout ?? { type: 'bestFit' as const }
  const placed = () => {
    const [output] = chosen()
    const included = output ? includedIn(output, streams, latest?.timeline ?? []) : []
    return placedStreams(included, draft?.classes ?? new Map())
  }
  function prepare(next: NextLayout | undefined): void {
    draft = next
    draw()
  }
  function draw(): void {
    const { type, stylesheet: css = '' } = layout()
    const common = draft?.layout ?? commonLayout(chosen())
    for (const { type: one, button } of buttons) button.setAttribute('aria-pressed', String(one === common?.type))
    stylesheet.hidden = type !== 'custom'
    if (stylesheet.value !== css && document.activeElement !== stylesheet) stylesheet.value = css
    const [output] = chosen()
    const drawn = drawLayout(layout(), placed(), output?.size ?? [16, 9])
    plan.draw({ ...drawn, streams: placed(), size: output?.size ?? [16, 9], canMove: hasPlaces(layout()) })
    const isTaken = draft === undefined
    const state = isTaken ? 'The layout on air.' : 'Prepared. Take it, or discard it.'
    if (check.textContent !== (drawn.problem ?? state)) check.textContent = drawn.problem ?? state
    check.dataset.kind = drawn.problem ? 'problem' : isTaken ? 'taken' : 'prepared'
    for (const button of [take, discard]) button.disabled = isTaken
  }

  select.addEventListener('change', draw)
  for (const { type, button } of buttons)
    button.addEventListener('click', () => {
      const css = stylesheet.value || (chosen().find((one) => one.layout.stylesheet)?.layout.stylesheet ?? EXAMPLE)
      const next = type === 'custom' ? { type, stylesheet: css } : { type }
      prepare({ layout: next, classes: draft?.classes ?? new Map() })
    })
  stylesheet.addEventListener('input', () =>
    prepare({ layout: { type: 'custom', stylesheet: stylesheet.value }, classes: draft?.classes ?? new Map() }),
  )
  discard.addEventListener('click', () => prepare(undefined))
  take.addEventListener('click', () => {
    const next = draft
    const targets = chosen()
    if (!next || targets.length === 0) return
    void group.run('Taking the layout …', async () => {
      const answers = await takeLayout(showId, next, targets)
      if (draft === next) draft = undefined
      const at = answers?.timeline.at(-1)?.at
      const places = at === undefined || !latest ? [] : placesInRecordings(latest, targets, at)
      const names = targets.map((one) => one.name).join(', ')
      const line = describeControl(
        answers ?? { timeline: [] },
        `${LAYOUT_LABELS[next.layout.type]} was taken in ${names}`,
      )
      return [line, places.length > 0 ? `In the recording: ${places.join(', ')}.` : ''].join(' ').trim()
    })
  })

  return {
    element: group.element,
    update({ show, streams: published = [] }) {
      latest = show
      outputs = outputsOf(show)
      streams = published
      const keys = outputs.map(outputKey).join()
      if (keys !== listed) {
        const key = select.value
        const all = new Option(ALL[outputs.length] ?? `All ${outputs.length} outputs`, '')
        select.replaceChildren(all, ...outputs.map((one) => new Option(outputLabel(one), outputKey(one))))
        select.value = outputs.some((one) => outputKey(one) === key) ? key : ''
        listed = keys
      }
      draw()
      const none = outputs.length === 0 ? 'No output composes a picture now.' : undefined
      group.refuse(reasonAgainst('change', show) ?? none)
    },
    next() {
      const [output] = chosen()
      if (!draft || !output) return undefined
      return new Set(drawLayout(draft.layout, placed(), output.size).places.map(({ stream }) => stream.streamId))
    },
  }
}

const EXAMPLE = 'stream {\n  float: left;\n  width: 50%;\n  height: 100%;\n}'

/** Sets the layout classes first, since the outputs draw the layout by them. Returns the answer to the last request. */
async function takeLayout(showId: string, { layout, classes }: NextLayout, targets: readonly Output[]) {
  const streams = [...classes].map(([streamId, layoutClasses]) => ({ streamId, layoutClasses: [...layoutClasses] }))
  const classed =
    streams.length > 0 ? await act(({ controls }) => controls.setLayoutClasses(showId, { streams })) : undefined
  const changed = targets.filter((one) => !isSameLayout(one.layout, layout))
  if (changed.length === 0 && classed) return classed
  const layouts = layoutChanges(layout, changed.length > 0 ? changed : targets)
  return act(({ controls }) => controls.change(showId, { layouts }))
}

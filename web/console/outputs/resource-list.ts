import { createList, element, setText, type View } from '../../dom.ts'
import type { KnownRecording, Show } from '../answers.ts'
import { act } from '../api.ts'
import { confirmAction } from '../controls/confirm.ts'
import { type ControlGroup, createButton, createControlGroup } from '../controls/control-group.ts'
import { describeControl, reasonAgainst } from '../controls/control-state.ts'
import { createOutputMeter } from './output-meter.ts'
import type { PlayedPart } from './playlist-bitrate.ts'
import { type ResourceLine, resourceLines } from './resource-lines.ts'

/** A show and the recordings of the page. */
interface ShownResources {
  readonly show: Show
  readonly recordings: readonly KnownRecording[]
  /** False while the card of the show is folded. */
  readonly isOpen: boolean
  readonly now: number
  readonly played: PlayedPart | undefined
}

/** Creates the list of what a show runs. Recordings are paused and resumed by their buttons, and broadcasts stopped. */
export function createResourceList({ showId, name }: Pick<Show, 'showId' | 'name'>): View<ShownResources> {
  const meter = createOutputMeter()
  const list = element('ul', { class: 'resources' })
  const group = createControlGroup('Inputs and outputs', list)
  const update = createList<ResourceLine>(
    list,
    ({ key }) => key,
    (line) => createResource(line, { showId, showName: name, group }),
  )
  return {
    element: group.element,
    update({ show, recordings, isOpen, now, played }) {
      const lines = resourceLines(show, recordings, isOpen ? { measured: meter.measure(show, now), played } : {})
      group.element.hidden = lines.length === 0
      update(lines)
      const canChange = lines.some(({ pause, stoppable }) => pause?.action || stoppable)
      group.refuse(canChange ? reasonAgainst('change', show) : undefined)
    },
  }
}

interface ResourceContext {
  readonly showId: string
  readonly showName: string
  readonly group: ControlGroup
}

function createResource(first: ResourceLine, { showId, showName, group }: ResourceContext): View<ResourceLine> {
  let latest = first
  const label = element('span', {}, element('span', { class: 'quiet' }, `${first.kind} `), first.name)
  const state = element('span', { class: 'state' })
  const facts = element('span', { class: 'quiet' })
  const problem = element('p', { class: 'problem' })
  const change = createButton('', () => {
    const { recording = '', action } = latest.pause ?? {}
    const [pending, done] = action === 'pause' ? ['Pausing', 'was paused'] : ['Resuming', 'resumes']
    void group.run(`${pending} the recording ${recording} …`, async () => {
      const answer = await act(({ controls }) =>
        action === 'pause' ? controls.pauseRecording(showId, recording) : controls.resumeRecording(showId, recording),
      )
      return describeControl(answer, `The recording ${recording} ${done}`)
    })
  })
  change.dataset.action = 'pause'
  const stop = createButton(
    'Stop',
    async () => {
      const name = latest.stoppable ?? ''
      const text = 'It leaves the air at once, and cannot be resumed. The show continues.'
      const action = 'Stop the broadcast'
      if (!(await confirmAction({ title: `${action} ${name}?`, text, action }))) return
      await group.run(`Stopping the broadcast ${name} …`, async () => {
        const answer = await act(({ broadcasts }) => broadcasts.stop(showId, name))
        return describeControl(answer, `The broadcast ${name} was stopped`)
      })
    },
    `Stop the broadcast ${first.name} of ${showName}`,
  )
  return {
    element: element(
      'li',
      {},
      label,
      state,
      element('span', { class: 'resource-facts' }, facts, change, stop),
      problem,
    ),
    update(line) {
      latest = line
      setText(state, line.state)
      setText(facts, line.facts)
      setText(problem, line.problem)
      const { action, recording } = line.pause ?? {}
      change.hidden = action === undefined
      stop.hidden = line.stoppable === undefined
      const text = action === 'pause' ? 'Pause' : 'Resume'
      if (change.textContent !== text) change.textContent = text
      change.setAttribute('aria-label', `${text} the recording ${recording} of ${showName}`)
    },
  }
}

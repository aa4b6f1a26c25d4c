import { element } from '../dom.ts'
import type { ListedStream, Show } from './answers.ts'
import { createBroadcastControl } from './controls/broadcast-control.ts'
import { createShowClips } from './controls/clip-control.ts'
import { createDialInControl } from './controls/dial-in-control.ts'
import { createInvitationControl } from './controls/invitation-control.ts'
import { createMarkerControl } from './controls/marker-control.ts'
import { createMessageControl } from './controls/message-control.ts'
import { createDeletionControl, createEndControl, createStopControl } from './controls/time-control.ts'
import { isShowOver } from './model.ts'
import { createMultiview } from './multiview/multiview.ts'
import { createPreview } from './preview/preview.ts'
import { isRunning } from './show-list.ts'

/** The controls of a show, by their place on its card. */
export interface ShowControls {
  /** The streams of the session. */
  readonly streams: HTMLElement
  /** Layout, messages, markers and clips: what participants and viewers notice. */
  readonly program: HTMLElement
  /** The end of the show. */
  readonly time: HTMLElement
  /** Invitations. */
  readonly people: HTMLElement
  /** Further broadcasts and calls. */
  readonly outputs: HTMLElement
  /** @param isOpen a folded show receives nothing */
  update(show: Show, streams: readonly ListedStream[] | undefined, isOpen: boolean): void
}

/** Creates the controls of a show: those that its status may allow. Others of them are disabled with a reason. */
export function createShowControls(show: Show): ShowControls {
  const streams = element('div', { class: 'controls' })
  const program = element('div', { class: 'controls program' })
  const time = element('div', { class: 'controls time' })
  const people = element('div')
  const outputs = element('div')
  const areas = { streams, program, time, people, outputs }
  let shown: Kind | undefined
  let update: Update = () => {}
  return {
    ...areas,
    update(next, published, isOpen) {
      const kind = kindOf(next)
      if (kind !== shown) {
        for (const area of Object.values(areas)) area.replaceChildren()
        shown = kind
        update = CREATE[kind](show, areas)
      }
      for (const area of Object.values(areas)) area.hidden = area.childElementCount === 0
      update(next, published, isOpen)
    },
  }
}

/** What a show needs controls for. */
type Kind = 'running' | 'scheduled' | 'over'
type Areas = Readonly<Record<'streams' | 'program' | 'time' | 'people' | 'outputs', HTMLElement>>
type Update = ShowControls['update']

const kindOf = (show: Show): Kind => (isShowOver(show) ? 'over' : isRunning(show) ? 'running' : 'scheduled')

const CREATE: Readonly<Record<Kind, (show: Show, areas: Areas) => Update>> = {
  over: () => () => {},
  scheduled(show, { time, people }) {
    const invitation = createInvitationControl(show)
    time.append(createDeletionControl(show).element)
    people.append(invitation.element)
    return invitation.update
  },
  running(show, { streams, program, time, people, outputs }) {
    const [preview, multiview, message] = [createPreview(show), createMultiview(show), createMessageControl(show)]
    const [clips, end, stop] = [createShowClips(show), createEndControl(show), createStopControl(show)]
    const [invitation, broadcast] = [createInvitationControl(show), createBroadcastControl(show)]
    const [marker, dialIn] = [createMarkerControl(show), createDialInControl(show)]
    streams.append(multiview.element)
    const notes = element('div', { class: 'notes' }, message.element, marker.element, clips.element)
    program.append(preview.element, notes)
    time.append(end.element, stop.element)
    people.append(invitation.element)
    outputs.append(broadcast.element, dialIn.element)
    return (next, published, isOpen) => {
      for (const control of [message, marker, clips, end, stop, invitation, broadcast, dialIn]) control.update(next)
      preview.update({ show: next, streams: published })
      multiview.update({ show: next, streams: published, next: preview.next() }, isOpen)
    }
  },
}

import { element, setText, type View } from '../../dom.ts'
import { clockTime, moment } from '../../format.ts'
import type { Recording } from '../answers.ts'
import { timeNow } from '../clock.ts'
import { deletedHere } from '../controls/recording-control.ts'
import { partLabel } from '../labels.ts'

/** Names a recording: its show, or its archive, and its name in the show. */
export const titleOf = ({ archiveId, show, page }: Pick<Recording, 'archiveId' | 'show' | 'page'>): string =>
  [page?.title ?? (show ? undefined : `Archive ${archiveId}`), show && partLabel(show)].filter(Boolean).join(': ')

const PROBLEMS: Partial<Record<Recording['status'], string>> = { failed: 'not published', ready: 'being completed' }

/** Creates the content of a row: poster, title, time and duration. */
export function createLibraryRow(): View<Recording> {
  const poster = element('img', { alt: '', width: '80', height: '45', loading: 'lazy', decoding: 'async' })
  const title = element('span', { class: 'row-title' })
  const facts = element('span', { class: 'quiet' })
  poster.addEventListener('error', () => {
    poster.hidden = true // its link has expired, or its recording was deleted
  })
  let shown = ''
  return {
    element: element('span', { class: 'row-content' }, element('span', { class: 'row-poster' }, poster), title, facts),
    update(recording) {
      const { createdAt, duration, status, files, archiveId } = recording
      const file = files.find(({ role }) => role === 'poster')
      if (file && shown !== file.key) {
        shown = file.key // a new link to the same picture would load it again
        poster.src = file.url
      }
      poster.hidden ||= !file
      setText(title, titleOf(recording))
      const length = duration === null ? undefined : clockTime(Math.round(duration))
      const state = deletedHere.has(archiveId) ? 'deleted' : PROBLEMS[status]
      setText(facts, [moment(createdAt, timeNow()), length, state].filter(Boolean).join(' · '))
    },
  }
}

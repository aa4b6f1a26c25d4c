import { element, setText, type View } from '../../dom.ts'
import type { KnownRecording } from '../answers.ts'
import { createRecordingCaptions } from '../controls/captions-control.ts'
import { createRecordingClips } from '../controls/clip-control.ts'
import { createRecordingControl, deletedHere } from '../controls/recording-control.ts'
import { recordingFacts } from '../labels.ts'
import { createRecordingPlayer } from '../recording-player.ts'

/** Creates the card of a published recording. */
export function createRecordingCard(first: KnownRecording): View<KnownRecording> {
  const { archiveId, name = '' } = first
  const player = createRecordingPlayer(`Recording ${name || archiveId}`)
  const title = element('h3')
  const origin = element('p', { class: 'quiet' })
  const line = element('p', { class: 'facts' })
  const message = element('p', { class: 'problem' })
  const checksum = element('code')
  const checked = element('details', { class: 'checksum' }, element('summary', {}, 'SHA-256'), checksum)
  const pending = element('p', { class: 'quiet' })
  const watch = element('a', { class: 'watch', target: '_blank', rel: 'noopener noreferrer' }, 'Watch')
  const clips = createRecordingClips(first, player.element)
  const captions = createRecordingCaptions(first)
  const manage = createRecordingControl(first)
  const words = element(
    'div',
    { class: 'words' },
    title,
    origin,
    line,
    message,
    watch,
    checked,
    pending,
    clips.element,
    captions.element,
    manage.element,
  )
  const frame = element('div', { class: 'stage' }, player.element)

  return {
    element: element('article', { class: 'recording', id: `recording-${archiveId}` }, frame, words),
    update(recording) {
      const { status, source, withheld } = recording
      frame.hidden = recording.duration === null // a browser cannot play it
      player.update(recording)
      setText(title, recording.name ?? 'Recording')
      setText(origin, recording.showName ?? `Archive ${archiveId}`)
      setText(
        line,
        status === 'failed' ? `The file has ${source.size.toLocaleString('en-GB')} bytes.` : recordingFacts(recording),
      )
      setText(
        message,
        withheld && !withheld.acceptedAt
          ? `Another file was uploaded in its place and is withheld: ${withheld.differences.join(' ')} Accept or reject it: npm run showrunner -- recordings show ${archiveId}`
          : recording.message,
      )
      clips.update(recording)
      captions.update(recording)
      manage.update(recording)
      watch.hidden = status === 'failed' || recording.duration === null || deletedHere.has(archiveId)
      watch.setAttribute('href', recording.watch.url)
      setText(checksum, source.sha256 ?? undefined)
      checked.hidden = source.sha256 === null
      setText(
        pending,
        source.sha256 === null && status === 'ready'
          ? 'Renditions, thumbnails and the checksum are being produced.'
          : undefined,
      )
    },
  }
}

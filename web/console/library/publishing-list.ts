import { byId, createList, element, setText, type View } from '../../dom.ts'
import { fileSize } from '../../format.ts'
import type { KnownShow, WaitingPublish } from '../answers.ts'
import { type NamedPublish, nameWaiting } from './waiting-publishes.ts'

/** Connects the list of archives that wait to be published, which is hidden while none waits. */
export function connectPublishingList() {
  const details = byId('details', 'publishing')
  const summary = byId('summary', 'publishing-summary')
  const update = createList<NamedPublish>(byId('ol', 'publishing-list'), ({ archiveId }) => archiveId, createItem)
  return (waiting: readonly WaitingPublish[], shows: readonly KnownShow[]): void => {
    details.hidden = waiting.length === 0
    setText(summary, `${waiting.length} ${waiting.length === 1 ? 'archive waits' : 'archives wait'} to be published`)
    update(nameWaiting(waiting, shows))
  }
}

function createItem(): View<NamedPublish> {
  const line = element('li')
  return {
    element: line,
    update: ({ title, stage, size }) =>
      setText(
        line,
        `${title} · ${stage === 'ready' ? 'cannot be watched yet' : 'being completed'} · ${fileSize(size)}`,
      ),
  }
}

import { createList, element } from '../../dom.ts'
import type { ExecutionAnswer, Show } from '../answers.ts'
import { act } from '../api.ts'
import { confirmAction } from '../controls/confirm.ts'
import { createButton, createControlGroup } from '../controls/control-group.ts'
import { partLabel } from '../labels.ts'
import { isShowOver } from '../model.ts'

/** The buttons that redrive an execution, or publish its recordings again. */
interface ExecutionActions {
  readonly element: HTMLElement
  /** Offers to redrive the execution that is shown. */
  offer(execution: ExecutionAnswer): void
  update(show: Show): void
}

/** Creates the buttons. Each asks first. @param onRedriven reads the execution again */
export function createExecutionActions(
  { showId, name }: Pick<Show, 'showId' | 'name'>,
  onRedriven: () => Promise<void>,
): ExecutionActions {
  const redrive = createButton('Redrive', async () => {
    const isConfirmed = await confirmAction({
      title: `Redrive ${name}?`,
      text: 'Its execution resumes at the state that was interrupted, and the show continues.',
      action: 'Redrive the execution',
    })
    if (!isConfirmed) return
    await group.run('Redriving the execution …', async () => {
      const { executionName } = await act(({ executions }) => executions.redrive(showId))
      await onRedriven()
      return `The execution ${executionName} continues.`
    })
  })
  const rebuilds = element('span', { class: 'buttons' })
  const group = createControlGroup('Again', element('div', { class: 'buttons' }, redrive, rebuilds))
  const list = createList<{ readonly archiveId: string; readonly label: string }>(
    rebuilds,
    ({ archiveId }) => archiveId,
    ({ archiveId, label }) => {
      const rebuild = createButton(`Rebuild ${label}`, async () => {
        const isConfirmed = await confirmAction({
          title: `Rebuild ${label}?`,
          text: 'It is published again from its archive. A rebuild that fails leaves what is published.',
          action: 'Rebuild the recording',
        })
        if (!isConfirmed) return
        await group.run('Starting the rebuild …', async () => {
          await act(({ recordings }) => recordings.rebuild(archiveId))
          return `The rebuild of ${label} has started.`
        })
      })
      return { element: rebuild, update() {} }
    },
  )
  redrive.hidden = true
  return {
    element: group.element,
    offer({ redrivable }) {
      redrive.hidden = !redrivable
    },
    update(show) {
      const arrived = (show.result?.recordings ?? []).filter(({ key }) => key !== undefined)
      list(
        isShowOver(show)
          ? arrived.flatMap(({ archiveId, ...part }) => (archiveId ? { archiveId, label: partLabel(part) } : []))
          : [],
      )
    },
  }
}

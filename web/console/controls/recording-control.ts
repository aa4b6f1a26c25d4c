import { element, type View } from '../../dom.ts'
import type { KnownRecording } from '../answers.ts'
import { act } from '../api.ts'
import { timeNow } from '../clock.ts'
import { confirmAction } from './confirm.ts'
import { createButton, createControlGroup } from './control-group.ts'
import { deletionResult, revocation } from './recording-state.ts'

/** Archives of the recordings that were deleted on this page and not restored. */
export const deletedHere: Set<string> = new Set()

/** Creates the buttons that rebuild a recording, make it private and delete it, each after a confirmation. */
export function createRecordingControl({ archiveId }: Pick<KnownRecording, 'archiveId'>): View<KnownRecording> {
  let latest: KnownRecording | undefined
  const titleOf = () => latest?.name ?? 'the recording'
  const rebuild = createButton('Rebuild', async () => {
    const isConfirmed = await confirmAction({
      title: `Rebuild ${titleOf()}?`,
      text: 'It is published again from its archive. Its links stay. A rebuild that fails leaves what is published.',
      action: 'Rebuild the recording',
    })
    if (!isConfirmed) return
    await group.run('Starting the rebuild …', async () => {
      await act(({ recordings }) => recordings.rebuild(archiveId))
      return 'Rebuild started.'
    })
  })
  const revoke = createButton('', async () => {
    const { action, text } = revocation(latest?.access)
    if (!(await confirmAction({ title: `${action}: ${titleOf()}?`, text, action }))) return
    await group.run('Revoking the links …', async () => {
      await act(({ recordings }) => recordings.revokeLinks(archiveId))
      return 'Earlier links no longer work. “Watch” has a new one.'
    })
  })
  const remove = createButton('Delete', async () => {
    const isConfirmed = await confirmAction({
      title: `Delete ${titleOf()}?`,
      text: 'Its links stop working at once. It can be restored for some days.',
      action: 'Delete the recording',
    })
    if (!isConfirmed) return
    await group.run('Deleting the recording …', async () => {
      const { restorableUntil } = await act(({ recordings }) => recordings.delete(archiveId))
      deletedHere.add(archiveId)
      return deletionResult(restorableUntil, timeNow())
    })
  })
  const restore = createButton('Restore', () => {
    void group.run('Restoring the recording …', async () => {
      await act(({ recordings }) => recordings.restore(archiveId))
      deletedHere.delete(archiveId)
      return 'The recording is there again.'
    })
  })
  const group = createControlGroup('Manage', element('div', { class: 'buttons' }, rebuild, revoke, remove, restore))
  return {
    element: element('details', { class: 'more' }, element('summary', {}, 'Manage'), group.element),
    update(recording) {
      latest = recording
      const { action } = revocation(recording.access)
      const isDeleted = deletedHere.has(archiveId)
      rebuild.hidden = isDeleted
      revoke.hidden = isDeleted
      remove.hidden = isDeleted
      restore.hidden = !isDeleted
      if (revoke.textContent !== action) revoke.textContent = action
      for (const [button, text] of [
        [rebuild, 'Rebuild'],
        [revoke, action],
        [remove, 'Delete'],
      ] as const)
        button.setAttribute('aria-label', `${text}: ${titleOf()}, archive ${archiveId}`)
    },
  }
}

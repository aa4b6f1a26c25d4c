import { element, type View } from '../../dom.ts'
import type { Show } from '../answers.ts'
import { act } from '../api.ts'
import { timeNow } from '../clock.ts'
import { copyText } from '../copy-text.ts'
import { createButton, createControlGroup } from './control-group.ts'
import { invitationUntil, reasonAgainst } from './control-state.ts'

/** Creates the form that makes an invitation link for a participant and copies it. */
export function createInvitationControl({ showId, name }: Pick<Show, 'showId' | 'name'>): View<Show> {
  const guest = element('input', {
    type: 'text',
    maxlength: '60',
    placeholder: 'Name (optional)',
    'aria-label': `Name of the participant who is invited to ${name}`,
  })
  const invite = element('button', { type: 'submit', class: 'plain small' }, 'Create link')
  const form = element('form', { class: 'row' }, guest, invite)
  const link = element('input', { type: 'text', readonly: '', 'aria-label': `Invitation link to ${name}` })
  const copy = createButton(
    'Copy',
    () => {
      link.select()
      void group.run('Copying …', () => copyText(link.value))
    },
    'Copy the invitation',
  )
  const made = element('div', { class: 'row' }, link, copy)
  made.hidden = true
  const group = createControlGroup('Invite a participant', form, made)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const data = guest.value.trim()
    void group.run('Creating the invitation …', async () => {
      const order = { role: 'publisher' as const, ...(data && { data }) }
      const { url, invitation, expiresAt } = await act(({ shows }) => shows.invite(showId, order))
      link.value = url ?? invitation
      made.hidden = false
      const copied = await copyText(link.value)
      const page = url ? '' : ' It has no page: name the page of your app in the setting joinUrl.'
      return `${copied} ${invitationUntil(expiresAt, timeNow())}${page}`
    })
  })
  return { element: group.element, update: (show) => group.refuse(reasonAgainst('invite', show)) }
}

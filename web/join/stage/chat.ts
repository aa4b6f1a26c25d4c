import { byId, createList, element, setText } from '../../dom.ts'
import { timeOfDay } from '../../format.ts'
import type { ChatMessage } from '../room.ts'

/** Pixels from the end within which the list of messages follows new ones. */
const FOLLOW = 60

/** Creates the chat, which is closed at first. @param onSend sends a message to everyone; rejects if it is refused */
export function createChat(onSend: (text: string) => Promise<void>) {
  const panel = byId('aside', 'chat')
  const toggle = byId('button', 'chat-toggle')
  const list = byId('div', 'messages')
  const text = byId('input', 'text')
  const unread = byId('b', 'unread')
  list.tabIndex = 0 // a list that scrolls is reached by the keyboard
  let read = 0
  let count = 0
  const show = createList<ChatMessage>(list, ({ id }) => `${id}`, createMessage)

  function drawUnread(): void {
    if (!panel.hidden) read = count
    const left = count - read
    setText(unread, left > 0 ? `${Math.min(99, left)}` : undefined)
    toggle.setAttribute('aria-label', left > 0 ? `Chat, ${left} unread` : 'Chat')
  }

  function open(isOpen: boolean): void {
    panel.hidden = !isOpen
    toggle.setAttribute('aria-expanded', String(isOpen))
    drawUnread()
    if (!isOpen) {
      toggle.focus()
      return
    }
    list.scrollTop = list.scrollHeight
    text.focus()
  }

  toggle.addEventListener('click', () => open(panel.hidden === true))
  byId('button', 'chat-close').addEventListener('click', () => open(false))
  byId('div', 'stage').addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && !panel.hidden) open(false)
  })
  byId('form', 'write').addEventListener('submit', async (event) => {
    event.preventDefault()
    const message = text.value.trim()
    if (!message) return
    text.value = ''
    await onSend(message).catch(() => {
      text.value ||= message // it was not sent: the participant can send it again
    })
  })

  return {
    isOpen: () => !panel.hidden,
    update(messages: readonly ChatMessage[]): void {
      const follows = list.scrollHeight - list.scrollTop - list.clientHeight < FOLLOW
      const hasNew = messages.at(-1)?.id !== count
      count = messages.at(-1)?.id ?? 0
      read = Math.min(read, count)
      show(messages)
      drawUnread()
      if (hasNew && follows) list.scrollTop = list.scrollHeight
    },
    /** Closes the panel for the next visit. */
    reset(): void {
      panel.hidden = true
      toggle.setAttribute('aria-expanded', 'false')
      read = 0
    },
  }
}

function createMessage({ from, isOwn, text, at }: ChatMessage) {
  const time = new Date(at).toISOString()
  const sender = element('strong', {}, isOwn ? 'You' : from || 'The show')
  const head = element(
    'span',
    { class: 'head' },
    sender,
    element('time', { datetime: time }, timeOfDay(time).slice(0, 5)),
  )
  const root = element(
    'p',
    { class: isOwn ? 'message own' : 'message' },
    head,
    element('span', { class: 'text' }, text),
  )
  return { element: root, update() {} }
}

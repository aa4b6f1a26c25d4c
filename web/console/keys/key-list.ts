/** Keys of the page and their actions. Each control that a key reaches has the name of the action as `data-action`. */
export const keyActions = [
  { key: 'e', action: 'extend', label: 'Extend the show by 5 minutes' },
  { key: 'h', action: 'shorten', label: 'Shorten the show by 5 minutes' },
  { key: 'x', action: 'stop', label: 'Stop the show, after a confirmation' },
  { key: 'a', action: 'announce', label: 'Write a message to all participants' },
  { key: 'm', action: 'marker', label: 'Set a marker' },
  { key: 'c', action: 'clip', label: 'Cut a clip of the last seconds' },
  { key: 'd', action: 'dialIn', label: 'Dial in' },
  { key: 'b', action: 'broadcast', label: 'Add a broadcast' },
  { key: 'p', action: 'pause', label: 'Pause or resume the first recording' },
  { key: 't', action: 'take', label: 'Take the next layout' },
  { key: 's', action: 'sound', label: 'Turn the sound of the program on or off' },
  { key: 'w', action: 'watch', label: 'Watch the streams, or stop watching them' },
  { key: '/', action: 'search', label: 'Search recordings' },
] as const

export type KeyAction = (typeof keyActions)[number]['action']

/** Name of the key that lists the keys. */
export const HELP_KEY = '?'

interface Pressed {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

/** Returns the action of a pressed key, or undefined. @param isTyping true where keys are text */
export function actionOf(
  { key, ctrlKey, metaKey, altKey }: Pressed,
  isTyping: boolean,
): KeyAction | 'help' | undefined {
  if (isTyping || ctrlKey || metaKey || altKey) return undefined
  return key === HELP_KEY ? 'help' : keyActions.find((one) => one.key === key)?.action
}

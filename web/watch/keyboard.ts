/** Actions of keys. */
export interface KeyActions {
  play(): void
  mute(): void
  fullScreen(): void
  captions(): void
  /** @param by seconds; negative seeks back */
  move(by: number): void
  /** @param to a share of the duration, 0 to 1 */
  jump(to: number): void
  louder(by: number): void
  pictureInPicture(): void
  /** @param by steps of the choice */
  faster(by: number): void
}

const FRAME = 1 / 30

const keys: Readonly<Record<string, (actions: KeyActions) => void>> = {
  ' ': ({ play }) => play(),
  k: ({ play }) => play(),
  m: ({ mute }) => mute(),
  f: ({ fullScreen }) => fullScreen(),
  c: ({ captions }) => captions(),
  i: ({ pictureInPicture }) => pictureInPicture(),
  '<': ({ faster }) => faster(-1),
  '>': ({ faster }) => faster(1),
  j: ({ move }) => move(-10),
  l: ({ move }) => move(10),
  ArrowLeft: ({ move }) => move(-5),
  ArrowRight: ({ move }) => move(5),
  ',': ({ move }) => move(-FRAME),
  '.': ({ move }) => move(FRAME),
  ArrowUp: ({ louder }) => louder(0.1),
  ArrowDown: ({ louder }) => louder(-0.1),
  Home: ({ jump }) => jump(0),
  End: ({ jump }) => jump(1),
}

/** Connects keys, wherever the focus is, except where the focused element uses the key itself. */
export function connectKeys(actions: KeyActions): void {
  document.addEventListener('keydown', (event) => {
    const { key, target } = event
    if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLElement)) return
    if (target.matches('select, textarea, input:not([type="range"])')) return
    if (key === ' ' && target.matches('button, a, summary')) return
    if (target.matches('.volume') && key.startsWith('Arrow')) return
    const act = /^\d$/.test(key) ? ({ jump }: KeyActions) => jump(Number(key) / 10) : keys[key]
    if (!act) return
    act(actions)
    event.preventDefault()
  })
}

export interface Acts {
  play(): void
  mute(): void
  fullScreen(): void
  captions(): void
  /** Seconds, back if negative. */
  move(by: number): void
  /** A share of the whole, 0 to 1. */
  jump(to: number): void
  louder(by: number): void
}

const FRAME = 1 / 30

const keys: Readonly<Record<string, (acts: Acts) => void>> = {
  ' ': ({ play }) => play(),
  k: ({ play }) => play(),
  m: ({ mute }) => mute(),
  f: ({ fullScreen }) => fullScreen(),
  c: ({ captions }) => captions(),
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

/** Keys act wherever the focus is, but where the key means something of its own there. */
export function listenToKeys(acts: Acts): void {
  document.addEventListener('keydown', (event) => {
    const { key, target } = event
    if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLElement)) return
    if (target.matches('select') || (key === ' ' && target.matches('button, a, summary'))) return
    if (target.matches('.volume') && key.startsWith('Arrow')) return
    const act = /^\d$/.test(key) ? ({ jump }: Acts) => jump(Number(key) / 10) : keys[key]
    if (!act) return
    act(acts)
    event.preventDefault()
  })
}

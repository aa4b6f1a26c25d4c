import { type Place, placeOf } from './deep-link.ts'

interface LinkTargets {
  /** Opens a recording, and puts the focus on it. */
  readonly openRecording: (archiveId: string) => void
  /** Reads what the place needs. */
  readonly changed: () => void
}

/**
 * Connects the address of the page with what is open. A fold with `data-link` puts its link into the address when a user opens
 * it.
 */
export function connectLinks({ openRecording, changed }: LinkTargets) {
  let wanted = placeOf(location.hash)
  window.addEventListener('hashchange', () => {
    wanted = placeOf(location.hash)
    changed()
  })
  document.addEventListener('click', ({ target }) => {
    const fold = target instanceof Element ? target.closest('summary')?.parentElement : undefined
    if (fold instanceof HTMLDetailsElement && fold.dataset.link && !fold.open)
      history.replaceState(null, '', fold.dataset.link)
  })
  return {
    /** Returns the show of the address while it is not open yet. */
    wantedShow: (): string | undefined => wanted?.show,
    /** Forgets the place of the address, which does not exist. */
    giveUp(): void {
      wanted = undefined
    },
    /** Opens the place of the address once it is on the page. */
    follow(): void {
      const place = wanted
      if (!place) return
      if (place.recording !== undefined) {
        wanted = undefined
        openRecording(place.recording)
      } else if (openShow(place)) wanted = undefined
    },
  }
}

function openShow({ show = '', tab }: Place): boolean {
  const card = document.getElementById(`show-${show}`)
  if (!(card instanceof HTMLDetailsElement)) return false
  card.open = true
  const fold = tab === undefined ? undefined : card.querySelector<HTMLDetailsElement>(`details[data-tab="${tab}"]`)
  if (fold) fold.open = true
  const place = fold ?? card
  place.scrollIntoView({ block: 'start' })
  place.querySelector('summary')?.focus({ preventScroll: true })
  return true
}

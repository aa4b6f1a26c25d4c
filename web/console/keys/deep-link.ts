/** A place of the page that its address names. */
export interface Place {
  readonly show?: string
  /** A fold of the show, such as `execution`. */
  readonly tab?: string
  readonly recording?: string
}

const ID = /^[0-9A-Za-z-]{1,64}$/

/** Reads a place from the fragment of an address. Returns undefined without one. */
export function placeOf(hash: string): Place | undefined {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''))
  const idOf = (name: string) => {
    const value = parameters.get(name) ?? ''
    return ID.test(value) ? value : undefined
  }
  const [show, tab, recording] = [idOf('show'), idOf('tab'), idOf('recording')]
  if (show) return { show, ...(tab && { tab }) }
  return recording ? { recording } : undefined
}

/** Returns the fragment of a place. */
export const linkTo = (place: Place): string => `#${new URLSearchParams({ ...place })}`

/** The parts of a link. */
export interface Invitation {
  /** The secret of the link from its fragment, or the invitation to one show. */
  readonly secret: string
  /** Absent in a link that leads to any show that runs. */
  readonly showId: string | undefined
}

/** Reads a link. @throws Error if its secret is missing */
export function readInvitation({ hash, search }: { readonly hash: string; readonly search: string }): Invitation {
  const fragment = hash.slice(1)
  const secret = new URLSearchParams(fragment).get('invitation') ?? fragment
  if (!secret) throw new Error('The link is incomplete. Open the full link that you received.')
  return { secret, showId: new URLSearchParams(search).get('show') ?? undefined }
}

/** The choices of a participant, as this browser keeps them. */
export interface Choices {
  readonly name?: string
  readonly camera?: string
  readonly microphone?: string
  readonly isCameraOff?: boolean
  readonly isMuted?: boolean
}

const KEY = 'showrunner-join'

/** Reads the choices of the last visit. A browser that stores nothing has none. */
export function readChoices(): Choices {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}')
  } catch {
    return {}
  }
}

/** Stores choices for the next visit. */
export function keepChoices(choices: Choices): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...readChoices(), ...choices }))
  } catch {} // a browser that stores nothing: the participant chooses again next time
}

/** The address at which peers publish and subscribe: a session of the sandbox, or a room of Janus. */
export type Door = SandboxDoor | JanusDoor

export interface SandboxDoor {
  readonly server: 'sandbox'
  /** `…/sandbox/sessions/<id>`, below which WHIP and WHEP are. */
  readonly url: string
  readonly tokens: { readonly publisher: string; readonly subscriber: string }
}

export interface JanusDoor {
  readonly server: 'janus'
  readonly url: string
  readonly room: number
}

/** A server that forwards media, in a separate process. */
export interface MediaServer {
  readonly pid: number
  /** Opens a new session or room. */
  openDoor(): Promise<Door>
  /** Polls until a door has this many streams, and returns their ids. */
  untilPublished(door: Door, count: number): Promise<string[]>
  close(): Promise<void>
}

import type { Layout, Publication, StreamChange, StreamChoice } from '../media.ts'

/** What the engine can be told, and what it answers. Each command takes effect at the clock's time it was given. */
export interface Commands {
  /** Draws everything that is due. */
  render: [object, undefined]
  publish: [{ stream: Publication }, undefined]
  updateStream: [{ sessionId: string; streamId: string; change: StreamChange }, undefined]
  unpublish: [{ sessionId: string; streamId: string }, undefined]
  start: [OutputSetup, undefined]
  setLayout: [{ id: string; layout: Layout }, undefined]
  setStreams: [{ id: string; streams: readonly StreamChoice[] }, undefined]
  pause: [{ id: string }, undefined]
  resume: [{ id: string }, undefined]
  finish: [{ id: string }, FinishedOutput]
  discard: [{ id: string }, undefined]
}

export type CommandName = keyof Commands
export type Command = { [Name in CommandName]: { readonly name: Name } & Readonly<Commands[Name][0]> }[CommandName]
export type Answer<Name extends CommandName> = Commands[Name][1]

export interface OutputSetup {
  readonly id: string
  readonly sessionId: string
  readonly width: number
  readonly height: number
  readonly layout: Layout
  readonly streams: readonly StreamChoice[] | undefined
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  /** The mp4's path, or the directory of an HLS playlist and its segments. */
  readonly target:
    | { readonly type: 'mp4'; readonly path: string }
    | { readonly type: 'hls'; readonly directory: string }
}

export interface FinishedOutput {
  readonly seconds: number
  /** Of an mp4 only. */
  readonly file: { readonly size: number; readonly sha256: string } | undefined
}

/** Messages between the engine's thread and the one that commands it. */
export type ToEngine = { readonly number: number; readonly time: number; readonly command: Command } | 'close'
export type FromEngine =
  | { readonly number: number; readonly answer: unknown }
  | { readonly number: number; readonly refusal: string }
  | { readonly failedOutput: string; readonly reason: string }

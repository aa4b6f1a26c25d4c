/** A JSON value and its text, which histories show and limits measure. */
export interface StatePayload {
  readonly value: unknown
  readonly text: string
}

export const toPayload = (value: unknown): StatePayload => ({ value, text: JSON.stringify(value) })

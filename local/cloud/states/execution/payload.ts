/** A JSON value and its text, which histories show and limits measure. */
export interface Payload {
  readonly value: unknown
  readonly text: string
}

export const toPayload = (value: unknown): Payload => ({ value, text: JSON.stringify(value) })

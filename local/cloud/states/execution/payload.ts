/** A JSON value with its text: the text is what histories show and limits measure, and is written once. */
export interface Payload {
  readonly value: unknown
  readonly text: string
}

export const toPayload = (value: unknown): Payload => ({ value, text: JSON.stringify(value) })

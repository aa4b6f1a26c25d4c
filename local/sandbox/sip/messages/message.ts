export interface Header {
  /** In full and as RFC 3261 spells it, never the compact form. */
  readonly name: string
  readonly value: string
}

interface MessageParts {
  /** In their order. Several fields may have one name. */
  readonly headers: readonly Header[]
  readonly body: string
}

export interface SipRequest extends MessageParts {
  readonly method: string
  readonly uri: string
}

export interface SipResponse extends MessageParts {
  readonly status: number
  readonly reason: string
}

export type SipMessage = SipRequest | SipResponse

/** Returns true for a request. */
export const isRequest = (message: SipMessage): message is SipRequest => 'method' in message

/** Thrown when a message breaks the grammar. `status` is the answer if it is a request. */
export class SipSyntaxError extends Error {
  override readonly name = 'SipSyntaxError'
  readonly status: number
  constructor(message: string, status = 400) {
    super(message)
    this.status = status
  }
}

/** Reason phrases of RFC 3261 and its extensions, by status. */
const reasons: Readonly<Record<number, string>> = {
  100: 'Trying',
  200: 'OK',
  400: 'Bad Request',
  403: 'Forbidden',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  415: 'Unsupported Media Type',
  416: 'Unsupported URI Scheme',
  420: 'Bad Extension',
  422: 'Session Interval Too Small',
  481: 'Call/Transaction Does Not Exist',
  487: 'Request Terminated',
  488: 'Not Acceptable Here',
  491: 'Request Pending',
  500: 'Server Internal Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
  505: 'Version Not Supported',
}

/** Returns the standard reason phrase of a status. */
export const reasonOf = (status: number) => reasons[status] ?? 'Unknown'

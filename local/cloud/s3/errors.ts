/** The error codes this endpoint answers with, each with its status (Amazon S3 API reference, "Error responses"). */
const STATUS = {
  AccessControlListNotSupported: 400,
  AccessDenied: 403,
  AuthorizationHeaderMalformed: 400,
  AuthorizationQueryParametersError: 400,
  BadDigest: 400,
  EntityTooLarge: 400,
  EntityTooSmall: 400,
  IncompleteBody: 400,
  InternalError: 500,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidDigest: 400,
  InvalidPart: 400,
  InvalidPartOrder: 400,
  InvalidRange: 416,
  InvalidRequest: 400,
  InvalidTag: 400,
  InvalidToken: 400,
  InvalidURI: 400,
  KeyTooLongError: 400,
  MalformedXML: 400,
  MetadataTooLarge: 400,
  MethodNotAllowed: 405,
  MissingContentLength: 411,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NoSuchUpload: 404,
  NoSuchVersion: 404,
  NotImplemented: 501,
  PreconditionFailed: 412,
  RequestTimeTooSkewed: 403,
  SignatureDoesNotMatch: 403,
  XAmzContentSHA256Mismatch: 400,
} as const

export type S3ErrorCode = keyof typeof STATUS

/**
 * Thrown when S3 refuses a request. `fields` are further elements of the error document, `headers` are sent with it.
 */
export class S3Error extends Error {
  readonly code: S3ErrorCode
  readonly status: number
  readonly fields: Record<string, string>
  readonly headers: Record<string, string>

  constructor(
    code: S3ErrorCode,
    message: string,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ) {
    super(message)
    this.name = 'S3Error'
    this.code = code
    this.status = STATUS[code]
    this.fields = fields
    this.headers = headers
  }
}

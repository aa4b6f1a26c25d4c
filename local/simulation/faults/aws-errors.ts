import { ORDERED, type RefusalKind, refusalKinds } from './fault-responses.ts'

/** Codes of refusals, in the order of `refusalKinds`. */
const CODES: Readonly<Record<string, readonly string[]>> = {
  secretsmanager: [
    ...['InvalidRequestException', 'AccessDeniedException', 'ResourceNotFoundException'],
    ...['ResourceExistsException', 'ThrottlingException', 'InternalServiceError'],
  ],
  AWSStepFunctions: [
    ...['ValidationException', 'AccessDeniedException', 'StateMachineDoesNotExist'],
    ...['ConflictException', 'ThrottlingException', 'InternalFailure'],
  ],
  AWSEvents: [
    ...['ValidationException', 'AccessDeniedException', 'ResourceNotFoundException'],
    ...['ConcurrentModificationException', 'ThrottlingException', 'InternalException'],
  ],
  scheduler: [
    ...['ValidationException', 'AccessDeniedException', 'ResourceNotFoundException'],
    ...['ConflictException', 'ThrottlingException', 'InternalServerException'],
  ],
}

/** Codes of S3 (Amazon S3 API reference, "Error responses"). */
const S3 = ['InvalidRequest', 'AccessDenied', 'NoSuchBucket', 'OperationAborted', 'SlowDown', 'InternalError'] as const

/** Answers as the bus that has throttled the only entry of a request (EventBridge API reference, "PutEvents"). */
export const refuseEntry = (): Response =>
  Response.json(
    { FailedEntryCount: 1, Entries: [{ ErrorCode: 'ThrottlingException', ErrorMessage: ORDERED }] },
    { headers: { 'content-type': 'application/x-amz-json-1.1' } },
  )

/** Refuses a request as its AWS service does. The first word of the name identifies the service. */
export function refuseAsAws(kind: RefusalKind, { method }: Request, name: string): Response {
  const service = name.split(' ')[0] ?? ''
  const codes = CODES[service]
  const code = (codes ?? S3)[refusalKinds.indexOf(kind)] ?? ''
  if (!codes) {
    const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${ORDERED}</Message><RequestId>0</RequestId></Error>`
    const status = kind === '429' ? 503 : Number(kind) // S3 throttles with 503
    return new Response(method === 'HEAD' ? null : xml, { status, headers: { 'content-type': 'application/xml' } })
  }
  // Of the services with a JSON protocol, only the REST one has other statuses than 400 and 500.
  const status = service === 'scheduler' || kind === '500' ? Number(kind) : 400
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-errortype': code }
  return new Response(JSON.stringify({ __type: code, message: ORDERED }), { status, headers })
}

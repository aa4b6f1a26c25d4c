import type { RefusalKind } from './fault-responses.ts'

type Codes = Readonly<Record<RefusalKind, readonly [code: string, status: number]>>

/** Errors of S3 (Amazon S3 API reference, "Error responses"). It throttles with 503. */
const S3: Codes = {
  '400': ['InvalidRequest', 400],
  '403': ['AccessDenied', 403],
  '404': ['NoSuchBucket', 404],
  '409': ['OperationAborted', 409],
  '429': ['SlowDown', 503],
  '500': ['InternalError', 500],
}

/** Errors of the JSON services. Only server errors have another status than 400. */
const JSON_SERVICES: Readonly<Record<string, Codes>> = {
  secretsmanager: {
    '400': ['InvalidRequestException', 400],
    '403': ['AccessDeniedException', 400],
    '404': ['ResourceNotFoundException', 400],
    '409': ['ResourceExistsException', 400],
    '429': ['ThrottlingException', 400],
    '500': ['InternalServiceError', 500],
  },
  AWSStepFunctions: {
    '400': ['ValidationException', 400],
    '403': ['AccessDeniedException', 400],
    '404': ['StateMachineDoesNotExist', 400],
    '409': ['ConflictException', 400],
    '429': ['ThrottlingException', 400],
    '500': ['InternalFailure', 500],
  },
  AWSEvents: {
    '400': ['ValidationException', 400],
    '403': ['AccessDeniedException', 400],
    '404': ['ResourceNotFoundException', 400],
    '409': ['ConcurrentModificationException', 400],
    '429': ['ThrottlingException', 400],
    '500': ['InternalException', 500],
  },
  scheduler: {
    '400': ['ValidationException', 400],
    '403': ['AccessDeniedException', 403],
    '404': ['ResourceNotFoundException', 404],
    '409': ['ConflictException', 409],
    '429': ['ThrottlingException', 429],
    '500': ['InternalServerException', 500],
  },
}

const MESSAGE = 'The simulation has ordered this.'

/** Refuses a request as its AWS service does. The first word of the name identifies the service. */
export function refuseAsAws(kind: RefusalKind, request: Request, name: string): Response {
  const service = name.split(' ')[0] ?? ''
  const codes = JSON_SERVICES[service]
  if (!codes) return refuseAsS3(kind, request)
  const [code, status] = codes[kind]
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-errortype': code }
  return new Response(JSON.stringify({ __type: code, message: MESSAGE }), { status, headers })
}

function refuseAsS3(kind: RefusalKind, { method }: Request): Response {
  const [code, status] = S3[kind]
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${MESSAGE}</Message><RequestId>0</RequestId></Error>`
  return new Response(method === 'HEAD' ? null : xml, { status, headers: { 'content-type': 'application/xml' } })
}

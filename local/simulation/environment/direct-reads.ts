import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { DescribeExecutionCommand } from '@aws-sdk/client-sfn'
import type { Cloud } from '../../cloud/cloud.ts'
import type { Network } from './network.ts'

/** The parts of the cloud that answer reads without a request. */
export interface DirectReads extends Pick<Cloud, 's3' | 'stepFunctions'> {
  /** Entries on a page of an index, as of `withShortPages`. @default as many as asked for */
  readonly pageSize?: number | undefined
}

/** A client of the AWS SDK. Its request handler receives the options of a call. */
export interface SendingClient {
  send(command: unknown, options?: object): Promise<unknown>
}

interface DirectRead {
  /** The name of the call’s request, as in the trace. */
  readonly name: string
  /** Resolves with the output of the SDK, or undefined if only a request can be answered. */
  readonly read: () => Promise<object | undefined>
}

/**
 * Lets a client read without HTTP, XML and signatures, which take most of a simulation’s time and of which no invariant
 * depends. Only reads that succeed are answered directly. Under a fault, or when the service refuses, the same call is made
 * with the whole protocol.
 */
export function readDirectly(client: SendingClient, reads: DirectReads, readAws: Network['readAws']): void {
  const send = client.send.bind(client)
  client.send = async (command, options) => {
    const direct = options === undefined ? directReadOf(command, reads) : undefined
    if (!direct) return send(command, options)
    const { value, passed } = await readAws(direct.name, direct.read)
    return value ?? send(command, { passed })
  }
}

/** Returns undefined for every other command, and for parameters that are not known here. */
function directReadOf(
  command: unknown,
  { s3, stepFunctions, pageSize = Number.POSITIVE_INFINITY }: DirectReads,
): DirectRead | undefined {
  if (command instanceof GetObjectCommand) {
    const { Bucket: bucket = '', Key: key = '', ...rest } = command.input
    if (!key.endsWith('.json') || hasAny(rest)) return undefined
    return { name: `s3 GetObject ${key}`, read: async () => toOutput(await s3.read(bucket, key)) }
  }
  if (command instanceof ListObjectsV2Command) {
    const { Bucket: bucket = '', Prefix: prefix = '', MaxKeys = MAX_KEYS, StartAfter: after, ...rest } = command.input
    if (hasAny(rest)) return undefined
    const limit = prefix.startsWith('index/') ? Math.min(MaxKeys, pageSize) : MaxKeys
    return {
      name: `s3 ListObjectsV2 ${prefix}`.trimEnd(),
      async read() {
        const { keys, isTruncated } = s3.list(bucket, { prefix, after, limit })
        return { ...METADATA, Contents: keys.map((Key) => ({ Key })), IsTruncated: isTruncated }
      },
    }
  }
  if (command instanceof DescribeExecutionCommand) {
    const { executionArn = '' } = command.input
    return { name: 'AWSStepFunctions DescribeExecution', read: async () => describe(stepFunctions, executionArn) }
  }
  return undefined
}

/** Entries on a page (Amazon S3 API reference, ListObjectsV2). */
const MAX_KEYS = 1_000
const METADATA = { $metadata: { httpStatusCode: 200 } } as const

const hasAny = (rest: object) => Object.values(rest).some((value) => value !== undefined)

function toOutput(stored: Awaited<ReturnType<DirectReads['s3']['read']>>): object | undefined {
  if (!stored) return undefined
  const { etag: ETag, bytes } = stored
  const Body = { transformToString: async () => bytes.toString(), transformToByteArray: async () => bytes }
  return { ...METADATA, ETag, ContentLength: bytes.length, Body }
}

function describe(stepFunctions: DirectReads['stepFunctions'], executionArn: string): object | undefined {
  try {
    return { ...METADATA, ...stepFunctions.describeExecution({ executionArn }) }
  } catch {
    return undefined // the protocol answers with the error
  }
}

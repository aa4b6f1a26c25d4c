import { readFile, stat } from 'node:fs/promises'
import type { SFNClient } from '@aws-sdk/client-sfn'
import { z } from 'zod'
import { openZip } from '../../../../lib/media/zip/open-zip.ts'
import { requestLambda } from '../../lambda-requests.ts'

/** Bytes of a zip that Lambda takes in a request (Lambda quotas, "Deployment package"). */
const MAX_ZIP = 50 * 2 ** 20
const PROGRAM = 'bin/ffmpeg'

/**
 * Checks a zip for a layer before anything is made.
 * @throws Error when it cannot be read, is too large, or has no ffmpeg where functions find it
 */
export async function checkLayerZip(path: string): Promise<void> {
  const found = await stat(path).catch((cause: Error) => {
    throw new Error(`${path} cannot be read (${cause.message}).`, { cause })
  })
  if (found.size > MAX_ZIP)
    throw new Error(
      `${path} is larger than 50 MB. Upload it to a bucket, and publish the layer from there (docs/deploy.md).`,
    )
  const bytes = await readFile(path)
  const read = async (start: number, end: number) => bytes.subarray(start, end)
  const entries = await openZip({ size: bytes.length, read }).catch((cause: Error) => {
    throw new Error(`${path} is not a zip file (${cause.message}).`, { cause })
  })
  if (!entries.some(({ name }) => name === PROGRAM))
    throw new Error(`${path} has no ${PROGRAM}. Keep this path in the zip (docs/deploy.md).`)
}

const published = z.object({ LayerVersionArn: z.string() })

/** Publishes a zip as the layer `ffmpeg`. @returns the ARN of the version @throws Error with the message of Lambda */
export async function publishLayer(
  client: SFNClient,
  { region, path, architecture }: { readonly region: string; readonly path: string; readonly architecture: string },
): Promise<string> {
  const ZipFile = (await readFile(path)).toString('base64')
  const body = JSON.stringify({ Content: { ZipFile }, CompatibleArchitectures: [architecture] })
  const request = { method: 'POST', path: '/2018-10-31/layers/ffmpeg/versions', body } as const
  return published.parse(JSON.parse(await requestLambda(client, { region }, request))).LayerVersionArn
}

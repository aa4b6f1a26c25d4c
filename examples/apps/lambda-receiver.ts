import type { LambdaFunctionURLEvent } from 'aws-lambda'
import { createShowrunner } from 'showrunner'
import { CallbackError, verifyShowrunnerCallback } from 'showrunner/events'

const { SHOWRUNNER_URL = '', SHOWRUNNER_TOKEN = '', CALLBACK_URL = '' } = process.env
const showrunner = createShowrunner({ url: SHOWRUNNER_URL, token: SHOWRUNNER_TOKEN })
const options = { url: CALLBACK_URL, keys: `${SHOWRUNNER_URL}/.well-known/jwks.json` }

/** Receives the events of shows at the URL of a Lambda function. */
export async function handler({ headers, body = '', isBase64Encoded }: LambdaFunctionURLEvent) {
  try {
    const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8') // as received: the signature covers them
    const event = await verifyShowrunnerCallback({ signature: headers['showrunner-signature'], body: bytes }, options)
    if (event.event === 'recording.published' && event.archiveId) {
      const { duration, files } = await showrunner.recordings.get(event.archiveId)
      console.log(`${event.name} is ${event.status}: ${duration} s, ${files.length} files`)
    }
    return { statusCode: 204 }
  } catch (error) {
    if (error instanceof CallbackError) return { statusCode: 403 }
    console.error(error)
    return { statusCode: 503 } // the event is delivered again
  }
}
